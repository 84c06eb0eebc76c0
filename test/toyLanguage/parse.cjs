'use strict';
// The toy language, line by line:
//   #flat links ...          words that choose shapes of answers; the first line only
//   class Name : Base        up to `end`        fn name(first, second)   up to `end`
//   var name : Class         call name          get name                 set name
//   import "other.toy"       link https://...   color #ff8800            problem text

/** The words of the first line, if it is `#...`. */
function optionsOf(text) {
  const [first = ''] = text.split(/\r?\n/, 1);
  return new Set(first.startsWith('#') ? first.slice(1).split(/\s+/) : []);
}

/** @returns `{ options, lines, symbols, uses }`; lines and columns 0-based, the ends of ranges `[line, column]` exclusive */
function parse(text) {
  const lines = text.split(/\r?\n/);
  const symbols = [];
  const uses = [];
  const open = [];
  lines.forEach((line, at) => {
    const [, indent, keyword, gap, name = '', rest = ''] = /^(\s*)(\w+)(\s*)([\w.]*)(.*)$/.exec(line) ?? [];
    const column = (indent + keyword + gap).length;
    const use = (used, start, access) => uses.push({ name: used, start: [at, start], access, within: open.at(-1) });
    if (keyword === 'end') {
      const closed = open.pop();
      if (closed) closed.end = [at, line.length];
    } else if (['class', 'fn', 'var'].includes(keyword) && name !== '') {
      const [typed, other] = /:\s*(\w+)/.exec(rest) ?? [];
      const signature = /^\(.*?\)/.exec(rest)?.[0];
      const symbol = {
        kind: keyword,
        name,
        signature,
        base: other,
        start: [at, indent.length],
        end: [at, line.length],
      };
      Object.assign(symbol, { nameStart: [at, column], parent: open.at(-1), children: [] });
      (open.at(-1)?.children ?? symbols).push(symbol);
      if (typed) use(other, line.lastIndexOf(other), 'type');
      if (keyword !== 'var') open.push(symbol);
    } else if (['call', 'get', 'set'].includes(keyword) && name !== '') {
      use(name, column, keyword);
    }
  });
  return { options: optionsOf(text), lines, symbols, uses };
}

/** Symbols with what is inside them, in the order of the text. */
function allSymbols(symbols) {
  return symbols.flatMap((symbol) => [symbol, ...allSymbols(symbol.children)]);
}

module.exports = { parse, allSymbols, optionsOf };
