const escaped = { $: '\uE000', '}': '\uE001', '\\': '\uE002', '|': '\uE003', ',': '\uE004' } as const;

/** The text that a snippet leaves when nobody fills it in: of placeholders their default, of choices the first. */
export function textOfSnippet(snippet: string): string {
  let text = snippet;
  for (const [character, stand] of Object.entries(escaped)) text = text.replaceAll(`\\${character}`, stand);
  for (let before; before !== text;) {
    before = text;
    // The innermost first: defaults may have placeholders in them.
    text = text
      .replaceAll(/\$\{\w+:((?:[^$}]|\$(?!\{))*)\}/g, '$1')
      .replaceAll(/\$\{\d+\|([^,|}]*)[^}]*\}/g, '$1')
      .replaceAll(/\$\{\w+(?:\/[^{}]*)?\}|\$\w+/g, '');
  }
  for (const [character, stand] of Object.entries(escaped)) text = text.replaceAll(stand, () => character);
  return text;
}
