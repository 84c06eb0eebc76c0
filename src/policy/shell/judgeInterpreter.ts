import { type CommandContext, judgeScriptText, resolvePath, targetOf } from './context.ts';
import { type InterpreterRow, interpreterRow } from './tables/interpreters.ts';
import { atLeast, both, type Judgement, judged } from './verdict.ts';
import type { Word } from './words.ts';

/** Judges a program that runs scripts, with its words; undefined when it is no such program. */
export async function judgeInterpreter(
  name: string,
  words: readonly Word[],
  context: CommandContext,
): Promise<Judgement | undefined> {
  const row = interpreterRow(name);
  if (!row) return undefined;
  const [, ...rest] = words;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at];
    const value = word?.value;
    if (value === undefined) {
      return /^[<>]\(/.test(word?.raw ?? '')
        ? judged('writes', `\`${name}\` runs what another command prints`, { targets: ['anywhere'] })
        : judged('runs', `\`${name}\` runs something that is not known`, { scripts: ['anywhere'] });
    }
    if (row.inline.test(value)) return judgeInline(row, name, inlineText(row, value, rest.slice(at + 1)), context);
    if (row.modules && value === '-m') return judgeModule(name, rest[at + 1], context);
    if (row.subcommands?.split(' ').includes(value))
      return judged('runs', `\`${name} ${value}\` runs a program`, { scripts: scriptsOf(rest.slice(at + 1), context) });
    if (value === '-') return judgeInput(row, name, context);
    if (value === '--') continue;
    if (!/^[-+]/.test(value) && !(row.slashes && /^\/[a-z]$/i.test(value))) {
      return judged('runs', `\`${name}\` runs the script \`${value}\``, { scripts: [targetOf(word, context)] });
    }
    if (row.valued?.split(' ').includes(value)) at += 1;
  }
  if (rest.some(({ value }) => /^-(?:-version|-help|V|v)$/.test(value ?? ''))) {
    return judged('runs', `\`${name}\` with these options is not known`);
  }
  return judgeInput(row, name, context);
}

/** Returns the text of an inline script: attached as in `--eval=text`, or in the next word. */
function inlineText(row: InterpreterRow, option: string, rest: readonly Word[]): string | undefined {
  if (row.joins)
    return rest.every(({ value }) => value !== undefined) ? rest.map(({ value }) => value).join(' ') : undefined;
  const attached = /^--[a-z]+=([^]*)$/.exec(option)?.[1];
  const next = rest.find(({ value }) => value === undefined || !value.startsWith('-'));
  return attached ?? next?.value;
}

async function judgeInline(
  row: InterpreterRow,
  name: string,
  text: string | undefined,
  context: CommandContext,
): Promise<Judgement> {
  if (row.language && text !== undefined) {
    const found = await judgeScriptText(text, row.language, name, context);
    return row.isOther ? atLeast('runs', `\`${name}\` is another shell, whose words are not understood`, found) : found;
  }
  const inlineScripts = text === undefined ? [] : [text];
  return judged('writes', `\`${name}\` runs a script that stands in the command`, {
    inlineScripts,
    targets: ['anywhere'],
  });
}

/** Without a script an interpreter reads its input: a script there is an inline one, a terminal makes it interactive. */
async function judgeInput(row: InterpreterRow, name: string, context: CommandContext): Promise<Judgement> {
  if (context.inputText !== undefined) return judgeInline(row, name, context.inputText, context);
  if (context.hasInput) {
    return judged('writes', `\`${name}\` runs the script that it gets as input`, { targets: ['anywhere'] });
  }
  return judged('runs', `\`${name}\` waits for commands`, { startsInteractive: true });
}

function judgeModule(name: string, module: Word | undefined, context: CommandContext): Judgement {
  const file =
    module?.value === undefined ? undefined : resolvePath(context.folder, `${module.value.replaceAll('.', '/')}.py`);
  return judged('runs', `\`${name} -m\` runs a module`, {
    scripts: [file === undefined ? 'anywhere' : { path: file }],
  });
}

function scriptsOf(words: readonly Word[], context: CommandContext): Judgement['scripts'] {
  const script = words.find(({ value }) => value === undefined || !value.startsWith('-'));
  return script ? [targetOf(script, context)] : [];
}

/** Judges `eval`, `source` and `.`, which run a text or a file in the shell itself. */
export async function judgeShellScript(words: readonly Word[], context: CommandContext): Promise<Judgement> {
  const [name = { raw: '', value: undefined }, ...rest] = words;
  if (name.value === 'eval') {
    const known = rest.every(({ value }) => value !== undefined);
    const text = known ? rest.map(({ value }) => value).join(' ') : undefined;
    return both(judged('runs', '`eval` runs a text'), await judgeScriptText(text, 'bash', 'eval', context));
  }
  const file = rest[0];
  if (/^[<>]\(/.test(file?.raw ?? ''))
    return judged('writes', '`source` runs what another command prints', { targets: ['anywhere'] });
  return judged('runs', `\`${name.value ?? ''}\` runs a script in this shell`, { scripts: [targetOf(file, context)] });
}
