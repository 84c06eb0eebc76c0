import * as vscode from 'vscode';
import * as z from 'zod';
import type { ClientInfo } from '#base/principal.ts';
import { profileFor, type ResultProfile } from '#call/resultProfile.ts';

const name = 'clients';

/**
 * The result format of each client: the built-in profile, and the user's changes by the name that it claims (setting
 * `drawbridge.clients`).
 */
export interface ClientProfiles {
  inForce(client: ClientInfo | undefined): ResultProfile;
  isChanged(client: ClientInfo | undefined): boolean;
  /**
   * Writes the user's settings. Values equal to the built-in profile are not stored, so that later versions can improve them.
   */
  change(client: ClientInfo, changed: Partial<ResultProfile>): Promise<void>;
  reset(client: ClientInfo): Promise<void>;
}

/** @param overrides the current value of the setting */
export function clientProfiles(overrides: () => Readonly<Record<string, Partial<ResultProfile>>>): ClientProfiles {
  return {
    inForce: (client) => profileFor(client, overrides()),
    isChanged: (client) => client !== undefined && Object.hasOwn(overrides(), client.name),
    async change(client, changed) {
      const all = written();
      const known = new Map<string, unknown>(Object.entries(storable(profileFor(client, {}))));
      const own = Object.hasOwn(all, client.name) ? record.safeParse(all[client.name]).data : undefined;
      const next = Object.entries({ ...own, ...storable(changed) }).filter(
        ([field, value]) => value !== known.get(field),
      );
      if (next.length === 0) return write(without(all, client.name));
      return write({ ...all, [client.name]: Object.fromEntries(next) });
    },
    reset: (client) => write(without(written(), client.name)),
  };
}

const record = z.record(z.string(), z.unknown());

/** Returns the setting as the user wrote it, including values that Drawbridge does not know. */
function written(): Readonly<Record<string, unknown>> {
  return record.safeParse(vscode.workspace.getConfiguration('drawbridge').inspect(name)?.globalValue).data ?? {};
}

async function write(value: Readonly<Record<string, unknown>>): Promise<void> {
  const isEmpty = Object.keys(value).length === 0;
  const configuration = vscode.workspace.getConfiguration('drawbridge');
  await configuration.update(name, isEmpty ? undefined : value, vscode.ConfigurationTarget.Global);
}

function without(all: Readonly<Record<string, unknown>>, client: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(all).filter(([other]) => other !== client));
}

/** JSON has no undefined, so no limit is null. */
function storable(profile: Partial<ResultProfile>): Readonly<Record<string, unknown>> {
  return 'pageBytes' in profile ? { ...profile, pageBytes: profile.pageBytes ?? null } : profile;
}
