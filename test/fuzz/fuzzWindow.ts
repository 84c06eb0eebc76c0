import { Emitter } from '#base/event.ts';
import type { FoundFile } from '#base/files.ts';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { profileFor } from '#call/resultProfile.ts';
import { shippedLimits } from '#changes/queue.ts';
import { createProduct } from '#main/product.ts';
import { startServer } from '#mcp/server.ts';
import type { Mode } from '#policy/rules.ts';
import type { FileQuery, TextQuery } from '#search/search.ts';
import { openDayWindow } from '../bench/dayWindow.ts';
import { seededRandom } from '../bench/sourceText.ts';
import { FakeCommands } from '../fakes/commands.ts';
import { FakeEditorActions } from '../fakes/editorActions.ts';
import { FakeEditors } from '../fakes/editors.ts';
import { pipe } from '../fakes/files.ts';
import { FakeRefactorings, languageEdits, replacing } from '../fakes/refactorings.ts';
import { FakeSearch } from '../fakes/search.ts';
import { serverOptions } from '../fakes/serverOptions.ts';
import { folderAt } from '../fakes/workspace.ts';
import { temporaryFolder } from '../mcp/fixture.ts';
import { wrongInputsTree } from '../tools/edit/wrongInputs.ts';
import { CheckedEdits } from './checkedEdits.ts';
import { clientName } from './client.ts';
import { ScriptedUser } from './scriptedUser.ts';

const root = '/w';
const cart = Array.from({ length: 40 }, (_, line) => `export const cart${line} = ${line};\n`).join('');
const texts = new Map<string, string>([
  ...Object.entries(wrongInputsTree).flatMap(([path, text]) =>
    typeof text === 'string' ? [[path, text] as const] : [],
  ),
  ['src/cart.ts', cart],
  ['big.txt', `${'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.repeat(20)}\n`.repeat(20)],
]);

/** Searches with a regular expression only where it is plain text: a hostile one would stop the engine of JavaScript. */
class PlainSearch extends FakeSearch {
  override text(...[query, signal]: Parameters<FakeSearch['text']>): ReturnType<FakeSearch['text']> {
    return super.text(plain(query), signal);
  }

  override inText(...[query, ...others]: Parameters<FakeSearch['inText']>): ReturnType<FakeSearch['inText']> {
    return super.inText(plain(query), ...others);
  }

  override files(...[query, signal]: Parameters<FakeSearch['files']>): ReturnType<FakeSearch['files']> {
    return super.files(anyFile(query), signal);
  }
}

function plain(query: TextQuery): TextQuery {
  if (query.isRegex && !/^[\w .]*$/.test(query.pattern)) {
    throw new InvalidArgumentsError('query is not a valid regular expression.');
  }
  return anyFile(query);
}

/** Leaves out the globs, which ripgrep would match in linear time and the fake would not. */
function anyFile<Query extends FileQuery>(query: Query): Query {
  return { ...query, include: [], exclude: [] };
}

/** Returns the ports that give the tools something to work on. */
function portsOf() {
  const commands = new FakeCommands();
  commands.commands = [{ id: 'toy.run', title: 'Run', extension: 'toy' }];
  commands.allowed = ['toy.run'];
  const refactorings = new FakeRefactorings();
  refactorings.edits = languageEdits([replacing(`file://${root}/a.ts`, 'a\n', 'a', 'renamed')]);
  const editors = new FakeEditors();
  editors.setOpen({ ...found('a.ts'), isActive: true, isDirty: false });
  return { commands, refactorings, editors, editorActions: new FakeEditorActions(), search: new PlainSearch() };
}

export type FuzzWindow = Awaited<ReturnType<typeof openFuzzWindow>>;

/** Starts the shipped server over a window in memory whose user decides by chance. */
export async function openFuzzWindow(seed: number) {
  const ports = portsOf();
  const edited: CheckedEdits[] = [];
  const window = openDayWindow(texts, 'manual', {
    profileOf: (name, revision) =>
      profileFor(
        name === undefined ? undefined : { name, version: '1' },
        { [clientName]: { approvalSeconds: 1 } },
        revision,
      ),
    readBytes: 65_536,
    ports,
    others: {
      [`${root}/bin`]: new Uint8Array([0, 1, 2]),
      [`${root}/pipe`]: pipe,
      [`${root}/out`]: { link: '/outside' },
      [`${root}/dead`]: { link: 'nowhere' },
      '/outside/x': 'x\n',
    },
    editsOf(shared) {
      const edits = new CheckedEdits(shared, () => window.queue);
      edited.push(edits);
      return edits;
    },
  });
  const { core, queue, clock, policy, auditLog, history } = window;
  const [edits] = edited;
  if (edits === undefined) throw new Error('The window has no edits.');
  const user = new ScriptedUser(queue, edits, clock, seededRandom(seed));
  const never = new Emitter<void>().event;
  const errors: unknown[] = [];
  const server = await startServer({
    ...serverOptions(
      createProduct('0.0.0', core, { onDidChangeResources: never, onDidChangeProfiles: never }),
      await temporaryFolder(),
    ),
    onError: (error) => void errors.push(error),
  });
  return {
    server,
    queue,
    edits,
    user,
    policy,
    auditLog,
    /** Unexpected errors: of the server, of actions, of the script of the user. */
    errorsOf: (): readonly unknown[] => [...errors, ...window.bugs, ...user.errors],
    /** Begins with the files as they were at first: nothing waits, and nothing is remembered of what came before. */
    async startAgain(mode: Mode): Promise<void> {
      await user.rested();
      clock.advance(shippedLimits.expiryMilliseconds);
      await queue.settled();
      edits.reset(new Map([...texts].map(([path, text]) => [`${root}/${path}`, text])));
      policy.currentMode = mode;
      // The fakes remember every call, for tests that ask them.
      const { search, refactorings, commands, editorActions } = ports;
      const logs = [search.queries, refactorings.asked, commands.ran, editorActions.shown, window.files.reads];
      for (const log of [...logs, auditLog.calls, auditLog.events, edits.writes, policy.decided]) log.length = 0;
      edits.clicks.clear();
      edits.written.clear();
      history.contents.clear();
      history.kept.clear();
      queue.forgetFinished();
      search.entries.length = 0;
      for (const [path, text] of texts) search.add(found(path), text);
    },
  };
}

function found(path: string): FoundFile {
  return { path, uri: `file://${root}/${path}`, fsPath: `${root}/${path}`, folder: folderAt(root) };
}
