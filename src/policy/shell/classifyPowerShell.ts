import type { SyntaxNode } from '#base/syntaxTree.ts';
import { type CommandContext, resolvePath, targetOf } from './context.ts';
import { cmdletEffect, isRunningCmdlet, readingParameters } from './tables/powershell.ts';
import { atLeast, both, type CommandPart, type FileTarget, type Judgement, judged } from './verdict.ts';
import { hasDeceivingCharacter, type Word } from './words.ts';

/** Expressions that can do anything: calls of .NET, script blocks, assignments, loops. */
const powerful =
  /^(?:invokation|assignment|left_assignment|script_block|hash_literal|sub_expression|array_expression|cast|pre_|post_|class|function|try|trap|data|for|while|do|switch|if|foreach|inlinescript|parallel|sequence|flow_control|enum|param|stop_parsing|verbatim_command)/;

/** Classifies the parts of a PowerShell command line by its tree. */
export async function classifyPowerShell(
  text: string,
  root: SyntaxNode,
  context: CommandContext,
): Promise<readonly CommandPart[]> {
  const parts: CommandPart[] = [];
  const add = (
    node: { readonly start: number; readonly end: number },
    judgement: Judgement,
    argv?: readonly string[],
  ): void => {
    parts.push({ ...judgement, start: node.start, end: node.end, text: text.slice(node.start, node.end), argv });
  };
  const simple = readSimplePowerShell(text);
  let commands = 0;
  let folder = context.folder;
  const visit = async (node: SyntaxNode): Promise<void> => {
    if (node.kind === 'command') {
      commands += 1;
      const words = wordsOf(node, text);
      const judgement = await judgeCmdlet(words, { ...context, folder });
      const values = words.flatMap(({ value }) => (value === undefined ? [] : [value]));
      if (values.length === words.length) add(node, judgement, values);
      else add(node, atLeast('runs', 'a word of the command is not known', judgement));
      const name = values[0]?.toLowerCase() ?? '';
      // `;` goes on after an error, and the folder of a script block or function is not followed.
      if (/^(?:set-location|sl|cd|chdir|push-location|pushd)$/.test(name)) {
        const to = words.at(-1)?.value;
        folder = words.length === 2 && to !== undefined ? resolvePath(folder, to) : undefined;
      } else if (/^(?:pop-location|popd)$/.test(name) || readingParameters(name) === undefined) {
        folder = cmdletEffect(name) === undefined && !/^[a-z]+$/.test(name) ? undefined : folder;
      }
    } else if (node.kind === 'redirection' || isRedirectionToken(node, text)) judgeRedirection(node);
    else if (powerful.test(node.kind)) add(node, judgeExpression(text.slice(node.start, node.end)));
    for (const child of node.children) await visit(child);
  };
  const judgeRedirection = (node: SyntaxNode): void => {
    const target = text.slice(node.start, node.end).replace(/^[^>]*>>?\s*/, '');
    if (/^\$null$|^NUL$/i.test(target) || /^[*\d]?>&[12]$/.test(text.slice(node.start, node.end))) return;
    const file = decodePowerShellWord(target);
    const targets = [targetOf({ raw: target, value: file }, { ...context, folder })];
    add(node, judged('writes', '`>` writes into a file', { targets }));
  };
  await visit(root);
  const isSimple = simple !== undefined && simple.length === commands && !root.hasError && !hasDeceivingCharacter(text);
  for (const words of simple ?? []) {
    const judgement = await judgeCmdlet(words, { ...context, folder: folder === context.folder ? folder : undefined });
    if (judgement.class !== 'reads') add(root, { ...judgement, targets: [], scripts: [] });
  }
  if (!isSimple) add(root, judged('runs', 'the command line is more than simple commands with known words'));
  return parts;
}

/** .NET calls can write; every other expression runs something. */
function judgeExpression(text: string): Judgement {
  return /::|\.\s*(?:Write|Delete|Move|Copy|Create|Append|Replace|Save|Set|Invoke)/i.test(text)
    ? judged('writes', 'a .NET call may write files', { inlineScripts: [text], targets: ['anywhere'] })
    : judged('runs', 'an expression or script block is not judged');
}

/** Judges one command of PowerShell: a cmdlet, an alias or a program. */
async function judgeCmdlet(words: readonly Word[], context: CommandContext): Promise<Judgement> {
  const [first, ...rest] = words;
  const name = first?.value;
  if (name === undefined) return judged('runs', 'the name of the command is not known');
  if (isRunningCmdlet(name))
    return judged('writes', `\`${name}\` runs a text or a script block`, {
      inlineScripts: rest.map(({ raw }) => raw),
      targets: ['anywhere'],
    });
  const effect = cmdletEffect(name);
  if (effect !== undefined) return judged('writes', `\`${name}\` ${effect}`, { targets: targetsOf(rest, context) });
  const parameters = readingParameters(name);
  if (!parameters) return context.judge(words.map(asProgramWord), context);
  const odd = rest.find(({ value }) => value === undefined || (/^-\D/.test(value) && !isParameter(value, parameters)));
  const found = odd ? judged('runs', `a word of \`${name}\` is not known`) : judged('reads', `\`${name}\` only reads`);
  // Where PowerShell has no such alias, the program of that name runs.
  const program = /^[a-z]+$/.test(name) ? await context.judge(words, context) : found;
  return program.class === 'writes' ? both(program, found) : found;
}

