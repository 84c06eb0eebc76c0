/** Attacks on paths and files: the rows P of `docs/threats.md`. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Assistant } from '../e2e/assistant.ts';
import { setMode } from '../e2e/quickPick.ts';
import { png } from '../tools/workspace/png.ts';
import {
  allowEdits,
  answerOf,
  connectAttacker,
  endOf,
  loot,
  put,
  useRules,
  type Attack,
  type Line,
  type Target,
  type Tries,
} from './target.ts';

/** The milliseconds after which a read counts as one that hangs. */
const hangs = 60_000;

/** Reads an address by every tool that reads; an answer with the loot in it is a success. */
export async function tryReading(assistant: Assistant, address: string, tries: Tries): Promise<void> {
  const resource = async (): Promise<string> => {
    try {
      return JSON.stringify(await assistant.client.readResource({ uri: address }));
    } catch (error) {
      return String(error);
    }
  };
  const answers = await Promise.all([
    answerOf(assistant, 'read_file', { path: address }),
    answerOf(assistant, 'read_files', { files: [{ path: address }] }),
    answerOf(assistant, 'search_code', { query: 'l[o]ot-4711', isRegex: true, path: address }),
    resource(),
  ]);
  // The name of the file may be in the address, its text is not.
  for (const answer of answers) tries.add(`reading ${address}: ${answer.slice(0, 200)}`, answer.includes(loot));
}

/** Returns the ends of proposals; a status other than `applied` changed nothing. */
async function tryWriting(
  assistant: Assistant,
  [tool, args]: readonly [tool: string, args: Readonly<Record<string, unknown>>],
  tries: Tries,
  isReached: (end: string) => boolean,
): Promise<void> {
  const end = await endOf(assistant, tool, args);
  tries.add(`${tool} ${JSON.stringify(args).slice(0, 80)}: ${end}`, isReached(end));
}

/** Arguments of `apply_edit` for a file that holds "one". */
const edit = (path: string, newText: string) => ({ edits: [{ path, oldText: 'one', newText }] });

/** Lets real paths outside of the workspace pass: what stands behind the checks of the address itself. */
const letsRealPathsOut: readonly Line[] = [
  {
    file: 'src/call/resolve.ts',
    find: 'if (folderContaining(path.realPath, folders) === undefined) throw leadsOut(path);',
    replace: '',
  },
  {
    file: 'src/call/resolve.ts',
    find: 'if (place === undefined) throw leadsOut(path);',
    replace: 'if (place === undefined) return path;',
  },
  {
    file: 'src/policy/refusals.ts',
    find: 'if (folderContaining(place.realPath, workspace.folders()) === undefined) {',
    replace: 'if (place.realPath === undefined) {',
  },
];

/** Lets the ports of a call look at any path: the second look that the gate of the ports takes. */
const letsPortsLook: readonly Line[] = [
  { file: 'src/call/gate.ts', find: 'parseAddress(fsPath, workspace.folders());', replace: '' },
  {
    file: 'src/call/gate.ts',
    find: 'const location = await files.locate(fsPath, purpose);',
    replace: 'const location = await files.locate(fsPath, purpose); if (location !== undefined) return location;',
  },
];

/** Keeps a write although the file at its path is another one afterwards. */
const keepsWhatWasWritten: Line = {
  file: 'src/files/checkedWrite.ts',
  find: 'if (now === undefined || !isSameFile(identityOf(now), identity)) {',
  replace: 'if (now === undefined) {',
};

/** Runs while the window is in the mode Accept edits. */
async function inAcceptEdits({ drawbridge: { window } }: Target, run: () => Promise<void>): Promise<void> {
  await setMode(window, 'Accept edits');
  try {
    await run();
  } finally {
    await setMode(window, 'Manual');
  }
}

