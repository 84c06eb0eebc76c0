import { resolve } from 'node:path';
import * as z from 'zod/mini';
import type { NativeCommand } from '#base/nativeCommand.ts';
import { type ExactWrite, mostWaitSeconds, type NativeAnswer, type NativeFileEdit } from '#base/nativeEdit.ts';
import { commandInput } from './commandInput.ts';
import { exactReplacement } from './exactReplacement.ts';
import { type HookAdapter, type HookOutput, noOpinion } from './hookAdapter.ts';
import { opencodePatch, pathsInPatch } from './opencodePatch.ts';
import { shellOf } from './shells.ts';

/** The input that our plugin for opencode writes (`src/connect/assistants/opencodePlugin.ts`). */
const input = z.looseObject({
  drawbridge: z.literal('opencode'),
  version: z.literal(1),
  event: z.enum(['before', 'after']),
  sessionID: z.string(),
  messageID: z.optional(z.string()),
  callID: z.string(),
  agent: z.optional(z.object({ id: z.string(), kind: z.string() })),
  tool: z.string(),
  args: z.unknown(),
  /** The folder that relative paths start from. */
  directory: z.string(),
  /** The shell in the settings of opencode, else the one of the environment. */
  shell: z.optional(z.string()),
});

/** What the plugin writes about a session of the user; it leaves out those of subagents. */
const momentInput = z.looseObject({
  version: z.literal(1),
  event: z.enum(['sessionBegan', 'turnEnded', 'sessionEnded']),
  sessionID: z.string(),
  directory: z.string(),
});

const shellArgs = z.looseObject({
  command: z.string(),
  description: z.optional(z.string()),
  workdir: z.optional(z.string()),
});

const editArgs = z.looseObject({
  filePath: z.string(),
  oldString: z.string(),
  newString: z.string(),
  replaceAll: z.prefault(z.boolean(), false),
});
const writeArgs = z.looseObject({ filePath: z.string(), content: z.string() });
const patchArgs = z.looseObject({ patchText: z.string() });

/** An edit tool of opencode, read from runs of 1.18.33. */
interface EditTool {
  read(args: unknown, directory: string): NativeFileEdit;
  writesExactly(args: unknown): readonly ExactWrite[];
  /** Returns the arguments to change, so that opencode writes exactly the approved text. */
  exactArgs(args: unknown, files: AllowedFiles): object | undefined;
}

type AllowedFiles = Extract<NativeAnswer, { decision: 'allow' }>['files'];

const editTools: ReadonlyMap<string, EditTool> = new Map<string, EditTool>([
  [
    'edit',
    {
      read(args, directory) {
        const { filePath, oldString: oldText, newString: newText, replaceAll: all } = editArgs.parse(args);
        return { kind: 'replace', path: resolve(directory, filePath), oldText, newText, all };
      },
      writesExactly: (args) => [
        // Without an old text, opencode refuses to edit a file that exists, even an empty one.
        ...(editArgs.parse(args).oldString === '' ? [] : (['edit'] as const)),
        'create',
        'changed',
        'crlf',
        'noFinalLineEnd',
        'utf8bom',
        'link',
      ],
      exactArgs: exactEdit,
    },
  ],
  [
    'write',
    {
      read(args, directory) {
        const { filePath, content: text } = writeArgs.parse(args);
        return { kind: 'write', path: resolve(directory, filePath), text };
      },
      writesExactly: () => ['edit', 'create', 'changed', 'crlf', 'mixedLineEnds', 'noFinalLineEnd', 'utf8bom', 'link'],
      exactArgs: (_args, [file]) => file && { content: file.texts.after },
    },
  ],
  [
    'apply_patch',
    {
      read(args, directory) {
        const { patchText: text } = patchArgs.parse(args);
        const paths = pathsInPatch(text).map((path) => resolve(directory, path));
        if (paths.length === 0) throw new Error('The patch names no file.');
        return { kind: 'patch', folder: directory, text, paths };
      },
      // A moved file gets a line end after its last line, and a file of another encoding becomes garbage.
      writesExactly: () => [
        'edit',
        'create',
        'delete',
        'several',
        'changed',
        'crlf',
        'mixedLineEnds',
        'utf8bom',
        'link',
      ],
      exactArgs: (_args, files) => ({ patchText: opencodePatch(files) }),
    },
  ],
]);

