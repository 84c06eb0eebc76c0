import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { assistants } from '#connect/assistants/allAssistants.ts';
import { classifyPath, isReadable, privateGlobs, type PathRules } from '#policy/protectedPaths.ts';
import { folderAt } from '../fakes/workspace.ts';

const rules: PathRules = { home: '/home/u', privateFolders: ['/home/u/.drawbridge', '/opt/editor/user-data'] };
const folder = folderAt('/w');

function classOf(relative: string, realPath?: string): string {
  const path = { folder, fsPath: `/w/${relative}` };
  return classifyPath(realPath === undefined ? path : { ...path, realPath }, rules).class;
}

const secrets = [
  '.env',
  '.env.local',
  'a/b/.env.production',
  '.env.exampled',
  '.env.e',
  'x.pem',
  'tls/server.key',
  'a.p12',
  'a.pfx',
  'a.jks',
  'a.keystore',
  'a.kdbx',
  'a.ppk',
  'id_rsa',
  'id_ed25519.pub',
  'gcp-credentials.json',
  'application_default_credentials.json',
  'service-account-1.json',
  'secrets/a.txt',
  'a/secrets',
  '.netrc',
  '.git-credentials',
  'x.tfstate',
  'x.tfstate.backup',
  '.htpasswd',
  '.bash_history',
  // Names that a review found open (threat row A35)
  'prod.env',
  'env.local',
  'app.env.local',
  '.env-production',
  '.envrc',
  '.env~',
  '.env copy',
  '.pypirc',
  '.pgpass',
  '.dockercfg',
  '.docker/config.json',
  '.kube/config',
  'kubeconfig',
  '.aws/credentials',
  '.ssh/config',
  'terraform.tfvars',
  '.dev.vars',
  'secrets.json',
  'secrets.yaml',
  'secrets.toml',
  '.secrets',
  'credentials',
  'credentials.yml',
  'credentials.txt',
  'serviceAccountKey.json',
  'firebase-adminsdk-x1.json',
  '.vault_pass',
  '.vscode/sftp.json',
  'client.ovpn',
  'auth.json',
  // Others of their classes
  'deploy_rsa',
  'client_secret_1.json',
  '.azure/msal_token_cache.json',
  '.cargo/credentials.toml',
  '.my.cnf',
  'wallet.kwallet',
  '.gnupg/x',
  'secrets/readme.md',
  'templates/server.key',
  'test/server.key',
  'example.key',
];
const hardDenied = [
  '.git',
  '.git/config',
  '.git/hooks/pre-push',
  'sub/.git',
  '.git/info/attributes',
  '.bare/hooks/pre-push',
];
const protectedOnes = [
  '.vscode/settings.json',
  '.vscode',
  'x.code-workspace',
  '.idea/a.xml',
  '.devcontainer/devcontainer.json',
  'a/.editorconfig',
  '.mcp.json',
  'mcp.json',
  'opencode.json',
  'a/opencode.jsonc',
  '.opencode/agent/a.md',
  '.zed/settings.json',
  '.goosehints',
  '.clinerules/a.md',
  'dotfiles/claude_desktop_config.json',
  '.cursor/mcp.json',
  '.cursorrules',
  '.claude/settings.json',
  'CLAUDE.md',
  'a/AGENTS.md',
  'GEMINI.md',
  '.claude/settings.local.json',
  '.gemini/settings.json',
  '.codex/config.toml',
  '.codex/hooks.json',
  '.cursor/hooks.json',
  '.opencode/plugin/a.js',
  '.opencode/plugins/a.js',
  '.github/hooks/a.json',
  '.github/copilot/settings.json',
  '.roo/x',
  '.clinerules',
  '.clinerules-code',
  '.windsurfrules',
  '.junie/x',
  '.github/copilot-instructions.md',
  '.github/instructions/a.md',
  '.github/skills/a/b.md',
  '.github/hooks/a.json',
  '.github/copilot/settings.json',
  '.github/workflows/ci.yml',
  '.github/actions/a/action.yml',
  '.gitlab-ci.yml',
  'Jenkinsfile',
  '.circleci/config.yml',
  'azure-pipelines.test.yml',
  '.husky/pre-commit',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.gitattributes',
  '.gitmodules',
  '.gitconfig',
  'Makefile',
  '.npmrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'pip.conf',
  'setup.py',
  'conftest.py',
  'build.rs',
  '.cargo/config.toml',
  'gradle/wrapper/gradle-wrapper.properties',
  '.mvn/x',
  '.tool-versions',
  'mise.toml',
  'Dockerfile.dev',
  'docker-compose.yml',
  'x.ps1',
  'x.bat',
  'x.cmd',
  'bin/x.sh',
];
const ordinary = [
  'src/a.ts',
  '.env.example',
  'a/.env.sample',
  '.env.template',
  'env',
  '.github/README.md',
  'gradle/x',
  'cargo/config',
  'git/config',
  '.gitignore',
  'keys.ts',
  'monkey',
  'secretsmanager.ts',
  'package.json',
  '.cargo/x',
  // Samples
  '.env.dist',
  '.env.defaults',
  '.env.local.example',
  'example.env',
  'secrets.example.yml',
  'credentials.sample.json',
  'terraform.tfvars.example',
  'charts/a/templates/secrets.yaml',
  // Source code is never closed by its name
  'secrets/rotate.ts',
  'src/secrets/a/b.py',
  'credentials.go',
  '.env.ts',
  'id_rsa.rs',
  '.ssh/sync.ts',
  // A folder is not the file of its name
  'src/credentials/provider.md',
  'auth.json/x',
  // Certificates, and what tests have in PEM form
  'tls/ca.pem',
  'server-cert.pem',
  'test/fixtures/server.pem',
  'docs/secretsmanager.md',
  'environment.d/x',
  'authors.json',
];

