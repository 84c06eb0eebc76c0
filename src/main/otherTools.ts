import { createHash } from 'node:crypto';
import type { AuditLog } from '#audit/auditLog.ts';
import type { Log } from '#audit/editor/log.ts';
import { canonicalJson } from '#base/canonicalJson.ts';
import type { Clock } from '#base/clock.ts';
import type { Tool } from '#call/tool.ts';
import type { WindowCatalog } from '#call/windowCatalog.ts';
import type { RegisteredTools } from '#editor/extensionApi.ts';
import { createOtherTools } from '#editor/otherTools.ts';
import type { WatchedSettings } from '#editor/settings.ts';
import { RelayedTools } from '#tools/commands/relayedTools.ts';
import { tools } from '#tools/index.ts';

export interface RelaySources {
  readonly registered: RegisteredTools;
  readonly settings: WatchedSettings;
  readonly auditLog: Pick<AuditLog, 'event'>;
  readonly log: Pick<Log, 'warn'>;
  readonly clock: Clock;
}

/** Creates the port to the tools of other extensions, and the list of those that the user turned on. */
export function createRelay({ registered, settings, auditLog, log, clock }: RelaySources) {
  const otherTools = createOtherTools({ registered, own: () => tools, clock });
  const relayed = new RelayedTools({
    otherTools,
    pins: () => settings.current().relayedTools,
    onDidChangePins: settings.onDidChange,
    onStale({ name, hash }) {
      log.warn(`The tool ${name} is not what you let be offered, so it is turned off: confirm it in the Tools view`);
      auditLog.event({ event: 'tool.pin', state: 'changed', name, pin: hash });
    },
  });
  return { otherTools, relayed };
}

/** Writes the hash of the offered tools into the log, now and whenever it changes (threat row A9). */
export function logToolList(catalog: Pick<WindowCatalog, 'offered' | 'onDidChange'>, log: Pick<Log, 'infoWithHash'>) {
  const tell = (): void =>
    log.infoWithHash(
      `Assistants are offered ${catalog.offered.length} tools; SHA-256 ${toolListHash(catalog.offered)}`,
    );
  tell();
  return catalog.onDidChange(tell);
}

/** Returns the SHA-256 (hex) over the names, descriptions and input schemas of tools. */
export function toolListHash(offered: readonly Pick<Tool, 'name' | 'description' | 'input'>[]): string {
  const told = offered.map(({ name, description, input }) => ({ name, description, inputSchema: input.jsonSchema }));
  return createHash('sha256').update(canonicalJson(told)).digest('hex');
}
