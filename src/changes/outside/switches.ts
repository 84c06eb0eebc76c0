/** Branch switches of the user: each is one line of the list, whatever the number of files that it changes. */
import { relativeTo } from '#policy/paths.ts';
import type { Baseline } from './baseline.ts';
import type { DiskEntry } from './diskEntry.ts';
import type { Head } from './gitPlaces.ts';
import type { OutsideChange } from './outsideChange.ts';
import type { Snapshot } from './snapshot.ts';

/** A branch switch. */
interface Switch {
  /** Root of the repository. */
  readonly root: string;
  readonly commit: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** When it was seen, in milliseconds since the epoch: what changed later is not explained by it. */
  readonly seen: number;
  /** The number of files that it explains. */
  count: number;
}

/** Remembers what each repository has checked out, and since when. */
export class Switches {
  readonly #heads = new Map<string, Head>();
  /** When each was looked at last, in milliseconds since the epoch. */
  readonly #looks = new Map<string, number>();
  /** The newest of each repository. */
  readonly #switches = new Map<string, Switch>();

  begin(heads: ReadonlyMap<string, Head>, now: number): void {
    this.#heads.clear();
    this.#looks.clear();
    for (const [root, head] of heads) {
      this.#heads.set(root, head);
      this.#looks.set(root, now);
    }
  }

  /**
   * Notes what is checked out now. Returns true when the user switched, which is so when no call of an assistant ran meanwhile.
   * @param isByCall returns whether a call ran since that time
   */
  see(heads: ReadonlyMap<string, Head>, now: number, isByCall: (since: number) => boolean): boolean {
    let isSwitched = false;
    for (const [root, head] of heads) {
      const before = this.#heads.get(root);
      const looked = this.#looks.get(root) ?? 0;
      this.#heads.set(root, head);
      this.#looks.set(root, now);
      if (before === undefined || head.commit === before.commit) continue;
      this.#switches.delete(root);
      if (head.commit === undefined || isByCall(looked)) continue;
      const [from, to] = [before.branch ?? before.commit, head.branch ?? head.commit];
      this.#switches.set(root, { root, commit: head.commit, from, to, seen: now, count: 0 });
      isSwitched = true;
    }
    return isSwitched;
  }

  /** Returns, of the changed files, those that a switch explains, each with the baseline that the commit gives it. */
  async explain(
    snapshot: Snapshot,
    changed: ReadonlyMap<string, DiskEntry>,
    changedAt: (fsPath: string) => number | undefined,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Baseline>> {
    const found = new Map<string, Baseline>();
    for (const line of this.#switches.values()) {
      const candidates = candidatesOf(line, changed, changedAt);
      if (candidates.size === 0) continue;
      for (const [fsPath, baseline] of await snapshot.checkedOut(line.root, line.commit, candidates, signal)) {
        found.set(fsPath, baseline);
        line.count += 1;
      }
    }
    return found;
  }

  lines(): readonly OutsideChange[] {
    return [...this.#switches.values()].flatMap((each) => {
      const { root, from, to, count } = each;
      return count === 0 ? [] : [{ type: 'switch' as const, id: idOf(each), root, from, to, count }];
    });
  }

  forget(id: string): void {
    for (const [root, each] of this.#switches) if (idOf(each) === id) this.#switches.delete(root);
  }
}

function idOf({ root, commit, seen }: Switch): string {
  return `switch\n${root}\n${commit}\n${seen}`;
}

/** Returns those of the changed files that a switch can explain: they did not change after it was seen. */
function candidatesOf(
  { root, seen }: Switch,
  changed: ReadonlyMap<string, DiskEntry>,
  changedAt: (fsPath: string) => number | undefined,
): ReadonlyMap<string, DiskEntry> {
  return new Map(
    [...changed].filter(
      ([fsPath]) => relativeTo(root, fsPath) !== undefined && (changedAt(fsPath) ?? Infinity) <= seen,
    ),
  );
}