const p1: Attack = {
  id: 'P1',
  name: 'reads a folder beside the workspace whose name begins alike',
  isQuick: true,
  async run(target, tries) {
    const { folder } = target;
    const beside = `${folder}-evil`;
    mkdirSync(beside, { recursive: true });
    writeFileSync(join(beside, 'loot.txt'), `${loot}\n`);
    symlinkSync(beside, join(folder, 'evil'));
    symlinkSync(join(beside, 'loot.txt'), join(folder, 'evil.txt'));
    const assistant = await connectAttacker(target);
    const name = basename(beside);
    for (const address of [
      join(beside, 'loot.txt'),
      pathToFileURL(join(beside, 'loot.txt')).href,
      `../${name}/loot.txt`,
      `${folder}-evil/loot.txt`,
      `${folder}/../${name}/loot.txt`,
      'evil/loot.txt',
      'evil',
      'evil.txt',
      join(folder, 'evil/loot.txt'),
    ]) {
      await tryReading(assistant, address, tries);
    }
    await assistant.close();
  },
};

/** Returns spellings of a path that leads out of the workspace. */
function spellings({ folder, outside }: Target): readonly string[] {
  const file = join(outside, 'loot.txt');
  const up = '../outside/loot.txt';
  const url = pathToFileURL(folder).href;
  const encoded = [
    '%2e%2e/outside/loot.txt',
    '%2E%2E%2Foutside%2Floot.txt',
    '..%2foutside%2floot.txt',
    '..%5coutside%5cloot.txt',
    '%252e%252e/outside/loot.txt',
    '..%252foutside/loot.txt',
    '..%c0%afoutside/loot.txt',
    '.%2e/outside/loot.txt',
    'src/%2e%2e/%2e%2e/outside/loot.txt',
  ];
  return [
    up,
    `./${up}`,
    `.//${up}`,
    `src/../${up}`,
    `src//..//${up}`,
    `src/./.././${up}`,
    `none/../${up}`,
    `src/../../outside/./loot.txt`,
    `${up}/`,
    `${up}/.`,
    '..\\outside\\loot.txt',
    'src\\..\\..\\outside\\loot.txt',
    '..\\/outside/loot.txt',
    '.. /outside/loot.txt',
    '..;/outside/loot.txt',
    '...//outside/loot.txt',
    '．．/outside/loot.txt',
    '‥/outside/loot.txt',
    '..\u{200b}/outside/loot.txt',
    '..\0/outside/loot.txt',
    `${up}\0.txt`,
    ...encoded,
    ...encoded.map((each) => `${url}/${each}`),
    file,
    `/${file}`,
    `//${file}`,
    `${folder}/${up}`,
    `${folder}/src/../${up}`,
    `/proc/self/root${file}`,
    `/proc/self/cwd/${file}`,
    '~/../..' + file,
    `file://${file}`,
    `file:${file}`,
    `FILE://${file}`,
    `file://localhost${file}`,
    `file://127.0.0.1${file}`,
    `${url}/../outside/loot.txt`,
    `${url}/src/../../outside/loot.txt`,
    `vscode-remote://x${file}`,
    `\\\\?\\${file}`,
    `\\\\localhost${file.replaceAll('/', '\\')}`,
  ];
}

const p2: Attack = {
  id: 'P2',
  name: 'reads outside the workspace by dots, encoded dots or another spelling of a path',
  isQuick: true,
  control: [
    {
      file: 'src/policy/paths.ts',
      find: "if (normalised === '..' || normalised.startsWith('../')) return undefined;",
      replace: '',
    },
    {
      file: 'src/policy/unsafeNames.ts',
      find: "if (segment === '..' || segment === '.') return 'contains a backslash next to dots; write / between names';",
      replace: '',
    },
    {
      file: 'src/policy/unsafeNames.ts',
      find: 'if (/[. ]$/.test(segment)) return',
      replace: 'if (/ $/.test(segment)) return',
    },
    ...letsRealPathsOut,
    ...letsPortsLook,
  ],
  async run(target, tries) {
    put(target, { 'src/a.txt': 'one\n' });
    const assistant = await connectAttacker(target);
    for (const address of spellings(target)) await tryReading(assistant, address, tries);
    await assistant.close();
  },
};