describe('the built-in table of paths', () => {
  it.each(secrets)('classifies %s as secret', (path) => expect(classOf(path)).toBe('secret'));
  it.each(hardDenied)('P18 classifies %s as hard_deny, the .git file of a worktree included', (path) =>
    expect(classOf(path)).toBe('hard_deny'),
  );
  it.each(protectedOnes)('classifies %s as protected', (path) => expect(classOf(path)).toBe('protected'));
  it.each(ordinary)('classifies %s as ordinary', (path) => expect(classOf(path)).toBe('ordinary'));

  it('A35: judges source code and samples alike in a walk and by a resolved path', () => {
    for (const name of [
      'secrets/a.ts',
      'secrets/.vscode/tasks.ts',
      'a/.env.example',
      'a/secrets/b/.env',
      '.ssh/x.ts',
    ]) {
      expect(classOf(name), name).toBe(classOf(name, `/w/${name}`));
    }
    expect(classOf('secrets/.vscode/tasks.ts')).toBe('protected');
  });

  it('A35: lets a folder be listed that is called like a secret file, but none whose files are all secret', () => {
    const listed = (name: string, realPath?: string) =>
      classifyPath({ folder, fsPath: `/w/${name}`, kind: 'directory', ...(realPath && { realPath }) }, rules).class;
    for (const realPath of [undefined, '/w/credentials']) expect(listed('credentials', realPath)).toBe('ordinary');
    for (const name of ['secrets', 'a/.ssh', '.ssh/sub.ts']) expect(listed(name), name).toBe('secret');
  });

  it.each(['.ENV', 'a/.Env.Local', '.GIT/config', '.Git/hooks/pre-commit', '.VSCode/Settings.json'])(
    'P6 classifies %s case-folded',
    (path) => expect(classOf(path)).toBe(classOf(path.toLowerCase())),
  );

  it('P8 compares names in NFC, and takes a look-alike for another file', () => {
    const own: PathRules = { home: '/home/u', privateFolders: ['/w/caf\u00E9'] };
    const classUnder = (path: string) => classifyPath({ folder, fsPath: path, realPath: path }, own).class;
    expect(classUnder('/w/cafe\u0301/a')).toBe('hard_deny');
    expect(classUnder('/w/CAFE\u0301/a')).toBe('hard_deny');
    expect(classOf('\uFF0Eenv')).toBe('ordinary');
  });
});

describe('absolute trees', () => {
  it.each([
    ['/home/u/.ssh/id', 'hard_deny'],
    ['/home/u/.aws', 'hard_deny'],
    ['/home/u/.docker/config.json', 'hard_deny'],
    ['/home/u/.docker/x', 'protected'],
    ['/home/u/.bashrc', 'protected'],
    ['/home/u/.drawbridge/audit/x', 'hard_deny'],
    ['/opt/editor/user-data/User/settings.json', 'hard_deny'],
    ['/opt/editor/user-database/x', 'ordinary'],
    ['/proc/self/environ', 'hard_deny'],
    ['/sys/x', 'hard_deny'],
    ['/dev/null', 'hard_deny'],
    ['/processes/x', 'ordinary'],
    ['/home/u/proj/a.ts', 'ordinary'],
    ['/home/u2/.notes', 'ordinary'],
  ])('%s is %s', (path, expected) => {
    const root = folderAt('/', { name: 'root' });
    expect(classifyPath({ folder: root, fsPath: path, realPath: path }, rules).class).toBe(expected);
    expect(classifyPath({ folder: root, fsPath: path }, rules).class).toBe(expected);
  });
});