/** A parameter may be shortened as long as it is unique; a value may follow a colon. Source: about_Parameters. */
function isParameter(word: string, parameters: readonly string[]): boolean {
  const name = /^-(\w+)(?::|$)/.exec(word)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  return ['erroraction', 'ea', 'verbose'].includes(name) || parameters.some((each) => each.startsWith(name));
}

/** `.exe` is left out in the tables. */
function asProgramWord(word: Word, at: number): Word {
  // Outside Windows PowerShell expands globs for programs.
  const isPlain = word.value !== undefined && !/[*?~]/.test(word.raw);
  const value = at === 0 ? word.value?.replace(/\.(?:exe|cmd|bat)$/i, '') : isPlain ? word.value : undefined;
  return { raw: at === 0 ? (value ?? word.raw) : word.raw, value };
}

function targetsOf(words: readonly Word[], context: CommandContext): readonly FileTarget[] {
  const flags = /^-(?:recurse|force|verbose|append|nonewline|whatif|confirm|passthru)$/i;
  const named = words.filter(({ value }) => value === undefined || !flags.test(value));
  const at = named.findIndex(({ value }) => /^-(?:path|literalpath|filepath|destination|lp)$/i.test(value ?? ''));
  const word = at >= 0 ? named[at + 1] : named[0];
  const isPlain = word?.value !== undefined && !/^-|[*?,]/.test(word.value);
  const isOnly =
    at >= 0 || named.length === 1 || !named.some(({ value }) => value === undefined || value.startsWith('-'));
  return [isPlain && isOnly ? targetOf(word, context) : 'anywhere'];
}

/** The grammar takes a redirection without a blank, such as `2>a.txt`, as a word. */
function isRedirectionToken(node: SyntaxNode, text: string): boolean {
  return node.kind === 'generic_token' && text.slice(node.start, node.end).includes('>');
}

/** Returns the words of a command node. A word that is more than one literal is not known. */
function wordsOf(node: SyntaxNode, text: string): readonly Word[] {
  const elements = node.children.flatMap((child) => (child.kind === 'command_elements' ? child.children : [child]));
  return elements
    .filter((each) => !isRedirectionToken(each, text))
    .filter(({ kind }) => !['command_argument_sep', 'redirection', 'redirections', 'comment'].includes(kind))
    .map(({ start, end, kind }) => {
      const raw = text.slice(start, end).trim();
      return { raw, value: kind === 'command_invokation_operator' ? undefined : decodePowerShellWord(raw) };
    });
}

/** Returns the value of a literal word of PowerShell; undefined when it may be expanded. Source: about_Quoting_Rules. */
function decodePowerShellWord(raw: string): string | undefined {
  // `--%` ends the usual rules, and a path of another machine is reached over the network.
  if (raw === '--%' || /^["']?(?:\\\\|\/\/)/.test(raw)) return undefined;
  if (/^'(?:[^'‘’‚‛]|'')*'$/.test(raw)) return raw.slice(1, -1).replaceAll("''", "'");
  if (/^"[^"$`“”„]*"$/.test(raw)) return raw.slice(1, -1);
  return /^[\w\-./\\:=+%*?~^!]+(?:,[\w\-./\\:=+*?~]+)*$/.test(raw) ? raw : undefined;
}

/**
 * Reads the commands of a PowerShell text without the parser: words and quotes without expansions, joined by `;`, `|`, `&&`, `||`
 * and line breaks. Returns undefined when the text holds anything else. Source: about_Parsing, about_Pipelines.
 */
export function readSimplePowerShell(text: string): readonly (readonly Word[])[] | undefined {
  const commands: Word[][] = [];
  let words: Word[] = [];
  for (let rest = text; rest !== '';) {
    const blank = /^[ \t]+/.exec(rest)?.[0];
    const operator = /^(?:;|\|\||\||&&|\n)/.exec(rest)?.[0];
    const silence = /^(?:[2*]>(?:\$null|&1)|>[ \t]*\$null)(?=$|[ \t;|\n])/i.exec(rest)?.[0];
    const raw = /^(?:'[^'\n]*'|"[^"$`\n]*"|[\w\-./\\:=+%*?~^!,]+)(?=$|[ \t;|&\n])/.exec(rest)?.[0];
    const part = blank ?? operator ?? silence ?? raw;
    if (part === undefined) return undefined;
    if (operator !== undefined) {
      if (words.length > 0) commands.push(words);
      words = [];
    } else if (raw !== undefined && part === raw) {
      const value = decodePowerShellWord(raw);
      // A quoted word in the place of a command is an expression, and `%` and `?` stand for loops.
      if (value === undefined || (words.length === 0 && !/^[A-Za-z][\w.-]*$/.test(raw))) return undefined;
      words.push({ raw, value });
    }
    rest = rest.slice(part.length);
  }
  if (words.length > 0) commands.push(words);
  return commands;
}