const p3: Attack = {
  id: 'P3',
  name: 'reads a closed file, or one outside, through a link',
  isQuick: true,
  async run(target, tries) {
    const { folder, outside } = target;
    put(target, { '.env': `KEY=${loot}\n`, 'secrets/key.txt': `${loot}\n`, '.ssh/id_rsa': `${loot}\n` });
    const links = {
      'notes.txt': '.env',
      'absolute.txt': join(folder, '.env'),
      'again.txt': 'notes.txt',
      'roundabout.txt': `../${basename(folder)}/.env`,
      docs: 'secrets',
      keys: '.ssh',
      'out.txt': join(outside, 'loot.txt'),
      out: outside,
      up: '..',
      root: '/',
      self: '/proc/self/root',
    };
    for (const [name, to] of Object.entries(links)) symlinkSync(to, join(folder, name));
    const assistant = await connectAttacker(target);
    const names = Object.keys(links).filter((name) => name.endsWith('.txt'));
    const below = ['docs/key.txt', 'keys/id_rsa', 'out/loot.txt', 'up/outside/loot.txt', `root${outside}/loot.txt`];
    for (const address of [...names, ...below, `self${outside}/loot.txt`, '.']) {
      await tryReading(assistant, address, tries);
    }
    await assistant.close();
  },
};

const p4: Attack = {
  id: 'P4',
  isFresh: true,
  name: 'creates a file outside through a link that leads nowhere yet',
  async run(target, tries) {
    const { folder, outside } = target;
    // A rule allows by both paths of a file; the mode asks about none that lies in the folder by its name.
    await setMode(target.drawbridge.window, 'Accept edits');
    const assistant = await connectAttacker(target);
    for (const [name, to] of Object.entries({
      dead: 'new.txt',
      'dead.txt': 'new.txt',
      'deep/dead': 'new.txt',
      'dir/new.txt': '',
      'gone/new.txt': 'nodir',
    })) {
      const at = name.endsWith('/new.txt') ? dirname(name) : name;
      mkdirSync(dirname(join(folder, at)), { recursive: true });
      symlinkSync(join(outside, to), join(folder, at));
      put(target, { 'a.txt': 'one\n' });
      for (const [tool, args] of [
        ['create_file', { path: name, content: 'planted\n' }],
        ['create_file', { path: name, content: 'planted\n', overwrite: true }],
        ['move_file', { path: 'a.txt', to: name }],
      ] as const) {
        const end = await endOf(assistant, tool, args);
        const planted = [join(outside, 'new.txt'), join(outside, 'nodir')].some((path) => existsSync(path));
        tries.add(`${tool} ${name}: ${end}`, planted);
        rmSync(join(outside, 'new.txt'), { force: true });
        rmSync(join(outside, 'nodir'), { recursive: true, force: true });
      }
    }
    await assistant.close();
    await setMode(target.drawbridge.window, 'Manual');
  },
  control: [
    ...letsRealPathsOut,
    ...letsPortsLook,
    {
      file: 'src/tools/edit/editableText.ts',
      find: 'return path.linked ? resolve(path.realPath) : path;',
      replace: 'return path;',
    },
    {
      file: 'src/call/resolve.ts',
      find: 'if (path.dangling) {',
      replace: 'if (path.dangling && path.path === undefined) {',
    },
    {
      file: 'src/files/createAndMove.ts',
      find: "open(addressOf(entry), 'wx', mode === undefined ? 0o644 : 0o600);",
      replace: "open(addressOf(entry), 'w', mode === undefined ? 0o644 : 0o600);",
    },
  ],
};

