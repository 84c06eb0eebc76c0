/** Between the pieces of a key: white space, also spelt as in JSON, and what stands around a line in source code and diffs. */
const gap = /(?:[\r\n][\t ]{0,40}(?:-(?!-)|[>#|*]|\/\/)|\s|\\{1,4}[nr]|\\(?=[\r\n])|["'`,;]){0,400}/y;
const header = /[A-Z][A-Za-z-]{1,30}: [^\r\n\\"]{0,200}/y;
const piece = /[A-Za-z0-9+/]{1,50000}={0,2}/y;
const endLine = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY/y;

/** Shorter pieces are words. */
const shortestPiece = 16;

interface Body {
  readonly start: number;
  readonly end: number;
}

/**
 * The body of a private key whose BEGIN line ends at an offset (PEM, OpenSSH, PGP), lines or one line with `\n` spelt out.
 * One without an END line reaches as far as it looks like base64. Undefined when there is none: code may name the line only.
 */
export function privateKeyBody(text: string, beginEnd: number): Body | undefined {
  let at = skip(gap, text, beginEnd);
  const start = at;
  for (let next = skip(header, text, at); next > at; next = skip(header, text, at)) at = skip(gap, text, next);
  return closedBody(text, start, at) ?? openBody(text, start, at);
}

function closedBody(text: string, start: number, dataStart: number): Body | undefined {
  let at = dataStart;
  let end = start;
  let longest = 0;
  for (let next = skip(piece, text, at); next > at; next = skip(piece, text, at)) {
    longest = Math.max(longest, next - at);
    end = next;
    at = skip(gap, text, next);
  }
  return longest >= shortestPiece && skip(endLine, text, at) > at ? { start, end } : undefined;
}

function openBody(text: string, start: number, dataStart: number): Body | undefined {
  let at = dataStart;
  let end = start;
  for (let next = skip(piece, text, at); looksRandom(text.slice(at, next)); next = skip(piece, text, at)) {
    end = next;
    at = skip(gap, text, next);
  }
  return end === start ? undefined : { start, end };
}

/** Upper and lower case and digits, and too long for a word. */
function looksRandom(text: string): boolean {
  return text.length >= shortestPiece && /[a-z]/.test(text) && /[A-Z]/.test(text) && /[0-9]/.test(text);
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}
