import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { FileChange } from '#base/proposal.ts';
import { claudeCodeHook } from '#connect/hooks/claudeCode.ts';
import { codexHook } from '#connect/hooks/codex.ts';
import type { HookAdapter } from '#connect/hooks/hookAdapter.ts';
import { nativeEdit } from '#tools/edit/nativeEdit.ts';
import { ProposeRun } from './proposeRun.ts';
import { editIn } from '../../connect/hooks/editIn.ts';

/** Files before, inputs of hooks, and files after, from runs of a real assistant. */
const recorded = z.object({
  files: z.record(z.string(), z.string()),
  hooks: z.array(z.looseObject({ hook_event_name: z.string() })),
  after: z.record(z.string(), z.string()),
});

interface RecordedAssistant {
  readonly adapter: HookAdapter;
  /** The folder of its recordings. */
  readonly folder: string;
  readonly least: number;
  /** Recordings of something else: commands of a shell, and edits that our hook answered. */
  readonly others: RegExp;
  /** The cases in which the proposal differs from the edit of the assistant, each with the reason. */
  readonly differences: Readonly<Record<string, string>>;
}

const assistants: readonly RecordedAssistant[] = [
  {
    adapter: claudeCodeHook,
    folder: 'claudeCode',
    least: 20,
    others: /^(?:bash|command.*)$/,
    differences: {
      editCurlyQuotes: 'no_match: only an exact match is shown',
      editMixedLineEnds: 'the line ends of other lines stay; the window applies it',
      editPlan: 'in plan mode Claude Code writes nothing without a terminal; the user is asked all the same',
      notebookInsert: 'the id of a new cell is random; the window applies it',
    },
  },
  {
    adapter: codexHook,
    folder: 'codex',
    least: 25,
    others: /^(?:bash|command.*|patchInShell|question|exact.*)$/,
    differences: {
      updateCurlyQuotes: 'no_match: only an exact match is shown',
      updateTabsForBlanks: 'no_match: only an exact match is shown',
      updateTrailingBlanks: 'no_match: only an exact match is shown',
      updateTwoMatches: 'ambiguous_match: Codex takes the first place',
      updateOnlyAdds: 'ambiguous_match: Codex adds lines without context at the end of the file',
      updateMixedLineEnds: 'a new line gets the line end of its neighbour; the window applies it',
      updateNoFinalNewline: 'a missing final line end stays missing; the window applies it',
      noSuchText: 'no_match: Codex refuses it too',
    },
  },
];

describe.each(assistants.map((each) => [each.adapter.assistant, each] as const))(
  'an edit of %s, as recorded',
  (_, { adapter, folder, least, others, differences }) => {
    const files = globSync(`test/bridge/hook/recorded/${folder}/*.json`).filter(
      (file) => !others.test(basename(file, '.json')),
    );

    it('covers many cases', () => {
      expect(files.length).toBeGreaterThan(least);
    });

    it.each(files.map((file) => [basename(file, '.json'), file]))(
      '%s gives the text that it wrote',
      async (name, file) => {
        const text = readFileSync(file, 'utf8').replaceAll('/project', '/w');
        const { files: before, hooks, after } = recorded.parse(JSON.parse(text));
        const run = new ProposeRun(
          Object.fromEntries(Object.entries(before).map(([path, content]) => [`/w/${path}`, content])),
        );
        run.files.folders.add('/w');
        let isDifferent = false;
        for (const hook of hooks) {
          const call = adapter.recognises(hook, '') ? editIn(adapter.read(hook, '')) : undefined;
          if (call?.event !== 'before') continue;
          const input = { tool: call.tool, edits: call.edits };
          const { files: changes } = await run.propose(nativeEdit, input).catch((error: unknown) => {
            expect(Object.keys(differences)).toContain(name);
            expect(error).toBeInstanceOf(Error);
            return { files: [] };
          });
          if (changes.length === 0) isDifferent = true;
          for (const change of changes) make(change, run);
        }
        const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
        const now = Object.fromEntries(
          [...paths].flatMap((path) => {
            const node = run.files.nodes.get(`/w/${path}`);
            return node === undefined ? [] : [[path, node]];
          }),
        );
        if (name in differences) expect(isDifferent || JSON.stringify(now) !== JSON.stringify(after)).toBe(true);
        else expect(now).toEqual(after);
      },
    );
  },
);

function make(change: FileChange, { files: { nodes } }: ProposeRun): void {
  if (change.kind === 'edit' || change.kind === 'create') nodes.set(change.path.realPath, change.result.text);
  if (change.kind === 'move') nodes.set(change.to.realPath, nodes.get(change.path.realPath) ?? '');
  if (change.kind === 'move' || change.kind === 'delete') nodes.delete(change.path.realPath);
}
