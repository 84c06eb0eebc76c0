import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyBaseline, hashedBaseline } from '#changes/outside/baseline.ts';
import { type DiskEntry, gitBlobId, sha256Of } from '#changes/outside/diskEntry.ts';
import { OutsideChanges } from '#changes/outside/outsideChanges.ts';
import type { Snapshot } from '#changes/outside/snapshot.ts';
import { size } from '../../size.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { FakeHistory } from '../../fakes/history.ts';
import { claude } from './outsideSetUp.ts';

const names = ['/w/a', '/w/b', '/w/c', '/w/d'];
const name = fc.constantFrom(...names);
/** Few texts, so that a file often comes back to what it was before. */
const text = fc.constantFrom('1', '2', '3', undefined);

type Step =
  | { readonly type: 'outside'; readonly path: string; readonly text: string | undefined; readonly isSeen: boolean }
  | {
      readonly type: 'editor' | 'ours';
      readonly path: string;
      readonly text: string | undefined;
      readonly isLate: boolean;
    }
  | { readonly type: 'hint'; readonly path: string }
  | { readonly type: 'call'; readonly isBegin: boolean }
  | { readonly type: 'keep'; readonly share: number }
  | { readonly type: 'settle' | 'look' | 'session' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('outside' as const), path: name, text, isSeen: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('editor' as const, 'ours' as const),
      path: name,
      text,
      isLate: fc.boolean(),
    }),
  },
  fc.record({ type: fc.constant('hint' as const), path: name }),
  fc.record({ type: fc.constant('call' as const), isBegin: fc.boolean() }),
  fc.record({ type: fc.constant('keep' as const), share: fc.nat(3) }),
  { weight: 2, arbitrary: fc.constantFrom<Step>({ type: 'settle' }, { type: 'look' }, { type: 'session' }) },
);

/** Files in memory, the list that looks at them, and a model of what it must show. */
class World {
  readonly clock = new FakeClock();
  readonly disk = new Map<string, string>([
    ['/w/a', '1'],
    ['/w/b', '1'],
  ]);
  readonly changedAt = new Map<string, number>();
  /** The last text of each file that the user need not look at; undefined for a missing file. */
  readonly accepted = new Map<string, string | undefined>(names.map((path) => [path, this.disk.get(path)]));
  /** Writes of the editor and of Drawbridge that were not reported yet. */
  readonly late: (() => void)[] = [];
  readonly errors: unknown[] = [];
  readonly changes: OutsideChanges;

