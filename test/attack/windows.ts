/**
 * Attacks that need a window of their own: several folders, a folder that is not trusted, another state folder. Rows A21, P18, P23
 * and P27 of `docs/threats.md`.
 */
import { existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Assistant } from '../e2e/assistant.ts';
import { startDrawbridge, tempWorkspace, type Drawbridge } from '../e2e/harness.ts';
import { until } from '../host/until.ts';
import { installed, install } from './controls.ts';
import { ForgedPage } from './page.ts';
import { tryReading } from './paths.ts';
import {
  allowEdits,
  answerOf,
  attackSettings,
  connectAttacker,
  endOf,
  loot,
  put,
  targetOf,
  useRules,
  type Attack,
  type Target,
  type Tries,
} from './target.ts';

/** Opens a window with several folders beside the window under attack, attacks it, and closes it. */
async function inFolders(
  { drawbridge }: Target,
  files: Readonly<Record<string, string>>,
  folders: readonly string[],
  attack: (target: Target, root: string) => Promise<void>,
): Promise<void> {
  const workspace = JSON.stringify({ folders: folders.map((path) => ({ path })) });
  const root = tempWorkspace({ ...files, 'all.code-workspace': workspace }, `roots-${(roots += 1)}`);
  const window = await drawbridge.host.openWindow({ workspace: join(root, 'all.code-workspace') });
  try {
    const record: Drawbridge['record'] = (which = window) => drawbridge.record(which);
    // The editor may tell an extension of its folders after it has activated it.
    await until(async () => (await record()).folders.length === folders.length, 'all folders');
    await attack(await targetOf({ ...drawbridge, window, record, folder: join(root, folders[0] ?? '') }), root);
  } finally {
    await window.close();
  }
}
let roots = 0;

const p18: Attack = {
  id: 'P18',
  name: 'reads or changes a file of a folder that has left the window',
  // The folders that the window knows stay as they were when it opened.
  control: [
    {
      file: 'src/editor/workspace.ts',
      find: '    folders = readFolders();\n    changed.fire();',
      replace: '    changed.fire();',
    },
  ],
  run: (target, tries) =>
    inFolders(
      target,
      { 'alpha/a.txt': 'one\n', 'beta/b.txt': 'one\n', 'beta/loot.txt': `${loot}\n` },
      ['alpha', 'beta'],
      (own, root) => leaveFolder(own, root, tries),
    ),
};

async function leaveFolder(target: Target, root: string, tries: Tries): Promise<void> {
  const { window } = target.drawbridge;
  const beta = join(root, 'beta');
  const assistant = await connectAttacker(target);
  if (!(await answerOf(assistant, 'read_file', { path: 'beta/loot.txt' })).includes(loot)) {
    throw new Error('The folder is not open.');
  }
  const page = await ForgedPage.open(target);
  const change = { edits: [{ path: 'beta/b.txt', oldText: 'one', newText: 'two' }] };
  const pending = await assistant.change('apply_edit', change);
  const approve = { type: 'approve', id: pending.approvalId, proposalHash: await page.hashOf(pending.approvalId) };
  await page.show(pending.approvalId);
  await window.evaluate(
    (vscode) =>
      new Promise<void>((resolve) => {
        vscode.workspace.onDidChangeWorkspaceFolders(() => resolve());
        vscode.workspace.updateWorkspaceFolders(1, 1);
      }),
  );
  const isApplied = (): boolean => readFileSync(join(beta, 'b.txt'), 'utf8') !== 'one\n';
  tries.add('an approval that was shown before', await page.repeat(isApplied, approve));
  const addresses = ['beta/loot.txt', 'loot.txt', '../beta/loot.txt', join(beta, 'loot.txt')];
  for (const path of [...addresses, pathToFileURL(join(beta, 'loot.txt')).href]) {
    await tryReading(assistant, path, tries);
  }
  await useRules(target, [allowEdits]);
  for (const path of ['beta/new.txt', '../beta/new.txt', join(beta, 'new.txt')]) {
    await answerOf(assistant, 'create_file', { path, content: 'planted\n' });
    tries.add(`create_file ${path}`, existsSync(join(beta, 'new.txt')));
  }
  await assistant.close();
}