const p5: Attack = {
  id: 'P5',
  isFresh: true,
  name: 'has a write land outside by swapping a folder for a link meanwhile',
  async run(target, tries) {
    const { folder, outside } = target;
    mkdirSync(join(outside, 'src'), { recursive: true });
    await useRules(target, [allowEdits]);
    const assistant = await connectAttacker(target);
    const [real, away] = [join(folder, 'src'), join(folder, '.away')];
    const link = join(folder, '.link');
    symlinkSync(join(outside, 'src'), link);
    let applied = 0;
    for (let round = 0; round < 50; round += 1) {
      const name = `a${round}.txt`;
      put(target, { [`src/${name}`]: 'one\n' });
      writeFileSync(join(outside, 'src', name), 'one\n');
      const written = new AbortController();
      // The folder is itself long enough for a proposal to be made, and the link stays long enough for a write.
      const swap = async (): Promise<void> => {
        while (!written.signal.aborted) {
          await sleep(10 + ((round * 7) % 50));
          renameSync(real, away);
          renameSync(link, real);
          await sleep((round * 5) % 40);
          renameSync(real, link);
          renameSync(away, real);
        }
      };
      const swapping = swap();
      const end =
        round % 2 === 0
          ? await endOf(assistant, 'apply_edit', edit(`src/${name}`, 'two'))
          : await endOf(assistant, 'create_file', { path: `src/new${round}.txt`, content: 'new\n' });
      if (end === 'applied') applied += 1;
      written.abort();
      await swapping;
      const isChanged = readFileSync(join(outside, 'src', name), 'utf8') !== 'one\n';
      tries.add(`round ${round} (${end})`, isChanged || existsSync(join(outside, 'src', `new${round}.txt`)));
    }
    if (applied === 0) throw new Error('No change was applied between the swaps, so that nothing was tried.');
    await assistant.close();
  },
  control: [
    {
      file: 'src/files/folder.ts',
      find: 'at: (name) => `${own}/${name}`,',
      replace: 'at: (name) => join(address, name),',
    },
    keepsWhatWasWritten,
    // The time between the check and the write, too short for these swaps, is made longer.
    {
      file: 'src/files/checkedWrite.ts',
      find: 'const owner = { user: current.uid, group: current.gid };',
      replace:
        'const owner = { user: current.uid, group: current.gid }; await new Promise((resolve) => setTimeout(resolve, 15));',
    },
  ],
};

const p6: Attack = {
  id: 'P6',
  name: 'names a closed file in other letter case',
  isQuick: true,
  async run(target, tries) {
    const names = [
      '.ENV',
      '.Env',
      '.eNv',
      'ID_RSA',
      'Id_Rsa',
      'SERVER.PEM',
      'server.Key',
      'Secrets/key.txt',
      '.SSH/config',
    ];
    put(target, Object.fromEntries(names.map((name) => [name, `${loot}\n`])));
    const assistant = await connectAttacker(target);
    for (const name of names) await tryReading(assistant, name, tries);
    await assistant.close();
  },
};

const p7: Attack = {
  id: 'P7',
  name: 'names a file by a name that means another one on Windows',
  async run(target, tries) {
    const names = [
      'SECRET~1.TXT',
      'ENV~1',
      'GIT~2',
      'a.txt:stream',
      '.env::$DATA',
      'a.txt.',
      'a.txt ',
      'aux',
      'CON',
      'com1',
      'LPT¹',
      'nul',
      'conin$',
      'src/PRN',
      'a\u{200b}.txt',
      'a\u{202e}txt',
    ];
    put(target, Object.fromEntries(names.map((name) => [name, `${loot}\n`])));
    const assistant = await connectAttacker(target);
    // A search finds such a file by itself, which names no path; only naming it is the attack.
    for (const path of names) {
      const answers = [
        await answerOf(assistant, 'read_file', { path }),
        await answerOf(assistant, 'read_files', { files: [{ path }] }),
        await answerOf(assistant, 'get_outline', { path }),
      ];
      for (const answer of answers) tries.add(`naming ${JSON.stringify(path)}`, answer.includes(loot));
    }
    await assistant.close();
  },
};

const p8: Attack = {
  id: 'P8',
  name: 'reads a file that a rule closes by another spelling of the same letters',
  async run(target, tries) {
    const names = [
      'caf\u{e9}',
      'cafe\u{301}',
      'CAF\u{c9}',
      'CAFE\u{301}',
      '\u{212b}',
      'A\u{30a}',
      '\u{e5}',
      'a\u{30a}',
    ];
    put(target, Object.fromEntries(names.map((name) => [`${name}/a.txt`, `${loot}\n`])));
    await useRules(target, [{ id: 'r-closed', effect: 'deny', class: 'read', paths: ['caf\u{e9}/**', '\u{e5}/**'] }]);
    const assistant = await connectAttacker(target);
    for (const name of names) await tryReading(assistant, `${name}/a.txt`, tries);
    await assistant.close();
  },
};