describe('P3 the stricter class of name and target', () => {
  it.each([
    ['notes.txt', '/w/.env', 'secret'],
    ['.env', '/w/notes.txt', 'secret'],
    ['x', '/w/.git/config', 'hard_deny'],
    ['x', '/proc/self/environ', 'hard_deny'],
    ['x', '/home/u/.ssh/id', 'hard_deny'],
    ['x', '/w/Makefile', 'protected'],
    ['x', '/w/y', 'ordinary'],
  ])('%s -> %s is %s', (name, target, expected) => expect(classOf(name, target)).toBe(expected));

  it('applies to a folder that is a link', () => {
    const linked = folderAt('/link', { realPath: '/home/u/.ssh' });
    expect(classifyPath({ folder: linked, fsPath: '/link/id' }, rules).class).toBe('hard_deny');
  });
});

describe('a walk that follows no link', () => {
  const found = (fsPath: string, root = folder) => classifyPath({ folder: root, fsPath }, rules).class;

  it('classifies a folder of the window by where it lies, not by its name', () => {
    expect(found('/w')).toBe('ordinary');
    expect(found('/proj/.vscode', folderAt('/proj/.vscode'))).toBe('ordinary');
    expect(found('/home/u/.ssh', folderAt('/home/u/.ssh'))).toBe('hard_deny');
    expect(found('/home/u/.ssh/a', folderAt('/home/u/.ssh'))).toBe('hard_deny');
    expect(found('/proj/.vscode/a', folderAt('/proj/.vscode'))).toBe('ordinary');
  });

  it('classifies files at the root of the disk', () => {
    const disk = folderAt('/', { name: 'disk' });
    expect(found('/proc', disk)).toBe('hard_deny');
    expect(found('/.env', disk)).toBe('secret');
    expect(found('/x', disk)).toBe('ordinary');
  });

  it('reports ordinary and protected files as readable', () => {
    const readable = ['src/a.ts', 'Makefile', '.vscode/tasks.json', '.env', 'secrets/a', '.git/config'].filter((name) =>
      isReadable({ folder, fsPath: `/w/${name}` }, rules),
    );
    expect(readable).toEqual(['src/a.ts', 'Makefile', '.vscode/tasks.json']);
  });

  it('classifies a pattern of two segments and the files beside it the same each time', () => {
    for (let time = 0; time < 3; time += 1) {
      expect(found('/w/.github/workflows/ci.yml')).toBe('protected');
      expect(found('/w/.github/README.md')).toBe('ordinary');
      expect(found('/w/workflows/ci.yml')).toBe('ordinary');
    }
  });
});

describe('globs for ripgrep', () => {
  it('name the denied places inside a folder by lexical or real path, and never the folder itself', () => {
    const own: PathRules = { home: '/home/u', privateFolders: ['/p', '/p/state', '/elsewhere'] };
    const globs = privateGlobs(folderAt('/p'), own).filter((glob) => !glob.startsWith('**/'));
    expect(globs).toEqual(['/state']);
    const linked = folderAt('/p', { realPath: '/real/p' });
    expect(privateGlobs(linked, own)).toContain('/state');
    expect(privateGlobs(linked, { ...own, privateFolders: ['/real/p/own'] })).toContain('/own');
    expect(privateGlobs(folderAt('/home'), own)).toContain('/u/.ssh');
  });

  it('escape special characters in the name of a folder', () => {
    const odd = privateGlobs(folderAt('/p'), { home: '/home/u', privateFolders: ['/p/[x]{y}'] });
    expect(odd).toContain('/[[]x[]][{]y[}]');
  });
});

it('classifies a directory once for all the files in it', () => {
  const paths = Array.from({ length: 2000 }, (_, at) => ({
    folder,
    fsPath: `/w/packages/p${at % 50}/src/lib/file${at}.test.ts`,
  }));
  // Every name that is classified is folded first.
  const folded = vi.spyOn(String.prototype, 'normalize');
  onTestFinished(() => folded.mockRestore());
  const namesFor = (rulesOf: () => PathRules): number => {
    folded.mockClear();
    expect(paths.filter((path) => isReadable(path, rulesOf()))).toHaveLength(paths.length);
    return folded.mock.calls.length;
  };
  // The cache belongs to the rules object, so a new object starts without a cache.
  const anew = namesFor(() => ({ ...rules }));
  const together = namesFor(() => rules);
  expect(together * 3).toBeLessThan(anew);
});

describe('A1: the configuration file of an assistant in a workspace that is the home folder', () => {
  const homes = { linux: '/home/u', darwin: '/Users/u', win32: String.raw`C:\Users\u` };
  const platforms = ['linux', 'darwin', 'win32'] as const;
  it.each(assistants.flatMap((assistant) => platforms.map((platform) => ({ assistant, platform }))))(
    '$assistant.id on $platform',
    ({ assistant, platform }) => {
      const home = homes[platform];
      const editorUserFolder = `${home}/.config/Code/User`;
      const machine = { platform, home, environment: {}, launcher: '', editorUserFolder };
      const fsPath = assistant.configurationFile(machine) ?? '';
      expect(classifyPath({ folder: folderAt(home), fsPath }, { home, privateFolders: [] }).class).toBe('protected');
    },
  );
});