const p27: Attack = {
  id: 'P27',
  name: 'changes a file by a rule of the user that is for the same path in another folder',
  run: (target, tries) =>
    inFolders(
      target,
      { 'alpha/inner/x.txt': 'one\n', 'beta/x.txt': 'one\n' },
      ['alpha', 'beta', 'alpha/inner'],
      (own) => useRuleElsewhere(own, tries),
    ),
};

async function useRuleElsewhere(target: Target, tries: Tries): Promise<void> {
  const { folder } = target;
  const places: Readonly<Record<string, string>> = {
    alpha: folder,
    beta: join(folder, '../beta'),
    inner: join(folder, 'inner'),
  };
  for (const [name, place] of Object.entries(places)) {
    // An editor may still hold the text that a file had before, so that each rule has a file of its own.
    const [named, own] = [`named-${name}.txt`, `own-${name}.txt`];
    for (const [file, rule] of [
      [named, { paths: [`folder:${name}:${named}`] }],
      [own, { paths: [`./${own}`], folder: { uri: pathToFileURL(place).href, realPath: place } }],
    ] as const) {
      for (const each of Object.values(places)) put({ ...target, folder: each }, { [file]: 'one\n' });
      await useRules(target, [{ id: 'r-one', effect: 'allow', class: 'edit', ...rule }]);
      const assistant = await connectAttacker(target);
      const edit = (path: string): Promise<string> =>
        endOf(assistant, 'apply_edit', { edits: [{ path, oldText: 'one', newText: 'two' }] });
      for (const [other, there] of Object.entries(places)) {
        if (other === name) continue;
        for (const path of [`${other}/${file}`, join(there, file), `${name}/../${other}/${file}`]) {
          const end = await edit(path);
          tries.add(`${path} by a rule for ${name}: ${end}`, end === 'applied');
        }
      }
      const end = await edit(join(place, file));
      if (end !== 'applied') throw new Error(`The rule for ${file} in ${name} allows nothing: ${end}`);
      await assistant.close();
    }
  }
}

/** The calls that do more than read one file or list a folder. */
const beyondReading: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] = [
  ['search_code', { query: 'secretly' }],
  ['find_files', { query: 'a' }],
  ['apply_edit', { edits: [{ path: 'a.ts', oldText: 'one', newText: 'two' }] }],
  ['create_file', { path: 'new.ts', content: 'x\n' }],
  ['delete_file', { path: 'a.ts' }],
  ['move_file', { path: 'a.ts', to: 'b.ts' }],
  ['list_changes', {}],
  ['revert_change', { approvalId: 'a-1' }],
  ['get_diagnostics', { paths: ['a.ts'] }],
  ['find_symbols', { query: 'one' }],
  ['get_outline', { paths: ['a.ts'] }],
  ['get_symbol', { path: 'a.ts', symbol: 'one' }],
  ['find_references', { path: 'a.ts', symbol: 'one' }],
  ['get_call_hierarchy', { path: 'a.ts', symbol: 'one' }],
  ['get_type_hierarchy', { path: 'a.ts', symbol: 'one' }],
  ['rename_symbol', { path: 'a.ts', symbol: 'one', newName: 'two' }],
  ['edit_symbol', { path: 'a.ts', symbol: 'one', operation: 'delete' }],
  ['list_code_actions', { path: 'a.ts', firstLine: 1 }],
  ['apply_code_action', { id: 'a-1' }],
  ['format_files', { paths: ['a.ts'] }],
  ['open_file', { path: 'a.ts' }],
  ['save_files', {}],
  ['close_editors', {}],
  ['mark_lines', { marks: [{ path: 'a.ts', firstLine: 1, note: 'here' }] }],
  ['list_commands', { query: 'format' }],
  ['run_command', { command: 'workbench.action.files.saveAll' }],
  ['get_language_details', { kind: 'folding_ranges', path: 'a.ts' }],
];