const p9: Attack = {
  id: 'P9',
  name: 'has another path used than the one that was checked',
  async run(target, tries) {
    // An open file by addresses that no slip explains, and a closed one by those that have one meaning.
    const closed = { 'closed/loot.txt': `${loot}\n`, 'closed/deep/loot.txt': `${loot}\n` };
    put(target, { 'loot.txt': `${loot}\n`, ' named.txt': 'named\n', 'named.txt': `${loot}\n`, ...closed });
    await useRules(target, [{ id: 'r-closed', effect: 'deny', class: 'read', paths: ['closed/**'] }]);
    const assistant = await connectAttacker(target);
    for (const path of [
      'lo ot.txt',
      'loot.txt#a',
      'loot.txt?a',
      'loot.tx\u{301}t',
      'LOOT.TXT',
      ' named.txt',
      ' closed/loot.txt',
      'closed/loot.txt ',
      '\tclosed/loot.txt',
      'closed/loot.txt\n',
      'closed/l%6fot.txt',
      'c%6cosed/loot.txt',
      '"closed/loot.txt"',
      '@closed/loot.txt',
      'closed\\deep\\loot.txt',
      'closed%2fdeep%2floot.txt',
      '/closed/loot.txt',
      'workspace/closed/loot.txt',
      'closed/loot.txt:1',
      'drawbridge://files/closed/loot.txt',
    ]) {
      const answers = [
        await answerOf(assistant, 'read_file', { path }),
        await answerOf(assistant, 'read_files', { files: [{ path }] }),
        await answerOf(assistant, 'search_code', { query: 'loo', path }),
      ];
      for (const answer of answers) tries.add(`reading ${JSON.stringify(path)}`, answer.includes(loot));
    }
    await assistant.close();
  },
};

const p10: Attack = {
  id: 'P10',
  isFresh: true,
  name: 'changes a file outside by an edit of a hard link to it',
  control: [
    {
      file: 'src/files/checkedWrite.ts',
      find: 'await rename(addressOf(temporary), addressOf(entry));',
      replace: "process.getBuiltinModule('node:fs').copyFileSync(addressOf(temporary), addressOf(entry));",
    },
    keepsWhatWasWritten,
  ],
  async run(target, tries) {
    const { folder, outside } = target;
    await useRules(target, [allowEdits]);
    const assistant = await connectAttacker(target);
    let applied = 0;
    const ends: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const [own, other] = [join(folder, `a${round}.txt`), join(outside, `linked${round}.txt`)];
      writeFileSync(other, 'one\n');
      linkSync(other, own);
      const path = basename(own);
      const end =
        round % 2 === 0
          ? await endOf(assistant, 'apply_edit', edit(path, 'two'))
          : await endOf(assistant, 'create_file', { path, content: 'two\n', overwrite: true });
      ends.push(end);
      if (end === 'applied') applied += 1;
      tries.add(`round ${round}: ${end}`, readFileSync(other, 'utf8') !== 'one\n');
    }
    if (applied === 0) throw new Error(`No edit was applied, so that nothing was tried: ${ends.join()}`);
    await assistant.close();
  },
};

const p11: Attack = {
  id: 'P11',
  name: 'hangs a call, or reads a device, by something that is no file',
  async run(target, tries) {
    const { folder } = target;
    execFileSync('mkfifo', [join(folder, 'pipe'), join(folder, 'pipe.ts')]);
    symlinkSync('/dev/zero', join(folder, 'zero'));
    symlinkSync('/dev/random', join(folder, 'random.txt'));
    symlinkSync('/proc/self/environ', join(folder, 'environ'));
    symlinkSync('pipe', join(folder, 'to-pipe.txt'));
    const assistant = await connectAttacker(target);
    for (const path of ['pipe', 'pipe.ts', 'to-pipe.txt', 'zero', 'random.txt', 'environ']) {
      for (const [tool, args] of [
        ['read_file', { path }],
        ['read_files', { files: [{ path }] }],
        ['search_code', { query: 'PATH', path }],
        ['get_outline', { path }],
        ['apply_edit', { edits: [{ path, oldText: 'a', newText: 'b' }] }],
        ['create_file', { path, content: 'a', overwrite: true }],
        ['delete_file', { path }],
      ] as const) {
        const answer = await Promise.race([
          answerOf(assistant, tool, args),
          new Promise<string>((resolve) => setTimeout(() => resolve('hangs'), hangs).unref()),
        ]);
        const isReached =
          answer === 'hangs' || answer.includes('PATH=') || /"status":"(?:applied|pending)/.test(answer);
        tries.add(`${tool} ${path}: ${answer.slice(0, 60)}`, isReached);
      }
    }
    await assistant.close();
  },
};

