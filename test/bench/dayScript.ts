import { integer, pick, type Random, seededRandom, sourceLines } from './sourceText.ts';

interface StepBase {
  /** Seconds since the morning. */
  readonly at: number;
}

/** A change or read of an assistant. */
export type AssistantStep = StepBase & {
  readonly assistant: 0 | 1 | 2;
  /** True when the user edits the file while the change waits, or before it is sent when the user is not asked. */
  readonly crossed: boolean;
} & (
    | { readonly kind: 'edit'; readonly paths: readonly string[]; readonly lines: number; readonly where: number }
    | { readonly kind: 'create'; readonly path: string; readonly lines: number }
    | { readonly kind: 'delete'; readonly path: string; readonly committed: boolean }
    | { readonly kind: 'move'; readonly path: string; readonly to: string }
  );

/** The user adds one line to a file. */
export type UserStep = StepBase & { readonly kind: 'user'; readonly path: string };

export interface Day {
  /** Texts by workspace-relative path, as they are in the morning. */
  readonly files: ReadonlyMap<string, string>;
  readonly steps: readonly (AssistantStep | UserStep)[];
}

export const assistantEdits = 300;
export const userEdits = 40;
const crossedEdits = 12;

const areas = ['src/cart', 'src/catalog', 'src/checkout', 'src/api', 'src/ui', 'docs', 'docs/guides'] as const;
const guarded = [
  '.github/workflows/ci.yml',
  'AGENTS.md',
  '.vscode/settings.json',
  'Dockerfile',
  '.npmrc',
  'Makefile',
] as const;
const filesOfArea = 8;
/** How many of `assistantEdits` are of each special kind. */
const quotas = { guarded: 12, create: 24, delete: 8, move: 7 };
/** One assistant renames a symbol in many files within a few minutes. */
const sweep = { session: 20, calls: 26, files: 3, gapSeconds: 12 };

/** Returns a day of eight hours, the same at every run: assistants take turns and work on one area for some minutes each. */
export function makeDay(): Day {
  const random = seededRandom(21);
  const names = new Map<string, readonly string[]>(areas.map((area) => [area, namesOf(area)]));
  const files = new Map<string, string>();
  for (const path of [...[...names.values()].flat(), ...testsOf(names), ...legacy(), ...guarded]) {
    files.set(path, textOf(random, 40 + integer(random, 120)));
  }
  const steps = sessions(random, names);
  return { files, steps: [...steps, ...userSteps(random, steps, names)].toSorted((a, b) => a.at - b.at) };
}

/** Returns the given number of lines for a new or changed file. */
export function textOf(random: Random, lines: number): string {
  return `${sourceLines(random, lines).join('\n')}\n`;
}

function namesOf(area: string): string[] {
  const extension = area.startsWith('docs') ? 'md' : 'ts';
  return Array.from({ length: filesOfArea }, (_, at) => `${area}/part${at + 1}.${extension}`);
}

function testsOf(names: ReadonlyMap<string, readonly string[]>): string[] {
  return [...names.values()].flat().flatMap((path) => (path.startsWith('src/') ? [testOf(path)] : []));
}

function testOf(path: string): string {
  return path.replace(/^src/, 'tests').replace(/\.ts$/, '.test.ts');
}

/** Files that no other step edits, to be deleted or moved. */
function legacy(): string[] {
  return Array.from({ length: quotas.delete + quotas.move }, (_, at) => `src/legacy/old${at + 1}.ts`);
}

type Work = AssistantStep extends infer Step
  ? Step extends AssistantStep
    ? Omit<Step, 'at' | 'assistant' | 'crossed'>
    : never
  : never;

function sessions(random: Random, names: ReadonlyMap<string, readonly string[]>): AssistantStep[] {
  const special = specialWork(random);
  const steps: AssistantStep[] = [];
  let at = 0;
  for (let session = 0; steps.length < assistantEdits; session += 1) {
    const assistant = ([0, 1, 2] as const)[session % 3] ?? 0;
    const area = pick(random, areas);
    const isSweep = session === sweep.session;
    const calls = isSweep ? sweep.calls : 6 + integer(random, 8);
    for (let call = 0; call < calls && steps.length < assistantEdits; call += 1) {
      at += isSweep ? sweep.gapSeconds : 15 + integer(random, 35);
      const usual = (): Work => (isSweep ? sweepWork(random, call, names) : editWork(random, names.get(area) ?? []));
      const work = special.get(steps.length) ?? usual();
      // Some edits conflict with an edit of the user in the same file.
      const crossed =
        !isSweep && work.kind === 'edit' && steps.length % Math.floor(assistantEdits / crossedEdits) === 7;
      steps.push({ at, assistant, crossed, ...work });
    }
    at += 180 + integer(random, 480);
  }
  return steps;
}

function editWork(random: Random, names: readonly string[]): Work {
  const path = names[integer(random, names.length)] ?? '';
  const others = random() < 0.25 ? [path.startsWith('src/') ? testOf(path) : (names[0] ?? path)] : [];
  const lines = 1 + integer(random, 12);
  return { kind: 'edit', paths: [...new Set([path, ...others])], lines, where: random() };
}

function sweepWork(random: Random, call: number, names: ReadonlyMap<string, readonly string[]>): Work {
  const all = [...[...names.values()].flat(), ...testsOf(names)];
  const paths = Array.from({ length: sweep.files }, (_, index) => all[(call * sweep.files + index) % all.length] ?? '');
  return { kind: 'edit', paths, lines: 1, where: random() };
}

/** The steps that are not plain edits, by the number of the edit of the day, spread over the day. */
function specialWork(random: Random): ReadonlyMap<number, Work> {
  const old = legacy();
  const works: Work[] = [
    ...Array.from({ length: quotas.guarded }, (_, at): Work => {
      return { kind: 'edit', paths: [guarded[at % guarded.length] ?? guarded[0]], lines: 2, where: random() };
    }),
    ...Array.from({ length: quotas.create }, (_, at): Work => {
      return { kind: 'create', path: `${pick(random, areas)}/new${at + 1}.ts`, lines: 20 + integer(random, 40) };
    }),
    // The last two files are not committed.
    ...Array.from({ length: quotas.delete }, (_, at): Work => {
      return { kind: 'delete', path: old[at] ?? '', committed: at < quotas.delete - 2 };
    }),
    ...Array.from({ length: quotas.move }, (_, at): Work => {
      const path = old[quotas.delete + at] ?? '';
      return { kind: 'move', path, to: path.replace('legacy', 'shared') };
    }),
  ];
  const free = Array.from({ length: assistantEdits }, (_, at) => at);
  return new Map(works.map((work) => [free.splice(integer(random, free.length), 1)[0] ?? 0, work]));
}

function userSteps(
  random: Random,
  steps: readonly AssistantStep[],
  names: ReadonlyMap<string, readonly string[]>,
): UserStep[] {
  const end = steps.at(-1)?.at ?? 0;
  const crossed = steps.filter((step) => step.crossed).length;
  const all = [...names.values()].flat();
  return Array.from({ length: userEdits - crossed }, () => {
    // Half-way between two seconds, so never at the time of an assistant's step.
    return { kind: 'user', at: integer(random, end) + 0.5, path: all[integer(random, all.length)] ?? '' };
  });
}
