import * as vscode from 'vscode';
import * as z from 'zod';
import type { ResultProfile } from '../core/resultProfile.ts';

/** Bytes of a page as the user writes them: null means no limit. */
const pageBytes = z
  .int()
  .min(1000)
  .max(1_000_000)
  .nullable()
  .transform((bytes) => bytes ?? undefined);

const clients = z.record(
  z.string(),
  z.object({
    text: z.boolean().exactOptional(),
    structured: z.boolean().exactOptional(),
    links: z.boolean().exactOptional(),
    embedded: z.boolean().exactOptional(),
    pageBytes: pageBytes.exactOptional(),
    approvalSeconds: z.int().min(1).max(600).exactOptional(),
  }),
);

export interface Settings {
  readonly reveal: 'never' | 'whenIdle' | 'always';
  readonly notify: boolean;
  readonly markChanges: boolean;
  readonly maxResults: number;
  /** Of text of one read. */
  readonly readBytes: number;
  /** What is kept of texts before and after changes, of all windows. */
  readonly historyMegabytes: number;
  /** How long records of calls are kept. */
  readonly auditRetentionDays: number;
  /** Result profiles by the name a client claims. */
  readonly clients: Readonly<Record<string, Partial<ResultProfile>>>;
}

/** The user's settings as they are now: read once, and again whenever they change. */
export function watchSettings(): { readonly current: () => Settings; readonly dispose: () => void } {
  let current = readSettings();
  const subscription = vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('drawbridge')) current = readSettings();
  });
  return { current: () => current, dispose: () => subscription.dispose() };
}

function readSettings(): Settings {
  return {
    reveal: setting('approvals.reveal', z.enum(['never', 'whenIdle', 'always']), 'never'),
    notify: setting('approvals.notify', z.boolean(), true),
    markChanges: setting('changes.mark', z.boolean(), true),
    maxResults: setting('search.maxResults', z.int().min(1).max(10_000), 200),
    readBytes: setting(
      'read.maxBytes',
      z
        .int()
        .min(1024)
        .max(5 * 1024 * 1024),
      65_536,
    ),
    historyMegabytes: setting('history.maxMegabytes', z.int().min(1).max(100_000), 500),
    auditRetentionDays: setting('audit.retentionDays', z.int().min(1).max(3650), 30),
    clients: setting('clients', clients, {}),
  };
}

/**
 * A setting as the user wrote it: what a workspace says does not count, whatever the editor makes of its scope (threat row
 * A1). A value of the wrong form counts as unset.
 */
function setting<T>(name: string, schema: z.ZodType<T>, fallback: T): T {
  const found = vscode.workspace.getConfiguration('drawbridge').inspect(name);
  return schema.safeParse(found?.globalValue ?? found?.defaultValue).data ?? fallback;
}
