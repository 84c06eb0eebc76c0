import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { opencodeHook } from '#connect/hooks/opencode.ts';
import { nativeEdit } from '#tools/edit/nativeEdit.ts';
import { ProposeRun } from './proposeRun.ts';
import { editIn } from '../../connect/hooks/editIn.ts';

/** Files before, inputs of the hook, and files after, from runs of the real opencode. */
const recorded = z.object({
  files: z.record(z.string(), z.string()),
  hooks: z.array(z.looseObject({ event: z.string() })),
  after: z.record(z.string(), z.string()),
});

/** The cases in which the proposal differs from the edit of opencode, each with the reason. */
const differences: Readonly<Record<string, string>> = {
  editTabsForBlanks: 'no_match: only an exact match is shown',
  patchCurlyQuotes: 'no_match: only an exact match is shown',
  editReplaceAllDollars: 'opencode reads signs in the new text; its input is rewritten',
  editMixedLineEnds: 'the line ends of other lines stay; the window applies it',
  editEmptyFile: 'opencode refuses it; the window applies it',
  editUtf16: 'opencode takes the text for UTF-8; the window applies it',
  editFormatted: 'a formatter changes the text after opencode has written it',
  editLink: 'the fake files have no links',
  patchCrlf: 'new lines get the line ends of the file; the input is rewritten',
  patchNoFinalNewline: 'the text gets no line end at its end; the window applies it',
};

describe('an edit of opencode, as recorded', () => {
  // Commands of a shell do not come to the hook of edits.
  const files = globSync('test/bridge/hook/recorded/opencode/*.json').filter(
    (file) => !/(?:bash|command\w*)\.json$/.test(file),
  );

  it('covers many cases', () => {
    expect(files.length).toBeGreaterThan(25);
  });

  it.each(files.map((file) => [basename(file, '.json'), file]))(
    '%s gives the text that opencode wrote',
    async (name, file) => {
      const text = readFileSync(file, 'utf8')
        .replaceAll('/project', '/w')
        .replaceAll(/\\ufeff|\uFEFF/gi, '');
      const { files: before, hooks, after } = recorded.parse(JSON.parse(text));
      const run = new ProposeRun(
        Object.fromEntries(Object.entries(before).map(([path, content]) => [`/w/${path}`, content])),
      );
      run.files.folders.add('/w');
      for (const hook of hooks) {
        const call = opencodeHook.recognises(hook, '') ? editIn(opencodeHook.read(hook, '')) : undefined;
        if (call?.event !== 'before') continue;
        const input = { tool: call.tool, edits: call.edits };
        const changes = await run.propose(nativeEdit, input).then(
          ({ files: proposed }) => proposed,
          (error: unknown) => {
            expect(error).toBeInstanceOf(ToolError);
            return [];
          },
        );
        for (const change of changes) {
          const { nodes } = run.files;
          if (change.kind === 'edit' || change.kind === 'create') nodes.set(change.path.realPath, change.result.text);
          if (change.kind === 'move') nodes.set(change.to.realPath, nodes.get(change.path.realPath) ?? '');
          if (change.kind === 'move' || change.kind === 'delete') nodes.delete(change.path.realPath);
        }
      }
      const now = Object.fromEntries(Object.keys(after).map((path) => [path, run.files.nodes.get(`/w/${path}`)]));
      if (name in differences) expect(now).not.toEqual(after);
      else expect(now).toEqual(after);
    },
  );
});