const p12: Attack = {
  id: 'P12',
  name: 'reaches settings, commands or other documents by another scheme',
  control: [
    {
      file: 'src/policy/paths.ts',
      find: 'if (scheme !== undefined && !isStreamName(scheme, address)) {',
      replace: 'if (scheme !== undefined && scheme.length === 0) {',
    },
    {
      file: 'src/policy/unsafeNames.ts',
      find: "if (segment.includes(':')) return 'contains a colon, which addresses a hidden stream on Windows';",
      replace: '',
    },
  ],
  async run(target, tries) {
    const schemes =
      'vscode-userdata untitled command output git vscode-remote vscode-local http https data drawbridge vscode-file'.split(
        ' ',
      );
    // Files that an address would name if its scheme were taken for a part of a name.
    const named = schemes.map((scheme) => [`${scheme}:loot.txt`, `${loot}\n`]);
    put(target, { 'loot.txt': `${loot}\n`, ...Object.fromEntries(named) });
    const { folder, outside, drawbridge } = target;
    await drawbridge.window.evaluate(async (vscode, text) => {
      await vscode.workspace.openTextDocument({ content: text });
    }, loot);
    const assistant = await connectAttacker(target);
    // The addresses of an editor that works on another machine mean the paths in them.
    const isPath = (scheme: string): boolean => scheme === 'vscode-remote' || scheme === 'vscode-local';
    const addresses = schemes.flatMap((scheme) => [
      `${scheme}:loot.txt`,
      `${scheme}:${folder}/loot.txt`,
      `${scheme}://${isPath(scheme) ? outside : folder}/loot.txt`,
      `${scheme}:Untitled-1`,
      `${scheme}:/User/settings.json`,
    ]);
    for (const address of addresses) {
      const answers = [
        await answerOf(assistant, 'read_file', { path: address }),
        await assistant.client.readResource({ uri: address }).then(JSON.stringify, String),
        await answerOf(assistant, 'open_file', { path: address }),
      ];
      for (const answer of answers)
        tries.add(`reaching ${address}`, answer.includes(loot) || answer.includes('"isError":false'));
    }
    await assistant.close();
  },
};

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const p13: Attack = {
  id: 'P13',
  name: 'takes the memory of the window by a huge file',
  async run(target, tries) {
    const { folder, record } = target;
    const names = ['huge.txt', 'huge.ts', 'huge.png', 'huge.json'];
    for (const name of names) {
      writeFileSync(join(folder, name), 'one\n');
      truncateSync(join(folder, name), 400 * 1024 * 1024);
    }
    const assistant = await connectAttacker(target);
    const before = memoryOf(record.pid);
    for (const path of names) {
      for (const [tool, args] of [
        ['read_file', { path, firstLine: 1, lineCount: 5 }],
        ['read_files', { files: [{ path }] }],
        ['apply_edit', { edits: [{ path, oldText: 'one', newText: 'two' }] }],
      ] as const) {
        await answerOf(assistant, tool, args);
        const more = Math.round(memoryOf(record.pid) - before);
        tries.add(`${tool} ${path}: ${more} MB more`, more > 250);
      }
    }
    await assistant.close();
    for (const name of names) unlinkSync(join(folder, name));
  },
};

