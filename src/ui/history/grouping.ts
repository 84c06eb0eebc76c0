import { type Principal, principalKey } from '#base/principal.ts';
import type { AppliedChange, ChangedFile } from '#changes/changes.ts';
import { ownPrincipal } from '#changes/appliedChanges.ts';

/** The changes of one connection of an assistant. */
export interface Session {
  readonly id: string;
  /** The name that the assistant reports; empty when it gives none. Undefined for the user, who undoes changes. */
  readonly client: string | undefined;
  readonly principal: Principal;
  /** Milliseconds since the epoch, of the first change. */
  readonly startedAt: number;
  /** Newest first. */
  readonly changes: readonly AppliedChange[];
  /** True for the newest session of its assistant. */
  readonly isNewest: boolean;
}

export interface Day {
  readonly id: string;
  /** Midnight before, local time, milliseconds since the epoch. */
  readonly start: number;
  /** Newest first. */
  readonly changes: readonly AppliedChange[];
}

/** Callers that share a credential cannot be told apart, so a pause of this length separates their sessions. */
const pauseMilliseconds = 4 * 60 * 60_000;

/**
 * Groups changes by session. The sessions of one assistant stand together, newest first; the assistant that was active last comes
 * first.
 * @param changes newest first
 */
export function bySession(changes: readonly AppliedChange[]): Session[] {
  const authorOf = ({ principal, client }: AppliedChange) => (isOwn(principal) ? undefined : (client?.name ?? ''));
  return [...Map.groupBy(changes, authorOf)].flatMap(([client, own]) =>
    [...Map.groupBy(own, ({ principal }) => principalKey(principal)).values()]
      .flatMap(splitAtPauses)
      .toSorted((a, b) => (b[0]?.appliedAt ?? 0) - (a[0]?.appliedAt ?? 0))
      .map((group, index) => sessionOf(group, client, index === 0)),
  );
}

/** @param changes newest first */
export function byDay(changes: readonly AppliedChange[]): Day[] {
  return [...Map.groupBy(changes, ({ appliedAt }) => startOfDay(appliedAt))].map(([start, own]) => ({
    id: `day:${start}`,
    start,
    changes: own,
  }));
}

/** Returns the number of files that a session changed, without those of changes that were undone. */
export function changedFiles({ changes }: Pick<Session, 'changes'>): number {
  const applied = changes.filter(({ state }) => state === 'applied').flatMap(({ files }) => files);
  return new Set(applied.map((file) => (file.movedTo ?? file).uri)).size;
}

/** Returns the file of a change that has no other file. */
export function onlyFile({ files }: Pick<AppliedChange, 'files'>): ChangedFile | undefined {
  return files.length === 1 ? files[0] : undefined;
}

/** Returns whether the change is the user's own undo of a file that was edited since. */
export function isOwn(principal: Principal): boolean {
  return principalKey(principal) === principalKey(ownPrincipal);
}

/** Midnight before, local time. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

function splitAtPauses(changes: readonly AppliedChange[]): (readonly AppliedChange[])[] {
  const isOneConnection = changes[0]?.principal.connectionId !== undefined;
  if (isOneConnection) return [changes];
  const starts = changes.flatMap(({ appliedAt }, index) => {
    const later = changes[index - 1]?.appliedAt;
    return later === undefined || later - appliedAt > pauseMilliseconds ? [index] : [];
  });
  return starts.map((start, index) => changes.slice(start, starts[index + 1]));
}

function sessionOf(changes: readonly AppliedChange[], client: string | undefined, isNewest: boolean): Session {
  const first = changes.at(-1);
  const principal = first?.principal ?? { credential: 'window' };
  // A connection that changes its name has a session under each; a later change of it keeps the id.
  const id = `session:${JSON.stringify([client ?? null, principalKey(principal), first?.id])}`;
  return { id, client, principal, startedAt: first?.appliedAt ?? 0, changes, isNewest };
}
