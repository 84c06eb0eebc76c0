/**
 * Returns JSON in which every character is ASCII. Gemini CLI decodes each piece of the output of a hook by itself, so that a longer
 * character which two pieces share would be lost.
 */
export function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[\u007F-\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
