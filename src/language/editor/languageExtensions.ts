import * as vscode from 'vscode';
import * as z from 'zod';

/** What of an extension's manifest tells which languages it serves. Others write these: what is not as it should be says nothing. */
const manifest = z.object({
  main: z.string().optional().catch(undefined),
  activationEvents: z.array(z.string()).catch([]),
  contributes: z
    .object({ languages: z.array(z.object({ id: z.string(), extensions: z.array(z.string()).catch([]) })).catch([]) })
    .catch({ languages: [] }),
});

/** The extensions of this window that have code for a language; most languages have a mere grammar. */
export function languageExtensions(languageId: string): readonly vscode.Extension<unknown>[] {
  return vscode.extensions.all.filter((extension) => {
    const { main, activationEvents, contributes } = manifest.parse(extension.packageJSON);
    if (main === undefined) return false;
    return (
      activationEvents.includes(`onLanguage:${languageId}`) || contributes.languages.some(({ id }) => id === languageId)
    );
  });
}

/** Endings of the files of languages, such as ".py", by language. */
export function languageFileEndings(): ReadonlyMap<string, readonly string[]> {
  const endings = new Map<string, readonly string[]>();
  for (const { packageJSON } of vscode.extensions.all) {
    for (const { id, extensions } of manifest.parse(packageJSON).contributes.languages) {
      endings.set(id, [...(endings.get(id) ?? []), ...extensions]);
    }
  }
  return endings;
}

const starting = new Map<string, Promise<unknown>>();

/**
 * Waits until the extensions of a language run. The editor starts them when it opens a first file of it, but asks them without
 * waiting, and then nobody answers.
 */
export function activateLanguageExtensions(languageId: string): Promise<unknown> {
  const started = starting.get(languageId);
  if (started !== undefined) return started;
  const inactive = languageExtensions(languageId).filter(({ isActive }) => !isActive);
  const start = Promise.allSettled(inactive.map((extension) => extension.activate()));
  starting.set(languageId, start);
  return start;
}

/** Something may have been installed since. */
export function forgetActivation(languageId: string): void {
  starting.delete(languageId);
}
