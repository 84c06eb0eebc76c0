import { readFileSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { listAuditFiles } from '#audit/auditFiles.ts';
import type { CallStart } from '#audit/auditLog.ts';
import { FileAuditLog } from '#audit/fileAuditLog.ts';
import { Redactor } from '#audit/redactor.ts';
import type { RunEnd } from '#audit/runEnds.ts';
import { StoredHeads } from '#audit/storedHeads.ts';
import { verifyRun, type RunReport } from '#audit/verifyRun.ts';
import type { StateFolder } from '#home/stateFolder.ts';
import { auditDecision } from '../fakes/auditDecision.ts';
import { FakeClock } from '../fakes/clock.ts';
import { temporaryState } from '../home/temporaryState.ts';

export const call: CallStart = {
  tool: 'read_file',
  principal: { credential: 'window' },
  client: { name: 'codex ü\uFFFD', version: '1' },
  protocolVersion: undefined,
  arguments: { path: 'src/a.ts' },
};

/** The secret storage of an editor. */
export class FakeSecrets {
  readonly kept = new Map<string, string>();
  async get(key: string): Promise<string | undefined> {
    await setImmediate();
    return this.kept.get(key);
  }
  async store(key: string, value: string): Promise<void> {
    await setImmediate();
    this.kept.set(key, value);
  }
}

/** The heads of the runs of a state folder. */
export function storedHeads(state: StateFolder, storage = new FakeSecrets()): StoredHeads {
  return new StoredHeads({ storage, state, host: 'machine', settleMilliseconds: 0 });
}

/** One run of a window, whose files a test may damage. */
export function auditRun({
  state = temporaryState(),
  windowId = 'w-1',
  clock = new FakeClock(),
  mostFileBytes = 1024 * 1024,
  redactor = new Redactor(),
  before,
}: {
  state?: StateFolder;
  windowId?: string;
  clock?: FakeClock;
  mostFileBytes?: number;
  redactor?: Redactor;
  before?: readonly RunEnd[];
} = {}) {
  const failures: unknown[] = [];
  const log = new FileAuditLog({
    state,
    windowId,
    instanceId: 'run-1',
    clock,
    redactor,
    onFailure: (error) => failures.push(error),
    mostFileBytes,
    ...(before && { before }),
  });
  /** Two lines. */
  const oneCall = (): void =>
    log.begin(call).end({
      outcome: 'ok',
      resources: [{ path: 'src/a.ts' }],
      decision: auditDecision(),
      durationMilliseconds: 1,
      bytesOut: 2,
    });
  const files = () => listAuditFiles(state.audit);
  /** @param live with what the window knows of its end */
  const verify = async (live = false): Promise<RunReport> => verifyRun(await files(), live ? { head: log.head } : {});
  const { path } = log.head;
  const lines = (file = path): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
  const damage = (change: (lines: string[]) => readonly string[], file = path): void =>
    writeFileSync(file, `${change(lines(file)).join('\n')}\n`);
  return { state, clock, redactor, log, failures, path, oneCall, files, verify, lines, damage };
}
