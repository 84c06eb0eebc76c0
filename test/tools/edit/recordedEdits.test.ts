import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { claudeCodeHook } from '#connect/hooks/claudeCode.ts';
import { nativeEdit } from '#tools/edit/nativeEdit.ts';
import { ProposeRun } from './proposeRun.ts';

/** Files before, inputs of hooks, and files after, from runs of the real Claude Code. */
const recorded = z.object({
  files: z.record(z.string(), z.string()),
  hooks: z.array(z.looseObject({ hook_event_name: z.string() })),
  after: z.record(z.string(), z.string()),
});

/** The cases in which the proposal differs from the edit of Claude Code, each with the reason. */
const differences: Readonly<Record<string, string>> = {
  editCurlyQuotes: 'no_match: only an exact match is shown',
  editMixedLineEnds: 'the line ends of other lines stay; the window applies it',
  notebookInsert: 'the id of a new cell is random; the window applies it',
};

describe('an edit of Claude Code, as recorded', () => {
  // Commands of a shell do not come to the hook of edits.
  const files = globSync('test/bridge/hook/recorded/claudeCode/*.json').filter((file) => !file.endsWith('bash.json'));

  it('covers many cases', () => {
    expect(files.length).toBeGreaterThan(20);
  });

  it.each(files.map((file) => [basename(file, '.json'), file]))(
    '%s gives the text that Claude Code wrote',
    async (name, file) => {
      const text = readFileSync(file, 'utf8').replaceAll('/project', '/w');
      const { files: before, hooks, after } = recorded.parse(JSON.parse(text));
      const run = new ProposeRun(
        Object.fromEntries(Object.entries(before).map(([path, content]) => [`/w/${path}`, content])),
      );
      run.files.folders.add('/w');
      let isDifferent = false;
      for (const hook of hooks) {
        const call = claudeCodeHook.recognises(hook, '') ? claudeCodeHook.read(hook, '') : undefined;
        if (call?.event !== 'before') continue;
        const input = { tool: call.tool, edits: call.edits };
        const { files: changes } = await run.propose(nativeEdit, input).catch((error: unknown) => {
          expect(Object.keys(differences)).toContain(name);
          expect(error).toBeInstanceOf(Error);
          return { files: [] };
        });
        if (changes.length === 0) isDifferent = true;
        for (const change of changes) {
          if (change.kind === 'edit' || change.kind === 'create')
            run.files.nodes.set(change.path.realPath, change.result.text);
        }
      }
      const now = Object.fromEntries(Object.keys(after).map((path) => [path, run.files.nodes.get(`/w/${path}`)]));
      if (name in differences) expect(isDifferent || JSON.stringify(now) !== JSON.stringify(after)).toBe(true);
      else expect(now).toEqual(after);
    },
  );
});