/** Reads and answers what our plugin for opencode asks about. */
export const opencodeHook: HookAdapter = {
  assistant: 'opencode',

  // Inputs of another version of the plugin count too, so that an edit in one of them is refused.
  recognises: (given) => given['drawbridge'] === 'opencode',

  read(given) {
    const moment = momentInput.safeParse(given).data;
    if (moment !== undefined) {
      return { event: moment.event, assistant: 'opencode', session: moment.sessionID, folder: moment.directory };
    }
    const { event, sessionID: session, messageID: turn, callID: call, agent, ...rest } = input.parse(given);
    const { tool, args, directory } = rest;
    const caller = {
      event,
      assistant: 'opencode',
      session,
      call,
      waitSeconds: mostWaitSeconds,
      ...(turn !== undefined && { turn }),
      ...(agent !== undefined && { agent }),
      tool,
    };
    if (tool === shellTool) return { ...caller, command: commandOf(rest) };
    const editTool = editTools.get(tool);
    if (editTool === undefined) throw new Error(`The edit tool ${tool} is not known.`);
    return { ...caller, writesExactly: editTool.writesExactly(args), edits: [editTool.read(args, directory)] };
  },

  answer(given, answer) {
    switch (answer.decision) {
      case 'none':
        return noOpinion;
      case 'deny':
        return output({ decision: 'deny', words: answer.words });
      case 'allow': {
        const { tool, args } = input.parse(given);
        return output({
          decision: 'allow',
          args: editTools.get(tool)?.exactArgs(args, answer.files),
          words: answer.words,
        });
      }
      default:
        return answer satisfies never;
    }
  },
};

const shellTool = 'bash';

type Command = NativeCommand['command'];

/**
 * opencode runs the shell of its settings, else that of SHELL, with the aliases of the user, but neither fish nor nu. For these, and
 * without a name, it looks for one itself (read in the package of 1.18.33).
 */
function commandOf({ args, directory, shell }: Pick<z.infer<typeof input>, 'args' | 'directory' | 'shell'>): Command {
  const { command: text, description: reason, workdir = '' } = commandInput(shellArgs, args);
  const named = shellOf(shell);
  const folder = resolve(directory, workdir);
  return {
    shell: named === 'fish' || named === 'nu' ? 'other' : named,
    text,
    folder,
    ...(reason !== undefined && { reason }),
  };
}

/**
 * Returns the smallest exact replacement, because opencode shows its model the changed arguments as the model's own, and falls back
 * to loose ways of matching when the old text is not there any more. The arguments stay when they are exact already. opencode takes
 * LF for every line end and writes the one of the file.
 */
function exactEdit(args: unknown, [file]: AllowedFiles): object | undefined {
  if (file === undefined) return undefined;
  const [before, after] = [lf(file.texts.before), lf(file.texts.after)];
  if (file.change === 'create') return { oldString: '', newString: file.texts.after };
  const asked = editArgs.parse(args);
  if (resultOf(before, lf(asked.oldString), lf(asked.newString), asked.replaceAll) === after) return undefined;
  const { oldText, newText } = exactReplacement(before, after);
  return { oldString: oldText, newString: newText, replaceAll: false };
}

/** Returns the text after an exact replacement; undefined where opencode would match loosely or read signs in the new text. */
function resultOf(text: string, oldText: string, newText: string, all: boolean): string | undefined {
  const parts = oldText === '' ? [] : text.split(oldText);
  const isExact = all ? parts.length >= 2 && !newText.includes('$') : parts.length === 2 && isOnce(text, oldText);
  return isExact ? parts.join(newText) : undefined;
}

/** Returns whether a text occurs once, also when its occurrences would overlap. */
function isOnce(text: string, part: string): boolean {
  return text.indexOf(part) === text.lastIndexOf(part);
}

function lf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function output(answer: object): HookOutput {
  return { stdout: JSON.stringify(answer), exitCode: 0 };
}
