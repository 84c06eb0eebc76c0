import { plain, shortened } from './visibleText.ts';

const longest = 300;

/** What somebody else wrote, for a list of choices: the editor would draw `$(name)` as an icon there (threat rows A5, A19). */
export function choiceText(text: string): string {
  return shortened(plain(text), longest).replaceAll('$(', '\\$(');
}

/** What somebody else wrote, for a notification: the editor would make a link of `[text](command:...)` there. */
export function notificationText(text: string): string {
  return shortened(plain(text), longest).replaceAll('](', '] (');
}
