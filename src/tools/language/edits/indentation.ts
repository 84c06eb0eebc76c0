/** Ends of blocks, which stand as deep as their beginning. */
const blockEnd = /^(?:[)\]}>]|<\/|end\b|fi\b|done\b|esac\b)/;

/**
 * A text with LF whose first line stands as deep as `line`. The others stay as they are when they fit that; when the text was
 * written from the left margin, they are moved along.
 */
export function indentedLike(line: string, text: string): string {
  if (text.trim() === '') return '';
  const wanted = indentOf(line);
  const lines = text
    .replaceAll(/\r\n|\r/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .split('\n');
  const [first = '', ...rest] = lines;
  const isFromMargin = indentOf(first) === '' && rest.some((one) => one.trim() !== '' && !fits(one, wanted, first));
  if (!isFromMargin) return [wanted + first.trimStart(), ...rest].join('\n');
  return lines.map((one) => (one.trim() === '' ? one : wanted + one)).join('\n');
}

/** As deep as the first line is where a comment goes on or a block ends; in a block that has no end mark, deeper. */
function fits(line: string, wanted: string, first: string): boolean {
  const own = indentOf(line);
  if (!own.startsWith(wanted)) return false;
  return own.length > wanted.length || blockEnd.test(line.trimStart()) || !/:\s*(?:#.*)?$/.test(first);
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
