import * as vscode from 'vscode';
import * as z from 'zod';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import { type GuardLevel, guardLevels } from '#base/nativeCommand.ts';
import type { ToolPin } from '#call/ports/otherTools.ts';
import type { ResultProfile } from '#call/resultProfile.ts';
import type { ToolChoices } from '#call/windowCatalog.ts';

/** Bytes of a page as the user writes them in the settings; null means no limit. */
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

/** Earlier versions had `true` for a notification that named no files, and `false` for none. */
const notify = z.union([
  z.enum(['full', 'brief', 'off']),
  z.boolean().transform((isOn) => (isOn ? ('brief' as const) : ('off' as const))),
]);

export interface Settings {
  readonly reveal: 'never' | 'whenIdle' | 'always';
  readonly notify: z.infer<typeof notify>;
  /** Which requests that the user chooses are opened in the review tab. */
  readonly openInTab: 'never' | 'large' | 'always';
  readonly markChanges: boolean;
  readonly maxResults: number;
  /** Bytes of text that one read returns. */
  readonly readBytes: number;
  /** Megabytes for the texts before and after changes, of all windows together. */
  readonly historyMegabytes: number;
  /** Days for which records of tool calls are kept. */
  readonly auditRetentionDays: number;
  /** The toolsets and tools that the user turned on or off, by name. */
  readonly toolsets: ToolChoices;
  /** The tools of other extensions that assistants may call. */
  readonly relayedTools: readonly ToolPin[];
  /** Result profiles by the name that a client reports. */
  readonly clients: Readonly<Record<string, Partial<ResultProfile>>>;
  /** The ids of commands that assistants may request. */
  readonly allowedCommands: readonly string[];
  /** What is reviewed of an assistant's own edits and commands, by its name. */
  readonly guardLevels: Readonly<Record<string, GuardLevel>>;
  /** Whether files that are changed outside Drawbridge and the editor are listed while an assistant is active. */
  readonly listOutsideChanges: boolean;
  /** Commands offered as tools. The items are not validated yet, so that one bad item does not discard the others. */
  readonly commandTools: readonly unknown[];
}

export interface WatchedSettings extends Subscription {
  readonly current: () => Settings;
  /** Fires when any setting may have changed. */
  readonly onDidChange: Event<void>;
}

/** Reads the user's settings, and reads them again whenever they change. */
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
    notify: setting('approvals.notify', notify, 'full'),
    openInTab: setting('review.openInTab', z.enum(['never', 'large', 'always']), 'large'),
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
    guardLevels: setting('guard.levels', z.record(z.string(), z.enum(guardLevels)), {}),
    listOutsideChanges: setting('outsideChanges.list', z.boolean(), true),
    commandTools: setting('commandTools', z.array(z.unknown()), []),
  };
}

/**
 * Returns a setting from the user's own settings. Ignores values of the workspace, whatever the scope of the setting (threat
 * row A1). A value that does not match the schema counts as unset.
 */
function setting<T>(name: string, schema: z.ZodType<T>, fallback: T): T {
  const found = vscode.workspace.getConfiguration('drawbridge').inspect(name);
  return schema.safeParse(found?.globalValue ?? found?.defaultValue).data ?? fallback;
}
