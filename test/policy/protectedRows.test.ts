import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import { decideProposal } from '#policy/decide.ts';
import { dangerOf, protectedRows } from '#policy/protectedRows.ts';
import type { Mode, Rule } from '#policy/rules.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';
import { at, createOf, editOf, moveOf, proposalOf } from './changes.ts';

interface Case {
  readonly mode?: Mode;
  readonly rules?: readonly Omit<Rule, 'id'>[];
}

function judge(change: FileChange, { mode = 'acceptEdits', rules = [] }: Case = {}) {
  const policy = new FakePolicy(...rules.map((rule) => ruleOf(rule)));
  policy.currentMode = mode;
  return decideProposal({
    tool: { risk: 'edit' },
    proposal: proposalOf(change),
    workspace: new FakeWorkspace(),
    pathRules: { home: '/home/u', privateFolders: [] },
    policy,
    caller: { tool: 'apply_edit', principal: { credential: 'window' } },
  });
}

/** Files that were written without a question in Accept edits, and others of their classes. */
const alone = [
  ['continuous integration', ['.travis.yml', 'bitbucket-pipelines.yml', '.drone.yml', '.woodpecker.yml']],
  ['continuous integration', ['.buildkite/pipeline.yml', 'appveyor.yml', 'cloudbuild.yaml', '.gitea/workflows/a.yml']],
  ['continuous integration', ['.forgejo/workflows/a.yml', '.teamcity/settings.kts', '.semaphore/semaphore.yml']],
  [
    'continuous integration',
    ['.gitlab-ci-test.yml', 'ci/build.Jenkinsfile', 'buildspec.yml', '.cirrus.yml', '.tekton/a.yaml'],
  ],
  ['hosting', ['netlify.toml', 'vercel.json', 'Procfile', '.github/dependabot.yml', 'CODEOWNERS', 'renovate.json']],
  ['agents', ['.kiro/steering/a.md', '.continue/config.yaml', '.amazonq/rules/a.md', '.agents/skills/a/SKILL.md']],
  ['agents', ['.agent/rules/a.md', '.aiassistant/rules/a.md', '.trae/rules/a.md', '.qwen/settings.json', 'QWEN.md']],
  ['agents', ['.augment/rules/a.md', '.factory/droids/a.md', 'WARP.md', 'AGENT.md', '.rules', 'CONVENTIONS.md']],
  [
    'agents',
    ['.aider.conf.yml', '.copilot/mcp-config.json', '.kilocode/mcp.json', '.crush.json', 'a/x.instructions.md'],
  ],
  [
    'agents',
    ['AGENTS.override.md', '.codeiumignore', '.rooignore', '.clinerules/a.md', '.aiderignore', 'mcp_config.json'],
  ],
  [
    'editors',
    ['.devcontainer.json', '.gitpod.yml', '.idx/dev.nix', '.replit', 'x.sublime-project', '.exrc', '.dir-locals.el'],
  ],
  ['extensions', ['.eslintrc.js', 'eslint.config.js', '.prettierrc.js', 'prettier.config.mjs', '.stylelintrc.js']],
  [
    'extensions',
    ['jest.config.ts', 'vite.config.ts', 'vitest.config.mts', '.pnp.cjs', '.yarn/releases/yarn.cjs', '.pylintrc'],
  ],
  ['extensions', ['tailwind.config.js', 'CMakeLists.txt', 'build.gradle', 'Cargo.toml', 'src/App.csproj', '.clangd']],
  ['version control', ['.hg/hgrc', '.svn/entries', '.jj/repo/config.toml', '_darcs/prefs/defaults', '.bzr/branch/x']],
  [
    'version control',
    ['.githooks/pre-push', '.huskyrc.js', '.lintstagedrc.json', 'lint-staged.config.js', '.overcommit.yml'],
  ],
  ['shells', ['mise.toml', 'devenv.nix', '.bashrc', '.zshrc', '.profile', 'Microsoft.PowerShell_profile.ps1']],
] as const;

const atNextCommand = [
  [
    'builds',
    ['Justfile', 'Taskfile.yml', 'Rakefile', 'gulpfile.js', 'BUILD.bazel', 'meson.build', 'tox.ini', 'noxfile.py'],
  ],
  ['builds', ['webpack.config.js', 'babel.config.js', 'rollup.config.mjs', '.swcrc', 'next.config.ts']],
  [
    'packages',
    ['binding.gyp', 'pnpm-workspace.yaml', 'package.yaml', 'package.json5', 'bunfig.toml', 'deno.json', 'Gemfile'],
  ],
  [
    'packages',
    ['pyproject.toml', 'requirements-dev.txt', 'composer.json', 'pom.xml', 'gradlew', 'mvnw', 'go.mod', 'a.gemspec'],
  ],
  [
    'packages',
    ['package-lock.json', 'yarn.lock', 'Package.swift', 'Podfile', 'pubspec.yaml', 'flake.nix', 'NuGet.Config'],
  ],
  ['consoles', ['.gdbinit', '.lldbinit', '.pdbrc', '.Rprofile', 'sitecustomize.py', '.irbrc']],
  ['containers', ['Containerfile', 'web.Dockerfile', 'Dockerfile.dev', 'docker-bake.hcl', 'compose.override.yml']],
  ['scripts', ['bin/x.sh', 'x.zsh', 'x.fish', 'x.psm1', 'x.command']],
] as const;

const everything: Omit<Rule, 'id'> = { effect: 'allow', class: 'edit', paths: ['**'] };

