import { join } from 'node:path';
import * as z from 'zod';
import type { AuditLog } from '#audit/auditLog.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { Mode, ScopedRule } from '../rules.ts';
import { askingRules } from './askingRules.ts';
import { oncePerTurn } from './oncePerTurn.ts';
import { RuleChanges } from './ruleChanges.ts';
import { readSmallFile, stampOf } from './smallFile.ts';
import { readStrictRules } from './strictRules.ts';

/** The settings of the administrators of this machine (docs/managed-policy.md). */
export interface ManagedSettings {
  readonly rules: readonly ScopedRule[];
  readonly modesNotAllowed: readonly Mode[];
  /** When `required`, the user cannot delete the audit log; it is kept for at least `retentionDays`. */
  readonly audit: { readonly required: boolean; readonly retentionDays?: number };
  /** The number of `allow` rules in the file; all of them are ignored. */
  readonly ignored: number;
  /** Why an existing file cannot be used; assistants can then only read. */
  readonly problem?: string;
}

const unmanaged: ManagedSettings = {
  rules: [],
  modesNotAllowed: [],
  audit: { required: false },
  ignored: 0,
};

const shape = z.strictObject({
  $schema: z.string().exactOptional(),
  version: z.literal(1),
  rules: z.array(z.unknown()).max(2000).default([]),
  modesNotAllowed: z.array(z.enum(['manual', 'acceptEdits', 'unattended'])).default([]),
  audit: z
    .strictObject({ required: z.boolean(), retentionDays: z.int().min(1).max(3650).exactOptional() })
    .default({ required: false }),
});

const mostBytes = 1024 * 1024;
/** Follows links, since the tools of administrators often create them. */
const followsLink = true;

/** Returns the path where administrators put the policy of a machine. */
export function managedPolicyPath(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (platform === 'win32') return join(environment['ProgramData'] ?? 'C:\\ProgramData', 'Drawbridge', 'policy.json');
  if (platform === 'darwin') return '/Library/Application Support/Drawbridge/policy.json';
  return '/etc/drawbridge/policy.json';
}

export interface ManagedPolicyOptions {
  /** Absolute path of the file; see {@link managedPolicyPath}. */
  readonly path: string;
  readonly tools: () => readonly string[];
  readonly auditLog: Pick<AuditLog, 'event'>;
}

/**
 * The policy of this machine. The editor has no policies for the settings of extensions, so it is a file that only an
 * administrator can write. It only makes things stricter. The file is checked before each decision.
 */
export class ManagedPolicy {
  readonly #options: ManagedPolicyOptions;
  readonly #changes: RuleChanges;
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #look = oncePerTurn(() => {
    if (this.#stamp === stampOf(this.path, { followsLink })) return;
    this.#read();
    this.#changed.fire();
  });
  #stamp: string | undefined;
  #settings = unmanaged;

  constructor(options: ManagedPolicyOptions) {
    this.#options = options;
    this.#changes = new RuleChanges(options.auditLog, []);
    this.#read();
  }

  get path(): string {
    return this.#options.path;
  }

  /** The settings in the current file. */
  get settings(): ManagedSettings {
    this.#look();
    return this.#settings;
  }

  #read(): void {
    this.#stamp = stampOf(this.path, { followsLink });
    this.#settings = readManagedSettings(this.path, this.#options.tools());
    this.#changes.record(
      this.#settings.rules.map((scoped) => ({ id: scoped.rule.id, scope: 'managed', text: JSON.stringify(scoped) })),
    );
  }
}

/** Fails closed: an existing file that cannot be used allows nothing but reads, and every read asks. */
export function readManagedSettings(path: string, tools: readonly string[]): ManagedSettings {
  try {
    const text = readSmallFile(path, { mostBytes, followsLink });
    if (text === undefined) return unmanaged;
    const { rules: written, modesNotAllowed, audit } = shape.parse(JSON.parse(text));
    return { ...readStrictRules(written, tools, 'managed'), modesNotAllowed, audit };
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : String(error);
    const problem = `${path} cannot be used: ${reason}`;
    return {
      rules: askingRules('managed', problem, { reads: true }),
      modesNotAllowed: ['manual', 'acceptEdits', 'unattended'],
      audit: { required: true },
      ignored: 0,
      problem,
    };
  }
}
