import { plain, shortened } from './visibleText.ts';

/** Characters of untrusted text that are shown. */
const longest = 300;

/** Escapes untrusted text for a quick pick, in which the editor draws `$(name)` as an icon (threat rows A5, A19). */
export function choiceText(text: string): string {
  return shortened(plain(text), longest).replaceAll('$(', '\\$(');
}

/** Escapes untrusted text for a notification, in which the editor turns `[text](command:...)` into a link. */
export function notificationText(text: string): string {
  return shortened(plain(text), longest).replaceAll('](', '] (');
}
