import { type Principal, principalKey } from '#base/principal.ts';
import type { AppliedChange } from '#changes/changes.ts';
import { ownPrincipal } from '#changes/appliedChanges.ts';

/** The changes of one connection of an assistant. */
export interface Session {
  readonly id: string;
  readonly principal: Principal;
  /** Milliseconds since the epoch, of the first change. */
  readonly startedAt: number;
  /** Newest first. */
  readonly changes: readonly AppliedChange[];
}

export interface AssistantHistory {
  readonly id: string;
  /** The name that the assistant reports; empty when it gives none. Undefined for the user, who undoes changes. */
  readonly client: string | undefined;
  /** Newest first. */
  readonly sessions: readonly Session[];
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

/** Groups changes by assistant, most recently active first. @param changes newest first */
export function byAssistant(changes: readonly AppliedChange[]): AssistantHistory[] {
  const authorOf = ({ principal, client }: AppliedChange) => (isOwn(principal) ? undefined : (client?.name ?? ''));
  return [...Map.groupBy(changes, authorOf)].map(([client, own]) => ({
    id: client === undefined ? 'you' : `assistant:${client}`,
    client,
    sessions: [...Map.groupBy(own, ({ principal }) => principalKey(principal)).values()]
      .flatMap(splitAtPauses)
      .map((group) => sessionOf(group, client))
      .toSorted((a, b) => (b.changes[0]?.appliedAt ?? 0) - (a.changes[0]?.appliedAt ?? 0)),
  }));
}

/** @param changes newest first */
export function byDay(changes: readonly AppliedChange[]): Day[] {
  return [...Map.groupBy(changes, ({ appliedAt }) => startOfDay(appliedAt))].map(([start, own]) => ({
    id: `day:${start}`,
    start,
    changes: own,
  }));
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

function sessionOf(changes: readonly AppliedChange[], client: string | undefined): Session {
  const first = changes.at(-1);
  const principal = first?.principal ?? { credential: 'window' };
  // A connection that changes its name has a session under each; a later change of it keeps the id.
  const id = `session:${JSON.stringify([client ?? null, principalKey(principal), first?.id])}`;
  return { id, principal, startedAt: first?.appliedAt ?? 0, changes };
}
