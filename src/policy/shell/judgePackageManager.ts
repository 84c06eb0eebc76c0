import { type CommandContext, judgeScriptText, resolvePath } from './context.ts';
import { atLeast, both, type FileTarget, type Judgement, judged } from './verdict.ts';
import type { Word } from './words.ts';

const managers: ReadonlySet<string> = new Set('npm pnpm yarn bun'.split(' '));
/** Subcommands that are short for `run`. Source: npm documentation, npm-test, npm-start, npm-stop, npm-restart. */
const shorthands: Readonly<Record<string, string>> = {
  test: 'test',
  t: 'test',
  tst: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
};
/** Subcommands that change `package.json`, the lock file and `node_modules`. */
const installing: ReadonlySet<string> = new Set(
  'install i in ci add a uninstall un remove rm r update up upgrade dedupe prune link ln unlink init create pkg set version import'.split(
    ' ',
  ),
);
/** Options with a value in the next word, which name another folder. */
const otherFolder = /^(?:--prefix|-C|--dir|--cwd|-w|--workspace|--filter|-F)(?:=|$)/;

/** Judges `npm run` and the like down to the text of the script; undefined for another program. */
export async function judgePackageManager(
  name: string,
  words: readonly Word[],
  context: CommandContext,
): Promise<Judgement | undefined> {
  if (!managers.has(name)) return undefined;
  const manifestPath = resolvePath(context.folder, 'package.json');
  const manifest: FileTarget = manifestPath === undefined ? 'anywhere' : { path: manifestPath };
  const operands = words.slice(1).filter(({ value }) => value === undefined || !value.startsWith('-'));
  const [first, second] = operands.map(({ value }) => value);
  const goesElsewhere = words.some(({ value }) => value === undefined || otherFolder.test(value));
  if (first !== undefined && installing.has(first)) {
    return judged('runs', `\`${name} ${first}\` changes packages and runs their scripts`, { scripts: [manifest] });
  }
  const isRun = first === 'run' || first === 'run-script';
  const script = isRun
    ? second
    : first === undefined
      ? undefined
      : (shorthands[first] ?? (name === 'npm' ? undefined : first));
  if (script === undefined || goesElsewhere) {
    return judged('runs', `\`${name}\` runs something that is not known`, {
      scripts: [goesElsewhere ? 'anywhere' : manifest],
    });
  }
  let found = judged('runs', `\`${name}\` runs the script \`${script}\` of package.json`, { scripts: [manifest] });
  for (const each of [`pre${script}`, script, `post${script}`]) {
    const text = context.folder === undefined ? undefined : await context.ports.scriptOf?.(context.folder, name, each);
    // What the script runs is known only by name: programs of node_modules come first on its PATH.
    if (text !== undefined) found = both(found, await judgeScriptText(text, 'bash', `${name} ${each}`, context));
  }
  return atLeast('runs', `\`${name}\` runs the script \`${script}\` of package.json`, found);
}

/** Programs that follow a manifest in the folder, with its usual names. */
const manifests: Readonly<Record<string, string>> = {
  make: 'Makefile',
  gmake: 'Makefile',
  just: 'justfile',
  task: 'Taskfile.yml',
  cargo: 'Cargo.toml',
  go: 'go.mod',
  mvn: 'pom.xml',
  mvnw: 'pom.xml',
  gradle: 'build.gradle',
  gradlew: 'build.gradle',
  rake: 'Rakefile',
  bundle: 'Gemfile',
  ant: 'build.xml',
  dotnet: 'Directory.Build.props',
  cmake: 'CMakeLists.txt',
  ninja: 'build.ninja',
  bazel: 'BUILD.bazel',
  tox: 'tox.ini',
  nox: 'noxfile.py',
  pytest: 'conftest.py',
  jest: 'package.json',
  vitest: 'package.json',
  mocha: 'package.json',
  composer: 'composer.json',
  poetry: 'pyproject.toml',
  uv: 'pyproject.toml',
  pip: 'pyproject.toml',
  docker: 'Dockerfile',
  'docker-compose': 'docker-compose.yml',
  terraform: 'main.tf',
  vagrant: 'Vagrantfile',
};

/** Judges a program that runs what a manifest in the folder says; undefined for another program. */
export function judgeManifest(name: string, words: readonly Word[], context: CommandContext): Judgement | undefined {
  const usual = Object.hasOwn(manifests, name) ? manifests[name] : undefined;
  if (usual === undefined) return undefined;
  const at = words.findIndex(({ value }) => value === '-f' || value === '--file');
  const named = at < 0 ? usual : words[at + 1]?.value;
  const goesElsewhere = words.some(
    ({ value }) => value === undefined || /^-C|^--directory|^--manifest-path/.test(value),
  );
  const path = goesElsewhere || named === undefined ? undefined : resolvePath(context.folder, named);
  return judged('runs', `\`${name}\` runs what \`${named ?? usual}\` says`, {
    scripts: [path === undefined ? 'anywhere' : { path }],
  });
}