const p14: Attack = {
  id: 'P14',
  name: 'has a glob with many wildcards searched for',
  async run(target, tries) {
    put(target, { 'a.txt': 'one\n' });
    const assistant = await connectAttacker(target);
    for (const glob of ['*a'.repeat(40), '?'.repeat(60), '[a-z]'.repeat(30), '**/*'.repeat(20), '{a,b}?'.repeat(12)]) {
      for (const [tool, args] of [
        ['search_code', { query: 'one', include: [glob] }],
        ['search_code', { query: 'one', exclude: [glob] }],
        ['find_files', { query: glob }],
      ] as const) {
        const answer = await answerOf(assistant, tool, args);
        tries.add(`${tool} ${glob.slice(0, 12)}…`, !/"isError":true|error/i.test(answer));
      }
    }
    await assistant.close();
  },
};

const p15: Attack = {
  id: 'P15',
  isFresh: true,
  name: 'moves a file to a place where it may not write',
  async run(target, tries) {
    const closed = { id: 'r-closed', effect: 'deny', class: 'edit', paths: ['closed/**'] };
    await useRules(target, [allowEdits, closed, { id: 'r-move', effect: 'allow', class: 'delete', paths: ['**'] }]);
    const assistant = await connectAttacker(target);
    for (const to of ['closed/a.txt', './closed/a.txt', 'closed/deep/a.txt', 'src/../closed/a.txt', 'CLOSED/a.txt']) {
      put(target, { 'a.txt': 'one\n', 'dir/b.txt': 'one\n' });
      await tryWriting(assistant, ['move_file', { path: 'a.txt', to }], tries, (end) => !/denied|path/.test(end));
      await tryWriting(assistant, ['move_file', { path: 'dir', to: dirname(to) }], tries, (end) => end === 'applied');
      rmSync(join(target.folder, 'closed'), { recursive: true, force: true });
    }
    await assistant.close();
  },
};

/** Files that act without a command of the user, of each class of the table. */
const actingFiles = [
  '.vscode/tasks.json',
  '.vscode/settings.json',
  'a.code-workspace',
  '.idea/workspace.xml',
  '.claude/settings.json',
  '.cursor/mcp.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.github/copilot-instructions.md',
  '.github/workflows/a.yml',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  'azure-pipelines.yml',
  'Jenkinsfile',
  'AGENTS.md',
  'CLAUDE.md',
  'deep/agents.md',
  '.cursorrules',
  '.mcp.json',
  '.gitattributes',
  '.gitmodules',
  '.githooks/pre-commit',
  '.husky/pre-commit',
  '.hg/hgrc',
  '.envrc',
  '.devcontainer/devcontainer.json',
  '.exrc',
  '.editorconfig',
  '.drawbridge/policy.json',
  'eslint.config.js',
  '.prettierrc.js',
];

/** Proposes files in the mode Accept edits; one that lies there without a decision is a success. */
async function tryCreating(target: Target, names: readonly string[], tries: Tries): Promise<void> {
  await inAcceptEdits(target, async () => {
    for (const path of ['plain.txt', ...names]) {
      // A fresh connection each, since only 20 approvals of one may wait.
      const assistant = await connectAttacker(target);
      const end = await endOf(assistant, 'create_file', { path, content: 'planted\n' });
      const isThere = existsSync(join(target.folder, path));
      if (path === 'plain.txt' && !isThere) throw new Error(`An ordinary file was not written either: ${end}`);
      tries.add(`${path}: ${end}`, path !== 'plain.txt' && isThere);
      await assistant.close();
    }
  });
}

const p16: Attack = {
  id: 'P16',
  isFresh: true,
  name: 'creates a protected file where none is',
  async run(target, tries) {
    const names = [
      '.vscode/launch.json',
      '.github/workflows/b.yml',
      'deep/.vscode/tasks.json',
      '.VSCODE/tasks.json',
      'AGENTS.md',
    ];
    await tryCreating(target, names, tries);
  },
};

const p19: Attack = {
  id: 'P19',
  isFresh: true,
  name: 'writes a file that acts without a command of the user, in Accept edits',
  run: (target, tries) => tryCreating(target, actingFiles, tries),
};

