import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { until } from './until.ts';
import type { Window } from './window.ts';

const windowRecord = z.looseObject({
  version: z.literal(1),
  windowId: z.string(),
  endpoint: z.url(),
  /** Where programs with an access token connect; absent while there is no token, or the port is in use. */
  httpEndpoint: z.url().optional(),
  token: z.string(),
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
  trusted: z.boolean(),
  pid: z.int(),
});

/** The facts that a window with a running server publishes in `windows/<id>.json` below DRAWBRIDGE_HOME. */
export type WindowRecord = z.infer<typeof windowRecord>;

/** The records of all windows of a DRAWBRIDGE_HOME; those being written are left out. */
export function windowRecords(home: string): WindowRecord[] {
  return fileNames(join(home, 'windows')).flatMap((name) => {
    const record = readRecord(join(home, 'windows', name));
    return record === undefined ? [] : [record];
  });
}

/** Waits for the record that the present extension host of a window wrote. */
export async function windowRecordOf(home: string, window: Window): Promise<WindowRecord> {
  const ours = () => windowRecords(home).find(({ pid }) => pid === window.extensionHostPid);
  return until(ours, `the window file of the extension host ${window.extensionHostPid} in ${home}`);
}

function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return []; // no window has started yet
  }
}

function readRecord(file: string): WindowRecord | undefined {
  try {
    return windowRecord.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
