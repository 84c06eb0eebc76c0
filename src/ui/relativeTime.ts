import * as vscode from 'vscode';

const units = [
  { unit: 'day', milliseconds: 86_400_000 },
  { unit: 'hour', milliseconds: 3_600_000 },
  { unit: 'minute', milliseconds: 60_000 },
] as const;

/** How long ago a time was, in the editor's language, for example "3 minutes ago". Times in milliseconds since the epoch. */
export function relativeTime(time: number, now: number): string {
  const past = Math.max(0, now - time);
  const words = new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto' });
  for (const { unit, milliseconds } of units) {
    if (past >= milliseconds) return words.format(-Math.floor(past / milliseconds), unit);
  }
  return words.format(0, 'second');
}
