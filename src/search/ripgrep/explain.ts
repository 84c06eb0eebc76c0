import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';

const supported =
  'The syntax is that of the Rust regex crate: look-around and backreferences are not supported; set isRegex to false to search for the text itself.';

/** What ripgrep wrote to its error stream as an error that a model can act on. */
export function explain(errorText: string): Error {
  const text = errorText.replace(/^rg: /gm, '');
  if (/regex (parse error|could not be compiled)|error parsing regex|exceeds size limit/i.test(text)) {
    const reason = /^error: (.+)$/m.exec(text)?.[1] ?? text.split('\n')[0] ?? '';
    return new InvalidArgumentsError(`query is not a valid regular expression: ${sentence(reason)} ${supported}`);
  }
  if (/the literal .* is not allowed in a regex/i.test(text)) {
    return new InvalidArgumentsError('query spans lines: set multiline to true.');
  }
  if (/pattern contains .* impossible to match/i.test(text)) {
    return new InvalidArgumentsError('query can match no text: no line of a text file holds that character.');
  }
  const glob = /error parsing glob '(.*?)': (.+)/.exec(text) ?? /glob.*?'(.*?)'.*?: (.+)/i.exec(text);
  if (glob !== null) {
    return new InvalidArgumentsError(
      `${JSON.stringify((glob[1] ?? '').replace(/^!?(\*\*\/|\/)?/, ''))} is not a valid glob: ${sentence(glob[2] ?? '')}`,
    );
  }
  const first = text.split('\n')[0] ?? '';
  return new ToolError('unavailable', `ripgrep failed: ${sentence(first)}`, 'Try a simpler search, or tell the user.');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
