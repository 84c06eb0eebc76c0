import type { SyntaxLanguage, SyntaxTree } from '#base/syntaxTree.ts';
import { classifyBash } from './classifyBash.ts';
import { classifyPowerShell } from './classifyPowerShell.ts';
import type { ClassifierPorts, CommandContext } from './context.ts';
import { judgeCommand } from './judgeCommand.ts';
import { writingRow } from './tables/writing.ts';
import { gitEffect } from './tables/git.ts';
import { isWritingCmdlet } from './tables/powershell.ts';
import { type CommandPart, type CommandVerdict, judged, verdictOf } from './verdict.ts';

/** The shell that gets a command line. A shell without a grammar of ours always runs something. */
export type ShellName = 'bash' | 'powershell' | 'zsh' | 'fish' | 'cmd' | 'nu' | 'other';

/** A command line within a command line within a command line is more than anybody reads on a card. */
const deepestNesting = 4;
/** Scripts that run each other could otherwise multiply without end. */
const mostNested = 50;

/**
 * Classifies a command line of a shell by its syntax tree: `reads` only when every word of every part is known and every part
 * reads, `writes` when any part writes. Without a tree a line of bash or PowerShell counts as writing, since a text that no parser
 * finishes must not pass as a program.
 * @param tree of the same text; undefined when it was not parsed
 */
export async function classifyCommand(
  text: string,
  tree: SyntaxTree | undefined,
  shell: ShellName,
  ports: ClassifierPorts = {},
): Promise<CommandVerdict> {
  if (shell !== 'bash' && shell !== 'powershell') {
    return verdictOf([wholePart(text, 'runs', `the language of this shell (${shell}) is not understood`)], '');
  }
  const start = ports.folder ?? '.';
  return classifyTree(text, tree, shell, {
    ports,
    start,
    folder: start,
    hasInput: false,
    inputText: undefined,
    judge: judgeCommand,
    nest: nestedBelow(1, ports, { left: mostNested }),
  });
}

function nestedBelow(depth: number, ports: ClassifierPorts, budget: { left: number }): CommandContext['nest'] {
  return async (language, text, context) => {
    budget.left -= 1;
    if (depth > deepestNesting || budget.left < 0) return undefined;
    const tree = await ports.parse?.(language, text);
    return tree && classifyTree(text, tree, language, { ...context, nest: nestedBelow(depth + 1, ports, budget) });
  };
}

async function classifyTree(
  text: string,
  tree: SyntaxTree | undefined,
  language: SyntaxLanguage,
  context: CommandContext,
): Promise<CommandVerdict> {
  if (tree?.language !== language)
    return verdictOf([wholePart(text, 'writes', 'the command line could not be parsed')], '');
  const classify = language === 'bash' ? classifyBash : classifyPowerShell;
  const parts = await classify(text, tree.root, context);
  const hidden = tree.root.hasError ? hiddenWrite(text) : undefined;
  const whole = hidden === undefined ? [] : [wholePart(text, 'writes', hidden)];
  return verdictOf([...parts, ...whole], 'an empty command line');
}

/** Returns why a line with a syntax error may write: what the parser dropped may be a command that writes. */
function hiddenWrite(text: string): string | undefined {
  if (text.includes('>')) return 'the command line is not understood, and may write into a file';
  const words = text.split(/[^\w-]+/);
  const name = words.find((word, at) => {
    const isGit = words[at - 1] === 'git' && gitEffect(word) !== undefined;
    return isGit || writingRow(word) !== undefined || isWritingCmdlet(word);
  });
  return name === undefined ? undefined : `the command line is not understood, and \`${name}\` may write`;
}

function wholePart(text: string, kind: 'writes' | 'runs', reason: string): CommandPart {
  const found = judged(kind, reason, kind === 'writes' ? { targets: ['anywhere'], inlineScripts: [text] } : {});
  return { ...found, start: 0, end: text.length, text, argv: undefined };
}
