/**
 * Returns JSON in which every character is ASCII. Gemini CLI 0.61.0 decodes each piece of the output of a hook separately, so that
 * a longer character would be lost when two pieces share it.
 */
export function asciiJson(json: string): string {
  return json.replaceAll(
    /[\u007F-\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
