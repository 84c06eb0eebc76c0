import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { NativeCall } from '#base/nativeEdit.ts';
import type { FileChange } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { claudeCodeHook } from '#connect/hooks/claudeCode.ts';
import { copilotHook } from '#connect/hooks/copilot.ts';
import { geminiHook } from '#connect/hooks/gemini.ts';
import type { HookAdapter } from '#connect/hooks/hookAdapter.ts';
import { nativeEdit } from '#tools/edit/nativeEdit.ts';
import type { FakeNode } from '../../fakes/files.ts';
import { ProposeRun } from './proposeRun.ts';
import { editIn } from '../../connect/hooks/editIn.ts';

const texts = z.record(z.string(), z.string());
const input = z.record(z.string(), z.unknown());

/** Files before, inputs of hooks, and files after, from runs of the real programs. */
const recorded = z.object({
  files: texts,
  link: z.tuple([z.string(), z.string()]).optional(),
  hooks: z.array(
    z.union([z.strictObject({ event: z.string(), input }), input.transform((given) => ({ event: '', input: given }))]),
  ),
  after: texts,
});
type Recording = z.infer<typeof recorded>;

/** The cases in which the proposal differs from the edit of the assistant, each with the reason. */
const differences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gemini: {
    replaceMixedLineEnds: 'the line ends of other lines stay; the window applies it',
    replaceTabsForBlanks: 'no_match: only an exact match is shown',
    replaceAddsFinalNewline: 'Gemini CLI keeps the end of the file; the window applies it',
    replaceDropsFinalNewline: 'Gemini CLI keeps the end of the file; the window applies it',
    replaceAllText: 'Gemini CLI keeps the end of the file; the window applies it',
    replaceEmptyFile: 'Gemini CLI refuses it; the window applies it',
    replaceElsewhere: 'Gemini CLI finds the file in another folder; only the named one is changed',
    writeAtSign: 'Gemini CLI leaves the sign out; the named file is created',
  },
  copilot: {
    editCurlyQuotes: 'no_match: only an exact match is shown',
    editTabsForBlanks: 'no_match: only an exact match is shown',
    createInNewFolder: 'Copilot refuses it; the window creates the folder',
    patchTrailingBlanks: 'no_match: only an exact match is shown',
  },
};

const adapters: Readonly<Record<string, HookAdapter>> = { gemini: geminiHook, copilot: copilotHook };

describe.each(Object.entries(adapters))('an edit of %s, as recorded', (assistant, adapter) => {
  const recordings = globSync(`test/bridge/hook/recorded/${assistant}/*.json`).map((file): [string, Recording] => {
    const text = readFileSync(file, 'utf8').replaceAll('/project', '/w');
    return [basename(file, '.json'), recorded.parse(JSON.parse(text))];
  });

  it('covers many cases, and leaves commands of a shell to others', () => {
    expect(recordings.length).toBeGreaterThan(25);
    for (const name of ['shell', 'bash']) {
      const shell = recordings.find(([each]) => each === name)?.[1];
      expect(shell?.hooks.flatMap((hook) => callIn(adapter, hook)) ?? []).toEqual([]);
    }
  });

  it('is recognised by no other adapter', () => {
    const others = [claudeCodeHook, ...Object.values(adapters)].filter((each) => each !== adapter);
    for (const [name, { hooks }] of recordings) {
      for (const hook of hooks) {
        const found = others.filter((each) => each.recognises(hook.input, hook.event));
        expect(found, name).toEqual([]);
      }
    }
  });

  const edits = recordings.filter(([name]) => !/^(?:shell|bash|command.*)$/.test(name));
  it.each(edits)('%s gives the text that the assistant wrote', async (name, { files, link, hooks, after }) => {
    const nodes = Object.entries(files).map(([path, text]) => [`/w/${path}`, text]);
    const run = new ProposeRun(Object.fromEntries(nodes));
    if (link !== undefined) run.files.nodes.set(`/w/${link[0]}`, { link: `/w/${link[1]}` });
    run.files.folders.add('/w');
    for (const call of hooks.flatMap((hook) => callIn(adapter, hook))) {
      if (call.event !== 'before') continue;
      const asked = { tool: call.tool, edits: call.edits };
      const changes = await run.propose(nativeEdit, asked).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ToolError);
        return { files: [] };
      });
      for (const change of changes.files) makeIn(run.files.nodes, change);
    }
    const found = [...run.files.nodes].filter(([, node]) => typeof node === 'string');
    const now = Object.fromEntries(found.map(([path, text]) => [path.replace('/w/', ''), text]));
    if (name in (differences[assistant] ?? {})) expect(now).not.toEqual(after);
    else expect(now).toEqual(after);
  });
});

function makeIn(nodes: Map<string, FakeNode>, change: FileChange): void {
  const { realPath } = change.path;
  if (change.kind === 'edit' || change.kind === 'create') nodes.set(realPath, change.result.text);
  if (change.kind === 'move') nodes.set(change.to.realPath, nodes.get(realPath) ?? '');
  if (change.kind === 'move' || change.kind === 'delete') nodes.delete(realPath);
}

function callIn(adapter: HookAdapter, { event, input: given }: Recording['hooks'][number]): readonly NativeCall[] {
  const call = adapter.recognises(given, event) ? editIn(adapter.read(given, event)) : undefined;
  return call === undefined ? [] : [call];
}