describe('P19 files that act without a command of the user', () => {
  it.each(alone)('asks in Accept edits, whatever the rules say, about %s: %j', (_, names) => {
    for (const name of names) {
      const rules = [everything, { ...everything, paths: [name] }];
      expect(judge(createOf(at(name)), { rules }), name).toMatchObject({ effect: 'ask', step: 'once_only' });
    }
  });

  it('judges a move by its stricter end', () => {
    const rules = [{ effect: 'allow' as const, tools: ['apply_edit'], paths: ['Makefile', '.vscode/**'] }];
    for (const [from, to] of [
      ['Makefile', '.vscode/tasks.json'],
      ['.vscode/tasks.json', 'Makefile'],
    ] as const) {
      expect(judge(moveOf(at(from), at(to)), { rules })).toMatchObject({ protectedBy: ['**/.vscode'], onceOnly: true });
    }
    expect(judge(editOf(at('.github/workflows/Makefile'))).onceOnly).toBe(true);
  });
});

describe('P20 files that act at the next command of the user', () => {
  it.each(atNextCommand)('asks in Accept edits, unless a rule names them, about %s: %j', (_, names) => {
    for (const name of names) {
      const file = editOf(at(name));
      expect(judge(file), name).toMatchObject({ effect: 'ask', onceOnly: false });
      expect(judge(file, { mode: 'unattended' }), name).toMatchObject({ effect: 'deny' });
      for (const mode of ['manual', 'acceptEdits', 'unattended'] as const) {
        const rules = [{ ...everything, paths: [name] }];
        expect(judge(file, { mode, rules }), name).toMatchObject({ effect: 'allow', step: 'allow_rule' });
      }
    }
  });

  it.each([
    ['every file', ['**']],
    ['a folder', ['packages/**']],
    ['all files of a kind', ['*.json']],
    ['no file', undefined],
  ])('asks although a rule allows edits of %s', (_, paths) => {
    const rule = { effect: 'allow', class: 'edit', ...(paths && { paths }) } as const;
    const scripts = editOf(at('packages/a/package.json'), '{}', '{"scripts":{"test":"x"}}');
    expect(judge(scripts, { rules: [rule] })).toMatchObject({ effect: 'ask', step: 'default' });
    expect(judge(editOf(at('packages/a/x.json')), { rules: [rule] }).effect).toBe('allow');
    expect(judge(editOf(at('packages/a/x.sh')), { rules: [rule] }).effect).toBe('ask');
  });

  it.each([['package.json'], ['packages/*/package.json'], ['{Makefile,package.json}']])(
    'allows a package.json by the path %s',
    (path) => {
      const change = editOf(at(path.includes('/') ? 'packages/a/package.json' : 'package.json'), '{}', '{"bin":"x"}');
      expect(judge(change, { rules: [{ ...everything, paths: [path] }] }).effect).toBe('allow');
    },
  );

  it('is of class config for rules that deny or ask', () => {
    for (const name of ['Makefile', '.vscode/tasks.json']) {
      const allowed = { ...everything, paths: [name] };
      expect(judge(editOf(at(name)), { rules: [allowed, { effect: 'deny', class: 'config' }] }).effect).toBe('deny');
    }
  });

  it.each(
    ['eslintConfig', 'prettier', 'jest', 'babel', 'ava', 'mocha', 'nodemonConfig', 'gypfile', 'volta', 'pnpm'].concat([
      'dependenciesMeta',
      'lint-staged',
      'stylelint',
      'overrides',
      'devEngines',
      'config',
      'preinstall',
      'nx',
    ]),
  )('A25: asks when the key %s of a package.json changes', (key) => {
    const change = editOf(at('package.json'), '{}', JSON.stringify({ [key]: { a: 'x' } }));
    expect(judge(change)).toMatchObject({ effect: 'ask', protectedBy: ['**/package.json'] });
  });

  it('does not ask when a package.json changes what neither runs nor loads code', () => {
    const harmless = {
      version: '2',
      description: 'x',
      keywords: [],
      main: 'a.js',
      exports: {},
      files: [],
      license: 'MIT',
    };
    expect(judge(editOf(at('package.json'), '{}', JSON.stringify(harmless))).effect).toBe('allow');
  });
});

describe('the table of protected files', () => {
  it.each([
    ['source code', ['src/build/a.ts', 'src/workspace/a.ts', 'app/tasks.py', 'src/configure/a.c', 'src/config.ts']],
    ['texts', ['README.md', 'docs/agents/a.md', 'CHANGELOG.md', '.gitignore', '.npmignore', 'LICENSE']],
    ['data', ['tsconfig.json', 'src/rules.json', 'i18n/en.json', 'a.css', '.nvmrc', 'db/schema.sql', 'test/a.test.ts']],
  ])('has no row for %s: %j', (_, names) => {
    for (const name of names) expect(judge(editOf(at(name))), name).toMatchObject({ effect: 'allow' });
  });

  it('tells the danger of each row in one sentence, and lists no pattern twice', () => {
    for (const { danger, patterns } of protectedRows) {
      expect(danger).toMatch(/^[A-Z][^.]{20,130}\.$/);
      for (const pattern of patterns) expect(dangerOf(`**/${pattern}`), pattern).toBe(danger);
    }
    const all = protectedRows.flatMap(({ patterns }) => patterns);
    expect(all.filter((pattern, index) => all.indexOf(pattern) !== index)).toEqual([]);
    expect(all.filter((pattern) => pattern !== pattern.toLowerCase())).toEqual([]);
    expect(dangerOf('**/package.json')).toContain('install');
    expect(dangerOf('~/.*')).toContain('home folder');
    expect(dangerOf('**/of-an-older-version')).toBeUndefined();
  });
});
