/** A repository that sets every configuration key of Git that names a program, a hook or another place. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, put, repository } from './repository.ts';

/** The hooks of githooks(5). */
const hooks = [
  'applypatch-msg',
  'pre-applypatch',
  'post-applypatch',
  'pre-commit',
  'pre-merge-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-rebase',
  'post-checkout',
  'post-merge',
  'pre-push',
  'pre-receive',
  'update',
  'proc-receive',
  'post-receive',
  'post-update',
  'reference-transaction',
  'push-to-checkout',
  'pre-auto-gc',
  'post-rewrite',
  'sendemail-validate',
  'fsmonitor-watchman',
  'p4-changelist',
  'p4-prepare-changelist',
  'p4-post-changelist',
  'p4-pre-submit',
  'post-index-change',
];

/** The settings of git-config(1) whose value is a program or a command line. */
const programSettings = [
  'core.alternateRefsCommand',
  'core.askPass',
  'core.editor',
  'core.fsmonitor',
  'core.gitProxy',
  'core.pager',
  'core.sshCommand',
  'alias.add',
  'alias.ls-files',
  'browser.evil.cmd',
  'credential.helper',
  'diff.external',
  'diff.evil.command',
  'diff.evil.textconv',
  'diff.tool',
  'difftool.evil.cmd',
  'filter.evil.clean',
  'filter.evil.smudge',
  'filter.slow.process',
  'gpg.program',
  'gpg.ssh.program',
  'gpg.ssh.defaultKeyCommand',
  'gui.evil.cmd',
  'guitool.evil.cmd',
  'imap.tunnel',
  'interactive.diffFilter',
  'man.evil.cmd',
  'merge.evil.driver',
  'mergetool.evil.cmd',
  'notes.rewriteMode',
  'pack.packObjectsHook',
  'pager.ls-files',
  'receive.procReceiveRefs',
  'remote.origin.receivepack',
  'remote.origin.uploadpack',
  'remote.origin.vcs',
  'sequence.editor',
  'submodule.evil.update',
  'tar.evil.command',
  'trailer.evil.cmd',
  'trailer.evil.command',
  'uploadpack.packObjectsHook',
  'web.browser',
];

/** Makes a work tree hostile. `program` is what each setting names. */
function arm(root: string, gitFolder: string, elsewhere: string, program: string): void {
  const lines = [readFileSync(join(gitFolder, 'config'), 'utf8')];
  const set = (key: string, value: string): void => {
    const [section = '', ...names] = key.split('.');
    const name = names.pop() ?? '';
    const part = names.length === 0 ? '' : ` "${names.join('.')}"`;
    lines.push(`[${section}${part}]`, `\t${name} = "${value}"`);
  };
  for (const key of programSettings) {
    set(key, key.startsWith('alias') || key.startsWith('submodule') ? `!${program}` : program);
  }
  for (const name of ['evil', 'slow']) set(`filter.${name}.required`, 'true');
  set('core.hooksPath', join(elsewhere, 'hooks'));
  set('core.worktree', elsewhere);
  set('core.splitIndex', 'true');
  set('core.untrackedCache', 'true');
  set('core.attributesFile', join(elsewhere, 'attributes'));
  set('core.excludesFile', join(elsewhere, 'excludes'));
  set('core.autocrlf', 'true');
  set('core.eol', 'crlf');
  set('core.repositoryformatversion', '1');
  set('extensions.partialClone', 'origin');
  set('remote.origin.promisor', 'true');
  set('remote.origin.url', `ext::${program}`);
  set('protocol.ext.allow', 'always');
  set('gc.auto', '1');
  set('include.path', join(elsewhere, 'included'));
  writeFileSync(join(gitFolder, 'config'), `${lines.join('\n')}\n`);
  for (const folder of [join(gitFolder, 'hooks'), join(elsewhere, 'hooks')]) {
    for (const hook of hooks) {
      put(folder, hook, readFileSync(program));
      chmodSync(join(folder, hook), 0o755);
    }
  }
  put(gitFolder, 'info/attributes', '*.txt filter=evil diff=evil merge=evil\n*.slow filter=slow\n');
  put(root, '.gitattributes', '*.txt filter=evil diff=evil merge=evil ident\n*.slow filter=slow\n');
}

export interface Hostile {
  readonly root: string;
  /** Both of the files exist once a program was started. */
  readonly marker: string;
  /** The Git directories, to compare them afterwards. */
  readonly gitFolders: readonly string[];
}

/** Makes a hostile repository with a submodule that is as hostile. Its promised object is missing. */
export function hostileRepository(folder: string): Hostile {
  const [root, library, elsewhere] = [join(folder, 'work'), join(folder, 'library'), join(folder, 'elsewhere')];
  const marker = join(folder, 'started');
  const program = join(folder, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`);
  chmodSync(program, 0o755);
  const files = { 'crlf.txt': 'one\r\ntwo\r\n', 'a.txt': 'a\n', 'b.slow': 'b\n', 'gone.txt': 'gone\n' };
  repository(library, files);
  repository(root, files);
  git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'sub');
  git(root, 'commit', '-qm', 'with sub');
  put(elsewhere, 'private.txt', 'another folder');
  put(elsewhere, 'attributes', '*.txt filter=evil\n');
  put(elsewhere, 'excludes', '*\n');
  put(elsewhere, 'included', `[core]\n\tfsmonitor = ${program}\n[filter "evil"]\n\tclean = ${program}\n`);
  mkdirSync(join(elsewhere, 'objects/pack'), { recursive: true });
  for (const [tree, gitFolder] of [
    [root, join(root, '.git')],
    [join(root, 'sub'), join(root, '.git/modules/sub')],
  ] as const) {
    put(gitFolder, 'objects/info/alternates', `${join(elsewhere, 'objects')}\n`);
    // A promised object that is missing would be fetched.
    const gone = git(tree, 'rev-parse', 'HEAD:gone.txt');
    rmSync(join(gitFolder, 'objects', gone.slice(0, 2), gone.slice(2)), { force: true });
    arm(tree, gitFolder, elsewhere, program);
    put(tree, 'a.txt', 'changed\r\n');
    put(tree, 'new.txt', 'new\r\n');
    // The repository has an object with these bytes, whose time of modification must stay.
    put(tree, 'copy.txt', 'one\r\ntwo\r\n');
  }
  return { root, marker, gitFolders: [join(root, '.git'), elsewhere, library] };
}