const p20: Attack = {
  id: 'P20',
  isFresh: true,
  name: 'writes a file that runs at the next build or install under a wide allow rule',
  async run(target, tries) {
    const names = [
      'Makefile',
      'package.json',
      'vite.config.ts',
      'webpack.config.js',
      'build.gradle',
      'setup.py',
      'Dockerfile',
      'CMakeLists.txt',
      '.npmrc',
      'tsconfig.json',
    ];
    await useRules(target, [allowEdits]);
    for (const path of names) {
      const assistant = await connectAttacker(target);
      const content = path === 'package.json' ? '{"scripts":{"postinstall":"x"}}\n' : 'planted\n';
      const call = ['create_file', { path, content }] as const;
      const isThere = (): boolean => path !== 'tsconfig.json' && existsSync(join(target.folder, path));
      await tryWriting(assistant, call, tries, isThere);
      await assistant.close();
    }
  },
};

const p21: Attack = {
  id: 'P21',
  name: 'reads a closed file by a hard link with a harmless name',
  isQuick: true,
  async run(target, tries) {
    const { folder } = target;
    put(target, { '.env': `${loot}\n`, 'keys/id_rsa': `${loot}\n`, 'deep/.env': `${loot}\n`, 'src/a.txt': 'one\n' });
    const links = { 'notes.txt': '.env', 'src/b.txt': '.env', 'c.md': 'keys/id_rsa', 'deep/d.ts': 'deep/.env' };
    for (const [name, closed] of Object.entries(links)) linkSync(join(folder, closed), join(folder, name));
    const assistant = await connectAttacker(target);
    for (const name of [...Object.keys(links), '.', 'src']) await tryReading(assistant, name, tries);
    await assistant.close();
  },
};

const p26: Attack = {
  id: 'P26',
  name: 'has an image of billions of pixels handed on as an image',
  isQuick: true,
  async run(target, tries) {
    const sizes = [
      [60_000, 60_000],
      [1, 4_000_000],
      [9000, 20],
      [4_294_967_295, 4_294_967_295],
    ] as const;
    const assistant = await connectAttacker(target);
    for (const [width, height] of sizes) {
      writeFileSync(join(target.folder, 'bomb.png'), png(width, height));
      const answer = await answerOf(assistant, 'read_file', { path: 'bomb.png' });
      tries.add(`${width} x ${height}: ${answer.slice(0, 100)}`, /"type":"image"|"blob"/.test(answer));
    }
    await assistant.close();
  },
  control: [
    {
      file: 'src/tools/workspace/readFile.ts',
      find: 'const isScaled = isLarge || Math.max(width, height) > maximumSide;',
      replace: 'const isScaled = isLarge;',
    },
  ],
};

const a11: Attack = {
  id: 'A11',
  name: 'has a shell run a part of an argument',
  isQuick: true,
  async run(target, tries) {
    const ran = join(target.outside, 'ran');
    const parts = [
      `$(touch ${ran})`,
      `\`touch ${ran}\``,
      `; touch ${ran};`,
      `' ; touch ${ran} ; '`,
      `" & touch ${ran} & "`,
    ];
    const assistant = await connectAttacker(target);
    for (const part of parts) {
      const name = part.replaceAll('/', '_');
      put(target, { [name]: 'one\n', 'a.txt': 'one\n' });
      for (const [tool, args] of [
        ['search_code', { query: part }],
        // The sign of a comment keeps what follows from a shell, which would refuse its brackets.
        ['search_code', { query: `one${part} #`, isRegex: true }],
        ['search_code', { query: 'one', include: [part] }],
        ['search_code', { query: 'one', exclude: [part] }],
        ['search_code', { query: 'one', path: name }],
        ['find_files', { query: part }],
        ['read_file', { path: name }],
        ['list_directory', { path: part }],
        ['get_outline', { paths: [name] }],
      ] as const) {
        await answerOf(assistant, tool, args);
        tries.add(`${tool} ${JSON.stringify(args)}`, existsSync(ran));
        rmSync(ran, { force: true });
      }
    }
    await assistant.close();
  },
};

export const pathAttacks: readonly Attack[] = [
  p1,
  p2,
  p3,
  p4,
  p5,
  p6,
  p7,
  p8,
  p9,
  p10,
  p11,
  p12,
  p13,
  p14,
  p15,
  p16,
  p19,
  p20,
  p21,
  p26,
  a11,
];
