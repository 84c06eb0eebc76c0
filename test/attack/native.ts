/** Attacks of an assistant on the guard of its own tools, by the hook program as a real process: the rows G of `docs/threats.md`. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardsOffFile, hourMilliseconds, switchGuardsOff } from '#home/guardsOff.ts';
import { withToken } from '../e2e/accessTokens.ts';
import { jsonHeaders, send, type RawAnswer } from '../mcp/rawHttp.ts';
import { bash, type Environment, guarded, hook, newCall, waitMilliseconds, write } from './hookProgram.ts';
import {
  allowEdits,
  closed,
  connectAttacker,
  loot,
  put,
  useRules,
  type Attack,
  type Target,
  type Tries,
} from './target.ts';

/** Asks for one edit of each path, and counts those whose answer is none of the wanted ones. */
async function tryEdits(target: Target, paths: readonly string[], wanted: RegExp, tries: Tries): Promise<void> {
  const decisions = await Promise.all(paths.map(async (path) => [path, await hook(target, write(path))] as const));
  for (const [path, decision] of decisions) tries.add(`Write ${path}: ${decision}`, !wanted.test(decision));
}

/** Asks for commands, five at a time, and counts those that neither are refused nor wait for the user. */
async function tryCommands(target: Target, commands: readonly string[], tries: Tries): Promise<void> {
  for (let start = 0; start < commands.length; start += 5) {
    const some = commands.slice(start, start + 5);
    const decisions = await Promise.all(some.map((each) => hook(target, bash(each), { SHELL: '/bin/bash' })));
    for (const [at, decision] of decisions.entries())
      tries.add(`${some[at]}: ${decision}`, !/deny|waits/.test(decision));
  }
}

/** Returns a call of an edit tool as a hook reports it, with an id of its own. */
const editCall = (...edits: readonly object[]): object => ({
  event: 'before',
  assistant: 'Claude Code',
  session: 's',
  call: newCall(),
  tool: 'Write',
  writesExactly: ['edit', 'create'],
  edits,
});

/** Returns a report of each kind that a hook makes, which is answered without the user. */
function hookReports({ folder }: Target): Readonly<Record<string, object>> {
  const edit = editCall({ kind: 'write', path: join(folder, 'closed/a.txt'), text: 'planted\n' });
  const caller = { assistant: 'Claude Code', session: 's' };
  return {
    'an edit': edit,
    'a question': { ...edit, event: 'question' },
    'the end of an edit': { ...edit, event: 'after' },
    'a command': { ...caller, event: 'before', tool: 'Bash', command: { shell: 'bash', text: 'ls', folder } },
    'a moment': { ...caller, event: 'sessionBegan', folder },
    'an unknown tool': { event: 'unknown', assistant: 'Claude Code', tool: 'Evil' },
  };
}

/** Asks the route of hooks. An answer that does not come in five seconds waits for the user, so the route took the request. */
async function askRoute(
  port: number,
  token: string,
  body: object,
  path = '/hook',
): Promise<Pick<RawAnswer, 'status' | 'text'>> {
  const asked = send(port, 'POST', jsonHeaders(token), JSON.stringify(body), path);
  asked.catch(() => undefined);
  return Promise.race([asked, sleep(5000, { status: 200, text: 'waits' }, { ref: false })]);
}

