import { createHash } from 'node:crypto';
import type { AuditResource } from '#audit/auditLog.ts';

/** An address outside the workspace as the record keeps it: equal ones can be told to be equal, and no more is told. */
export function outsideResource(address: string): AuditResource {
  const name = /[^/\\]*$/.exec(address)?.[0] ?? '';
  const digest = createHash('sha256').update(address).digest('hex').slice(0, 16);
  return { outside: `${digest} ${name.slice(0, 100)}` };
}
