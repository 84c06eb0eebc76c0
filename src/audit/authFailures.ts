/** Records callers without a valid token. */
import type { Clock } from '#base/clock.ts';
import type { AuditLog } from './auditLog.ts';

export interface AuthFailureOptions {
  readonly clock: Clock;
  readonly auditLog: Pick<AuditLog, 'event'>;
  /** Notifies the user. */
  readonly notify: () => void;
}

const recordedPerMinute = 10;
const minute = 60_000;
const notifyEvery = 10 * minute;

/**
 * Returns a function that records a caller without a valid token. So that such callers cannot fill the disk, it records the first
 * ten of a minute one by one and the rest as a number. It notifies the user at most every ten minutes.
 */
export function authFailureRecorder({ clock, auditLog, notify }: AuthFailureOptions): () => void {
  let count = 0;
  let notified = -Infinity;
  const closeMinute = (): void => {
    if (count > recordedPerMinute) auditLog.event({ event: 'auth.failure', more: count - recordedPerMinute });
    count = 0;
  };
  return () => {
    count += 1;
    if (count === 1) clock.after(minute, closeMinute);
    if (count <= recordedPerMinute) auditLog.event({ event: 'auth.failure' });
    if (clock.monotonic() - notified < notifyEvery) return;
    notified = clock.monotonic();
    notify();
  };
}
