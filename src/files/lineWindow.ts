/** Finds lines in a stream of text in bounded memory, with the text around them. */

/** Characters of the window; what does not fit is left out. */
const most = 4 * 1024 * 1024;
/** Characters before and after the window. A secret of any shape but a private key has at most a quarter of that. */
const around = 1024 * 1024;

/** Collects the lines of a range from pieces of a text. */
export class LineWindow {
  readonly #firstLine: number;
  readonly #endLine: number;
  #before = '';
  #window = '';
  #after = '';
  /** The line at which the text that was added ends. */
  #line = 1;
  #isCut = false;
  #pending = '';
  readonly #lineEnds = new Set<string>();

  constructor(firstLine: number, lineCount: number) {
    this.#firstLine = firstLine;
    this.#endLine = firstLine + lineCount;
  }

  add(piece: string): void {
    const text = this.#pending + piece;
    // A carriage return at the end may belong to a line feed that comes next.
    this.#pending = text.endsWith('\r') ? '\r' : '';
    this.#addLines(this.#pending === '' ? text : text.slice(0, -1));
  }

  /** Returns the lines, and where they are in the text. */
  end(): {
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly totalLines: number;
    readonly eol: 'lf' | 'crlf' | 'mixed';
  } {
    if (this.#pending !== '') this.#addLines('\r');
    const start = this.#before.length;
    const endsWithLine = this.#line >= this.#endLine && this.#window.endsWith('\n') && !this.#isCut;
    const kinds = [...this.#lineEnds];
    return {
      text: this.#before + this.#window + this.#after,
      start,
      end: start + this.#window.length - (endsWithLine ? 1 : 0),
      totalLines: this.#line,
      eol: kinds.length > 1 || kinds[0] === '\r' ? 'mixed' : kinds[0] === '\r\n' ? 'crlf' : 'lf',
    };
  }

  #addLines(text: string): void {
    if (this.#lineEnds.size < 3) for (const [end] of text.matchAll(/\r\n|\r|\n/g)) this.#lineEnds.add(end);
    const lf = text.includes('\r') ? text.replaceAll(/\r\n|\r/g, '\n') : text;
    const start = this.#advance(lf, 0, this.#firstLine);
    this.#before = (this.#before + lf.slice(0, start)).slice(-around);
    const end = this.#advance(lf, start, this.#endLine);
    let rest = lf.slice(end);
    if (this.#isCut) rest = lf.slice(start);
    else {
      this.#window += lf.slice(start, end);
      this.#isCut = this.#window.length > most;
      rest = this.#window.slice(most) + rest;
      this.#window = this.#window.slice(0, most);
    }
    if (this.#after.length < around) this.#after = (this.#after + rest).slice(0, around);
    this.#advance(lf, end, Infinity);
  }

  /** Goes on to the start of a line, or to the end of the text. */
  #advance(lf: string, from: number, line: number): number {
    let at = from;
    while (this.#line < line) {
      const end = lf.indexOf('\n', at);
      if (end < 0) return lf.length;
      this.#line += 1;
      at = end + 1;
    }
    return at;
  }
}