const g1: Attack = {
  id: 'G1',
  name: 'uses the route of hooks with an access token, or reads or decides something by it',
  async run(target, tries) {
    const { drawbridge, record, port } = target;
    await guarded(target);
    put(target, { 'a.txt': 'one\n', 'closed/a.txt': 'one\n', 'shut/loot.txt': `${loot}\n` });
    await useRules(target, [closed, { id: 'r-shut', effect: 'deny', class: 'read', paths: ['shut/**'] }]);
    const reports = hookReports(target);
    for (const [what, report] of Object.entries(reports)) {
      const { status, text: said } = await askRoute(port, record.token, report);
      // The window takes it from a hook.
      if (status !== 200) throw new Error(`${what} is no report of a hook: ${said}`);
    }
    await withToken(drawbridge, async (token, second) => {
      const ways: readonly (readonly [what: string, port: number, token: string])[] = [
        ['an access token', port, token],
        ['an access token on its own port', second, token],
        ['the secret of the window on the other port', second, record.token],
      ];
      const tryRoute = async (way: (typeof ways)[number], report: object, path?: string): Promise<void> => {
        const { status } = await askRoute(way[1], way[2], report, path);
        tries.add(`${path ?? ''} ${JSON.stringify(report).slice(0, 80)} with ${way[0]}: ${status}`, status === 200);
      };
      for (const way of ways) {
        for (const report of Object.values(reports)) await tryRoute(way, report);
        for (const path of [
          '/hook/',
          '//hook',
          '/hook?x=1',
          '/mcp/../hook',
          '/HOOK',
          '/%68ook',
          'http://127.0.0.1/hook',
        ]) {
          await tryRoute(way, { ...reports['an unknown tool'] }, path);
        }
      }
    });
    await tryHookReads(target, tries);
    await tryHookDecisions(target, tries);
  },
};

/** Asks as a hook about edits from whose answer the text of a closed file might be learnt. */
async function tryHookReads({ folder, port, record }: Target, tries: Tries): Promise<void> {
  const [own, shut] = [join(folder, 'a.txt'), join(folder, 'shut/loot.txt')];
  const replace = (path: string): object => ({ kind: 'replace', path, oldText: 'o', newText: 'm', all: true });
  const patch = `*** Begin Patch\n*** Update File: ${shut}\n@@\n-x\n+y\n*** End Patch\n`;
  const questions: Readonly<Record<string, object>> = {
    'no edit': editCall(),
    'an edit of the closed file': editCall(replace(shut)),
    'an edit of two files': editCall(replace(own), replace(shut)),
    'a patch that names another file': editCall({ kind: 'patch', folder, text: patch, paths: [own] }),
  };
  for (const [what, question] of Object.entries(questions)) {
    const answer = await askRoute(port, record.token, question);
    tries.add(`${what}: ${answer.text}`, answer.text.includes(loot));
  }
}

/** Tells as a hook that a change of another tool is decided. */
async function tryHookDecisions(target: Target, tries: Tries): Promise<void> {
  const assistant = await connectAttacker(target);
  const pending = await assistant.propose([{ path: 'a.txt', oldText: 'one', newText: 'two' }]);
  if (pending.status !== 'pending_approval') throw new Error(`Nothing waits: ${pending.status}`);
  const { approvalId: id } = pending;
  const edit = {
    ...editCall({ kind: 'write', path: join(target.folder, 'closed/a.txt'), text: 'x\n' }),
    call: id,
    session: id,
  };
  for (const report of [
    { ...edit, event: 'question' },
    { ...edit, event: 'after' },
    { ...edit, decision: 'allow' },
    { event: 'approve', id },
  ]) {
    await askRoute(target.port, target.record.token, report);
    const isApplied = readFileSync(join(target.folder, 'a.txt'), 'utf8') !== 'one\n';
    tries.add(`${JSON.stringify(report).slice(0, 80)} decides`, isApplied);
  }
  await assistant.close();
}

const g2: Attack = {
  id: 'G2',
  name: 'edits with its own tool what a rule allows for the tools of Drawbridge',
  async run(target, tries) {
    await guarded(target);
    put(target, { 'a.txt': 'one\n' });
    await useRules(target, [allowEdits]);
    const paths = ['a.txt', 'new.txt', 'deep/new.txt'].map((name) => join(target.folder, name));
    await tryEdits(target, paths, /deny|waits/, tries);
  },
};