  constructor() {
    const none = async (): Promise<undefined> => undefined;
    this.changes = new OutsideChanges({
      clock: this.clock,
      disk: {
        look: async (path) => this.entryOf(path),
        read: async (path) => {
          const found = this.disk.get(path);
          return { entry: this.entryOf(path), ...(found !== undefined && { bytes: Buffer.from(found) }) };
        },
        changedAt: (path) => this.changedAt.get(path),
      },
      contents: new FakeHistory(),
      isSecret: () => false,
      sources: { document: none, read: none, commit: none },
      covers: () => true,
      takeSnapshot: async () => ({ snapshot: this.#snapshot(), drop: () => undefined }),
      onError: (error) => void this.errors.push(error),
    });
  }

  entryOf(path: string): DiskEntry {
    const found = this.disk.get(path);
    if (found === undefined) return { kind: 'missing' };
    const bytes = Buffer.from(found);
    const gitIds = { sha1: gitBlobId('sha1', bytes), sha256: gitBlobId('sha256', bytes) };
    const facts = { sha256: sha256Of(bytes), gitIds, size: bytes.length, mode: 0o644, isBinary: false };
    return { kind: 'file', ...facts, stamp: `${found} ${this.changedAt.get(path) ?? 0}` };
  }

  write(path: string, content: string | undefined): void {
    this.clock.advance(100);
    this.changedAt.set(path, this.clock.now());
    if (content === undefined) this.disk.delete(path);
    else this.disk.set(path, content);
  }

  /** Returns the lines as the model expects them. A move is two of them here. */
  expected(): readonly string[] {
    return names.filter((path) => this.disk.get(path) !== this.accepted.get(path));
  }

  #snapshot(): Snapshot {
    const taken = new Map(this.disk);
    return {
      roots: ['/w'],
      gaps: [],
      read: async (path) => {
        const content = taken.get(path);
        if (content === undefined) return emptyBaseline('snapshot', 'missing');
        const bytes = Buffer.from(content);
        return hashedBaseline('snapshot', { kind: 'file', sha256: sha256Of(bytes), mode: 0o644 }, async () => bytes);
      },
      differences: async () => ({
        paths: names.filter((path) => this.disk.get(path) !== taken.get(path)),
        ignored: [],
      }),
      doubtSince: () => undefined,
      ignoredRoots: async () => new Map(),
      heads: async () => new Map(),
      checkedOut: async () => new Map(),
    };
  }
}

async function take(world: World, each: Step): Promise<void> {
  const { changes } = world;
  switch (each.type) {
    case 'outside':
      world.write(each.path, each.text);
      if (each.isSeen) changes.fileChanged(each.path);
      return;
    case 'editor':
    case 'ours': {
      world.write(each.path, each.text);
      world.accepted.set(each.path, each.text);
      const bytes = each.text === undefined ? undefined : Buffer.from(each.text);
      const report = (): void => {
        const hash = bytes && sha256Of(bytes);
        if (each.type === 'editor') changes.writtenByEditor(each.path, hash, bytes);
        else changes.writtenByUs(each.path, hash);
      };
      // Reports of one file come in their order, but may be late.
      if (each.isLate || world.late.length > 0) world.late.push(report);
      else report();
      return;
    }
    case 'hint':
      changes.fileChanged(each.path);
      return;
    case 'call':
      if (each.isBegin) changes.callBegan(claude, 'x', 'command');
      else await changes.callEnded(claude, 'x');
      return;
    case 'keep': {
      for (const report of world.late.splice(0)) report();
      await changes.look();
      const { duringCalls, byOthers } = changes.changes();
      const lines = [...duringCalls, ...byOthers].filter((_, index) => index % (each.share + 1) === 0);
      await changes.keep(lines.map(({ id }) => id));
      for (const line of lines) {
        for (const { fsPath } of line.type === 'file' ? line.files : []) {
          world.accepted.set(fsPath, world.disk.get(fsPath));
        }
      }
      return;
    }
    case 'settle':
      return changes.settled();
    case 'look':
      return changes.look();
    case 'session':
      // A second session changes nothing of the list of the first.
      changes.sessionBegan({ credential: 'other' });
      return changes.sessionEnded({ credential: 'other' });
    default:
      return each satisfies never;
  }
}

test('lists after a turn exactly the files whose bytes nobody accepted, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const world = new World();
      world.changes.sessionBegan(claude);
      await world.changes.ready(1_000);
      for (const each of steps) await take(world, each);
      for (const report of world.late.splice(0)) report();
      await world.changes.turnEnded(claude);
      const { duringCalls, byOthers } = world.changes.changes();
      const files = [...duringCalls, ...byOthers].flatMap((line) => (line.type === 'file' ? line.files : []));
      expect(files.map(({ fsPath }) => fsPath).toSorted()).toEqual(world.expected());
      for (const { fsPath, before, now } of files) {
        expect(now).toEqual(world.entryOf(fsPath));
        const base = world.accepted.get(fsPath);
        expect(before.kind).toBe(base === undefined ? 'missing' : 'file');
        if (before.contentId !== undefined) expect(Buffer.from(await before.content()).toString()).toBe(base);
      }
      expect(world.errors).toEqual([]);
      world.changes.dispose();
    }),
    { numRuns: size({ quick: 300, full: 10_000 }) },
  );
});