const allToolsets = Object.fromEntries(
  ['workspace', 'edit', 'language', 'editor', 'commands', 'language_more'].map((name) => [name, true]),
);

const a21: Attack = {
  id: 'A21',
  name: 'works in a folder that the user does not trust',
  async run({ drawbridge: { host } }, tries) {
    const own = await startDrawbridge({
      files: { 'a.ts': 'export const one = 1;\n', '.vscode/settings.json': '{"drawbridge.start":"always"}\n' },
      settings: { ...attackSettings, 'drawbridge.toolsets': allToolsets },
      trusted: false,
    });
    try {
      // The build of the window under attack, which may be one without this defence.
      await install(own, installed(host));
      // It comes after any start of its own in the queue of starts and stops.
      await own.window.command('drawbridge.stop');
      tries.add('the server starts by itself', existsSync(join(own.host.home, 'audit')));
      await own.window.command('drawbridge.start');
      const target = await targetOf({ ...own, folder: own.folder ?? '' });
      if (target.record.trusted) throw new Error('The folder is trusted.');
      const assistant = await connectAttacker(target);
      if (!(await answerOf(assistant, 'read_file', { path: 'a.ts' })).includes('one')) {
        throw new Error('The assistant reads nothing.');
      }
      await tryBeyondReading(assistant, tries);
      await assistant.close();
    } finally {
      await own.stop();
    }
  },
};

async function tryBeyondReading(assistant: Assistant, tries: Tries): Promise<void> {
  for (const [tool, args] of beyondReading) {
    const answer = await answerOf(assistant, tool, args);
    const isRefused = answer.includes('[not_trusted]');
    if (!isRefused && /\[(?:invalid_arguments|not_found|unavailable)\]/.test(answer)) {
      throw new Error(`${tool} was not tried: ${answer}`);
    }
    tries.add(`${tool}: ${answer.slice(0, 200)}`, !isRefused);
  }
}

/** Another user of this machine. */
const nobody = 65_534;

const p23: Attack = {
  id: 'P23',
  name: 'has the state of this user written to a place that another user chose',
  needsRoot: true,
  async run(target, tries) {
    const { drawbridge } = target;
    const { window } = drawbridge;
    const { home } = drawbridge.host;
    const [away, planted] = [`${home}-away`, join(target.outside, 'planted')];
    const places: Readonly<Record<string, () => void>> = {
      'a link to a folder of this user': () => {
        mkdirSync(planted, { mode: 0o755 });
        symlinkSync(planted, home);
        lchownSync(home, nobody, nobody);
      },
      'a link to a folder of another user': () => {
        mkdirSync(planted, { mode: 0o777 });
        lchownSync(planted, nobody, nobody);
        symlinkSync(planted, home);
      },
      'a folder of another user': () => {
        mkdirSync(home, { mode: 0o777 });
        lchownSync(home, nobody, nobody);
      },
    };
    await window.command('drawbridge.stop');
    for (const [what, plant] of Object.entries(places)) {
      renameSync(home, away);
      plant();
      try {
        await window.reload();
        const told = await window.command('drawbridge.start').then(() => 'started', String);
        const written = readdirSync(home);
        tries.add(`${what}: ${told}: ${written.join()}`, written.length > 0);
        if (written.length === 0 && !told.includes('another user')) throw new Error(`Nobody tried: ${told}`);
      } finally {
        rmSync(home, { recursive: true, force: true });
        rmSync(planted, { recursive: true, force: true });
        renameSync(away, home);
      }
    }
    await window.reload();
    await drawbridge.record();
  },
};

export const windowAttacks: readonly Attack[] = [a21, p18, p23, p27];