const g3: Attack = {
  id: 'G3',
  name: 'edits a guarded folder while its window is away',
  async run(target, tries) {
    const guard = await guarded(target);
    // The record of a window that crashed: another id, another folder, a process that is gone.
    const [state = '', owner = ''] = readFileSync(guard, 'utf8').split('\n');
    const folder = join(target.outside, 'crashed');
    mkdirSync(folder, { recursive: true });
    const gone = spawn('true');
    await new Promise((resolve) => gone.once('close', resolve));
    const process = JSON.stringify({ ...JSON.parse(owner), pid: gone.pid });
    const planted = join(target.drawbridge.host.home, 'guards', 'crashed-window');
    writeFileSync(planted, `${state}\n${process}\n${folder}\n`, { mode: 0o600 });
    try {
      const names = ['a.txt', 'deep/b.txt', '../crashed/c.txt', 'x/../d.txt'];
      const decisions = await Promise.all(names.map((name) => hook(target, write(`${folder}/${name}`), {}, 120_000)));
      for (const decision of decisions) tries.add(`Write: ${decision}`, decision !== 'deny');
    } finally {
      rmSync(planted, { force: true });
    }
  },
};

const g5: Attack = {
  id: 'G5',
  name: 'has a hook ask another state folder, or run another program, by its environment',
  async run(target, tries) {
    await guarded(target);
    await useRules(target, [closed]);
    const evil = join(target.outside, 'evil');
    const ran = join(target.outside, 'ran');
    mkdirSync(evil, { recursive: true });
    for (const name of ['node', 'dirname', 'readlink', 'find', 'cat', 'date', 'sh']) {
      writeFileSync(join(evil, name), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    }
    writeFileSync(join(evil, 'evil.cjs'), `require('fs').writeFileSync(${JSON.stringify(ran)}, '')\n`);
    const environments: readonly Environment[] = [
      { DRAWBRIDGE_HOME: evil },
      { HOME: evil },
      { PATH: evil },
      { PATH: `${evil}:/usr/bin:/bin` },
      { NODE_OPTIONS: `--require ${join(evil, 'evil.cjs')}` },
      { NODE_PATH: evil },
      { NVM_DIR: evil, N_PREFIX: evil },
      { BASH_ENV: join(evil, 'cat'), ENV: join(evil, 'cat') },
      { 'BASH_FUNC_cd%%': `() { touch ${ran}; }`, 'BASH_FUNC_command%%': `() { touch ${ran}; }` },
      { CDPATH: evil },
      { DRAWBRIDGE_HOME: evil, HOME: evil, PATH: evil, CDPATH: evil },
    ];
    for (const environment of environments) {
      const decision = await hook(target, write(join(target.folder, 'closed/a.txt')), environment, 60_000);
      tries.add(`${Object.keys(environment).join()}: ${decision}`, decision !== 'deny' || existsSync(ran));
      rmSync(ran, { force: true });
    }
  },
};

/** Spellings of a file of the state folder, and the links that they need. */
function ownFiles({ drawbridge, folder }: Target): readonly string[] {
  const { home } = drawbridge.host;
  symlinkSync(home, join(folder, 'state'));
  symlinkSync(join(home, 'rules.json'), join(folder, 'notes.txt'));
  return [
    join(home, 'rules.json'),
    join(home, 'bin/drawbridge'),
    join(home, 'bin/bridges'),
    join(home, 'guards-off'),
    join(home, 'guards/planted'),
    join(home, 'new/file.txt'),
    `${home}/./rules.json`,
    `${home}//rules.json`,
    `${home}/bin/../rules.json`,
    join(folder, 'state/rules.json'),
    join(folder, 'state/../state/bin/drawbridge'),
    join(folder, 'notes.txt'),
  ];
}

const g7: Attack = {
  id: 'G7',
  name: 'edits with its own tool the files by which it is held back',
  async run(target, tries) {
    await guarded(target);
    await tryEdits(target, ownFiles(target), /^deny$/, tries);
  },
};

const g9: Attack = {
  id: 'G9',
  name: 'plants a record that the guard is off for days',
  async run(target, tries) {
    await guarded(target);
    await useRules(target, [closed]);
    const { home } = target.drawbridge.host;
    const record = join(home, guardsOffFile);
    const attempt = async (what: string): Promise<void> => {
      const decision = await hook(target, write(join(target.folder, 'closed/a.txt')), {}, 60_000);
      tries.add(`${what}: ${decision}`, decision !== 'deny');
      rmSync(record, { force: true });
    };
    try {
      for (const hours of [9, 24, 24 * 365, 24 * 365 * 100]) {
        await switchGuardsOff(home, Date.now() + hours * hourMilliseconds);
        await attempt(`${hours} hours`);
      }
      await switchGuardsOff(home, Date.now() + hourMilliseconds);
      const valid = readFileSync(record, 'utf8');
      rmSync(record);
      writeFileSync(record, valid, { mode: 0o644 });
      await attempt('a record that others may read');
      writeFileSync(join(target.outside, 'off'), valid, { mode: 0o600 });
      symlinkSync(join(target.outside, 'off'), record);
      await attempt('a link to a record');
      writeFileSync(record, valid.replace(/"bootId":"[^"]*"/, '"bootId":"another"'), { mode: 0o600 });
      await attempt('a record of another boot');
    } finally {
      rmSync(record, { force: true });
    }
  },
};

const g10: Attack = {
  id: 'G10',
  name: 'uses the time in which the guard is off to edit what holds it back',
  async run(target, tries) {
    await guarded(target);
    const { home } = target.drawbridge.host;
    await switchGuardsOff(home, Date.now() + hourMilliseconds);
    try {
      await tryEdits(target, ownFiles(target), /^deny$/, tries);
    } finally {
      rmSync(join(home, guardsOffFile), { force: true });
    }
  },
};

const g13: Attack = {
  id: 'G13',
  name: 'edits a guarded file by a link that lies elsewhere',
  async run(target, tries) {
    await guarded(target);
    const { folder, outside } = target;
    put(target, { 'a.txt': 'one\n', 'deep/b.txt': 'one\n' });
    const links = { 'link.txt': 'a.txt', 'new.txt': 'c.txt', dir: 'deep', all: '.' };
    for (const name of readdirSync(outside)) if (name in links) rmSync(join(outside, name));
    for (const [name, to] of Object.entries(links)) symlinkSync(join(folder, to), join(outside, name));
    const paths = ['link.txt', 'dir/b.txt', 'all/a.txt', 'all/new.txt', 'dir/../dir/b.txt'].map((path) =>
      join(outside, path),
    );
    await tryEdits(target, paths, /deny|waits/, tries);
    for (const name of Object.keys(links)) rmSync(join(outside, name));
  },
  control: [
    {
      file: 'src/call/nativePaths.ts',
      find: 'if (found !== undefined && folderContaining(found.realPath, folders) !== undefined) return found.realPath;',
      replace: 'if (found === undefined) return undefined;',
    },
    {
      file: 'src/bridge/askWindows.ts',
      find: "const words = answer.decision === 'none' ? question.cannotJudge?.(guard) : undefined;",
      replace: 'const words = undefined;',
    },
  ],
};

/** Commands that write in forms that look as if they only read. */
const disguised = [
  'cat a.txt > b.txt',
  'cat a.txt | tee b.txt',
  'echo $(rm a.txt)',
  'echo `rm a.txt`',
  'ls; rm a.txt',
  'ls && rm a.txt',
  'ls || rm a.txt',
  'ls & rm a.txt',
  'ls\nrm a.txt',
  'find . -delete',
  'find . -exec rm {} +',
  'sort -o a.txt a.txt',
  'sed -i s/a/b/ a.txt',
  'grep x a.txt >& b.txt',
  'git log --output=b.txt',
  'git diff --output b.txt',
  'cat <(rm a.txt)',
  'cat <<< $(rm a.txt)',
  'a=$(rm a.txt) ls',
  'PAGER=evil git log',
  'env rm a.txt',
  'command rm a.txt',
  'builtin eval "rm a.txt"',
  'eval "rm a.txt"',
  "bash -c 'rm a.txt'",
  'xargs rm < a.txt',
  'test -f a.txt && rm a.txt',
  '{ ls; rm a.txt; }',
  '( rm a.txt )',
  'if ls; then rm a.txt; fi',
  'for f in a; do rm a.txt; done',
  'ls() { rm a.txt; }; ls',
  'alias ls="rm a.txt"; ls',
  'cat a.txt 2> b.txt',
  'cat a.txt &> b.txt',
  'cat a.txt >| b.txt',
  'ls $(cat evil)',
  'rg --pre evil x',
  'awk \'BEGIN { system("rm a.txt") }\'',
  'cat ${x:=$(rm a.txt)}',
];

const g14: Attack = {
  id: 'G14',
  name: 'runs a command that writes in a form that looks as if it only reads',
  async run(target, tries) {
    await guarded(target);
    put(target, { 'a.txt': 'one\n' });
    // With it, what does more than read is refused at once; what only reads has no rule.
    await useRules(target, [{ id: 'r-run', effect: 'deny', class: 'execute' }]);
    await tryCommands(target, disguised, tries);
  },
  control: [
    {
      file: 'src/policy/shell/classifyBash.ts',
      find: 'return walk.parts;',
      replace: "return walk.parts.filter(({ class: kind }) => kind === 'reads');",
    },
  ],
};

const g15: Attack = {
  id: 'G15',
  name: 'runs another command in a line of which a rule allows one',
  async run(target, tries) {
    await guarded(target);
    await useRules(target, [{ id: 'r-test', effect: 'allow', class: 'execute', command: ['npm', 'test'] }]);
    const lines = [
      'npm test && rm -rf x',
      'npm test; rm x',
      'npm test | sh',
      'npm test > /tmp/x',
      'rm x && npm test',
      'npm test $(rm x)',
      'npm test & rm x',
      'npm test\nrm x',
      '$(echo npm) test; rm x',
    ];
    await tryCommands(target, lines, tries);
  },
};

/** Runs `drawbridge guard off` on a terminal of its own, and types the word that it shows. Returns all that it says. */
async function guardOff({ drawbridge }: Target, environment: Environment, program: readonly string[]): Promise<string> {
  const [command = '', ...args] = program;
  const child = spawn(command, args, {
    env: { PATH: '/usr/bin:/bin', DRAWBRIDGE_HOME: drawbridge.host.home, ...environment },
  });
  let said = '';
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (chunk: Buffer) => {
    const before = said;
    said += chunk.toString('utf8');
    const word = /Type (\w+) to switch/.exec(said)?.[1];
    if (word !== undefined && !before.includes('to switch')) child.stdin.write(`${word}\n`);
  });
  const timer = setTimeout(() => child.kill(), waitMilliseconds);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return said;
}

const g8: Attack = {
  id: 'G8',
  name: 'switches the guard off by a command that it runs',
  async run(target, tries) {
    await guarded(target);
    const { home } = target.drawbridge.host;
    const launcher = join(home, 'bin/drawbridge');
    // `script` gives a program a terminal of its own.
    const onTerminal = ['script', '-qefc', `${launcher} guard off`, '/dev/null'];
    // A program with the name of an assistant.
    const named = join(target.outside, 'claude');
    writeFileSync(named, '#!/bin/sh\n"$@"\nexit $?\n', { mode: 0o755 });
    const ways: readonly (readonly [what: string, environment: Environment, program: readonly string[]])[] = [
      ['with the environment of Claude Code', { CLAUDECODE: '1' }, onTerminal],
      ['with the environment of Codex', { CODEX_SANDBOX: 'seatbelt' }, onTerminal],
      ['with the environment of Gemini CLI', { GEMINI_CLI: '1' }, onTerminal],
      ['below a program that is named as an assistant', {}, [named, ...onTerminal]],
      ['without a terminal', {}, [launcher, 'guard', 'off']],
    ];
    try {
      for (const [what, environment, program] of ways) {
        const said = await guardOff(target, environment, program);
        const isOff = existsSync(join(home, guardsOffFile)) || said.includes('The guard is off');
        tries.add(`${what}: ${said.slice(0, 200)}`, isOff);
        rmSync(join(home, guardsOffFile), { force: true });
      }
    } finally {
      rmSync(join(home, guardsOffFile), { force: true });
    }
  },
};

let planted = 0;

const g11: Attack = {
  id: 'G11',
  name: 'brings a server of our name along in the folder, without a warning',
  async run(target, tries) {
    const { window } = target.drawbridge;
    for (const [path, key] of [
      ['.mcp.json', 'mcpServers'],
      ['.cursor/mcp.json', 'mcpServers'],
      ['.vscode/mcp.json', 'servers'],
    ] as const) {
      await window.command('notifications.clearAll');
      const server = { command: 'node', args: [`evil-${process.pid}-${(planted += 1)}.js`] };
      put(target, { [path]: JSON.stringify({ [key]: { drawbridge: server } }) });
      const warning = window.page.locator('.notification-toast', { hasText: 'brings its own server' });
      const isTold = await warning
        .first()
        .waitFor({ timeout: waitMilliseconds })
        .then(
          () => true,
          () => false,
        );
      tries.add(`${path} is not told`, !isTold);
    }
  },
};

const g12: Attack = {
  id: 'G12',
  name: 'has the window decide about another folder that only claims to be a Git work tree of it',
  async run(target, tries) {
    await guarded(target);
    const { folder, outside } = target;
    const common = join(folder, '.git');
    put(target, { '.git/HEAD': 'ref: refs/heads/main\n', '.git/worktrees/real/commondir': '../..\n' });
    const claims: Readonly<Record<string, (root: string) => string>> = {
      'a folder that does not exist': () => join(common, 'worktrees', 'none'),
      'a folder that names another one': () => join(common, 'worktrees', 'real'),
      'a folder of its own': (root) => {
        const fake = join(outside, 'fake');
        mkdirSync(fake, { recursive: true });
        writeFileSync(join(fake, 'gitdir'), `${join(root, '.git')}\n`);
        writeFileSync(join(fake, 'commondir'), `${common}\n`);
        return fake;
      },
      'the repository itself': () => common,
    };
    // An edit of a work tree would be refused; that of an unrelated folder is none of our business.
    await useRules(target, [{ id: 'r-all', effect: 'deny', class: 'edit', paths: ['**'] }]);
    for (const [index, [what, claim]] of Object.entries(claims).entries()) {
      const root = join(outside, `claims-${index}`);
      mkdirSync(root, { recursive: true });
      writeFileSync(join(root, '.git'), `gitdir: ${claim(root)}\n`);
      const decision = await hook(target, write(join(root, 'a.txt')), {}, 60_000);
      tries.add(`${what}: ${decision}`, decision !== 'none');
      rmSync(root, { recursive: true });
    }
  },
};

/** Commands that run `rm` by a word that is known only when it runs. */
const unknowable = [
  '$(echo rm) a.txt',
  '`echo rm` a.txt',
  'X=rm; $X a.txt',
  '${X:-rm} a.txt',
  "$'\\x72m' a.txt",
  'r""m a.txt',
  '\\rm a.txt',
  "'rm' a.txt",
  '/bin/rm a.txt',
  'eval "r""m a.txt"',
  'echo cm0gYS50eHQ= | base64 -d | sh',
  '"$(printf rm)" a.txt',
  'bash -c "$(cat evil)"',
  '/bin/[r]m a.txt',
  '/bin/r? a.txt',
];

const g16: Attack = {
  id: 'G16',
  name: 'runs a command that a rule denies, written so that its name is known only when it runs',
  async run(target, tries) {
    await guarded(target);
    put(target, { 'a.txt': 'one\n' });
    await useRules(target, [{ id: 'r-rm', effect: 'deny', class: 'execute', command: ['rm'] }]);
    await tryCommands(target, unknowable, tries);
  },
};

export const nativeAttacks: readonly Attack[] = [g1, g2, g3, g5, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16];
