import * as vscode from 'vscode';
import * as z from 'zod';

/** The manifest fields that tell which languages an extension serves. Malformed fields of other extensions count as absent. */
const manifest = z.object({
  main: z.string().optional().catch(undefined),
  activationEvents: z.array(z.string()).catch([]),
  contributes: z
    .object({ languages: z.array(z.object({ id: z.string(), extensions: z.array(z.string()).catch([]) })).catch([]) })
    .catch({ languages: [] }),
});

/** Returns the extensions that have code for a language; for most languages there is only a grammar. */
export function languageExtensions(languageId: string): readonly vscode.Extension<unknown>[] {
  return vscode.extensions.all.filter((extension) => {
    const { main, activationEvents, contributes } = manifest.parse(extension.packageJSON);
    if (main === undefined) return false;
    return (
      activationEvents.includes(`onLanguage:${languageId}`) || contributes.languages.some(({ id }) => id === languageId)
    );
  });
}

/** Returns the file endings, such as ".py", by language id. */
export function languageFileEndings(): ReadonlyMap<string, readonly string[]> {
  const endings = new Map<string, readonly string[]>();
  for (const { packageJSON } of vscode.extensions.all) {
    for (const { id, extensions } of manifest.parse(packageJSON).contributes.languages) {
      endings.set(id, [...(endings.get(id) ?? []), ...extensions]);
    }
  }
  return endings;
}

/** Activations by language id. */
const starting = new Map<string, Promise<unknown>>();

/**
 * Activates the extensions of a language and waits for them. The editor activates them when it opens a first file of the
 * language, but runs provider commands without waiting for them, so that no service answers.
 */
export function activateLanguageExtensions(languageId: string): Promise<unknown> {
  const started = starting.get(languageId);
  if (started !== undefined) return started;
  const inactive = languageExtensions(languageId).filter(({ isActive }) => !isActive);
  const start = Promise.allSettled(inactive.map((extension) => extension.activate()));
  starting.set(languageId, start);
  return start;
}

/** Makes the next call activate the extensions of a language again, since one may have been installed meanwhile. */
export function forgetActivation(languageId: string): void {
  starting.delete(languageId);
}
