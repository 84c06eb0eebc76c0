import * as vscode from 'vscode';
import * as z from 'zod';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import type { ToolPin } from '#call/ports/otherTools.ts';
import type { ResultProfile } from '#call/resultProfile.ts';
import type { ToolChoices } from '#call/windowCatalog.ts';

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
    readBytes: z
      .int()
      .min(1000)
      .max(5 * 1024 * 1024)
      .exactOptional(),
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
  /** Toolsets and tools that the user turned on or off, by name. */
  readonly toolsets: ToolChoices;
  /** Tools of other extensions that assistants are offered. */
  readonly relayedTools: readonly ToolPin[];
  /** Result profiles by the name a client claims. */
  readonly clients: Readonly<Record<string, Partial<ResultProfile>>>;
  /** Ids of commands that assistants may ask for. */
  readonly allowedCommands: readonly string[];
  /** Commands made into tools; not checked, so that one bad entry leaves the others. */
  readonly commandTools: readonly unknown[];
}

export interface WatchedSettings extends Subscription {
  readonly current: () => Settings;
  /** Any of them may be another one. */
  readonly onDidChange: Event<void>;
}

/** The user's settings as they are now: read once, and again whenever they change. */
export function watchSettings(): WatchedSettings {
  let current = readSettings();
  const changed = new Emitter<void>();
  const subscription = vscode.workspace.onDidChangeConfiguration((change) => {
    if (!change.affectsConfiguration('drawbridge')) return;
    current = readSettings();
    changed.fire();
  });
  return { current: () => current, onDidChange: changed.event, dispose: () => subscription.dispose() };
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
    toolsets: setting('toolsets', z.record(z.string(), z.boolean()), {}),
    relayedTools: setting('relay.tools', z.array(z.object({ name: z.string(), hash: z.string() })), []),
    clients: setting('clients', clients, {}),
    allowedCommands: setting('commands.allow', z.array(z.string()), []),
    commandTools: setting('commandTools', z.array(z.unknown()), []),
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
