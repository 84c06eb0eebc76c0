/** What a language service says of a symbol when the mouse rests on it. */
export interface HoverText {
  readonly signature?: string;
  readonly documentation?: string;
}

/** Characters of a documentation that an answer holds. */
const maximumDocumentation = 4000;
const maximumSignature = 2000;

/** Tells the signature, which services put into the first block of code, from the documentation. Both Markdown in. */
export function hoverText(hovers: readonly string[]): HoverText {
  const all = hovers.join('\n\n');
  const block = /```[^\n]*\n([\s\S]*?)\n?```/.exec(all);
  const signature = block?.[1]?.trim() ?? '';
  const documentation = all
    .replace(block?.[0] ?? '', '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return {
    ...(signature === '' ? {} : { signature: cut(signature, maximumSignature) }),
    ...(documentation === '' ? {} : { documentation: cut(documentation, maximumDocumentation) }),
  };
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}
