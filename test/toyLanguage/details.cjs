'use strict';
// Everything that an editor shows beside, in and under the text.
const vscode = require('vscode');
const { allSymbols, optionsOf, parse } = require('./parse.cjs');
const { program, declarationsOf, usesOf, wordAt, nameRange, rangeOf, refuses } = require('./program.cjs');

/** `#strings`: in the old form. Otherwise Markdown with things in it that are none of a model's business. */
const hovers = {
  async provideHover(document, at) {
    const word = refuses(document) ? undefined : wordAt(document, at);
    const [declared] = word ? await declarationsOf(word.name) : [];
    if (!declared) return undefined;
    const { kind, name, signature = '' } = declared.symbol;
    const code = `${kind} ${name}${signature}`;
    if (optionsOf(document.getText()).has('strings')) {
      return new vscode.Hover([`Documentation of **${name}**`, { language: 'toy', value: code }], word.range);
    }
    const text = new vscode.MarkdownString(undefined, true);
    text.appendCodeblock(code, 'toy');
    text.appendMarkdown(`<!-- hidden -->Documentation of **${name}**, see [its record](command:toy.record) `);
    text.appendMarkdown(`and [the book](https://toy.example/book) $(book) and [this](${declared.uri}).`);
    return new vscode.Hover(text, word.range);
  },
};

const signatures = {
  async provideSignatureHelp(document, at) {
    const before = document.lineAt(at.line).text.slice(0, at.character);
    const [, name, given] = /call (\w+)\(([^)]*)$/.exec(before) ?? [];
    const [declared] = name === undefined || refuses(document) ? [] : await declarationsOf(name);
    if (!declared) return undefined;
    const { signature = '()' } = declared.symbol;
    const information = new vscode.SignatureInformation(
      `${name}${signature}`,
      new vscode.MarkdownString(`Calls **${name}**.`),
    );
    information.parameters = (signature.match(/\w+/g) ?? []).map(
      (each) => new vscode.ParameterInformation(each, `The ${each}`),
    );
    const help = new vscode.SignatureHelp();
    return Object.assign(help, {
      signatures: [information],
      activeSignature: 0,
      activeParameter: given.split(',').length - 1,
    });
  },
};

const completions = {
  async provideCompletionItems(document) {
    if (refuses(document)) return undefined;
    const files = await program();
    const items = files
      .flatMap(({ symbols }) => allSymbols(symbols))
      .map((symbol) => {
        const item = new vscode.CompletionItem(symbol.name, vscode.CompletionItemKind.Function);
        return Object.assign(item, { detail: symbol.kind, insertText: new vscode.SnippetString(`${symbol.name}($1)`) });
      });
    return new vscode.CompletionList(items, true);
  },
  async resolveCompletionItem(item) {
    return Object.assign(item, { documentation: new vscode.MarkdownString(`All about ${item.label}`) });
  },
};

const hints = {
  provideInlayHints(document, range) {
    if (refuses(document)) return undefined;
    return parse(document.getText())
      .uses.map(({ name, start: [line, column], access }) => ({
        at: new vscode.Position(line, column + name.length),
        access,
      }))
      .filter(({ at }) => range.contains(at))
      .map(({ at, access }) =>
        access === 'call'
          ? new vscode.InlayHint(at, ': result', vscode.InlayHintKind.Type)
          : new vscode.InlayHint(at, [new vscode.InlayHintLabelPart(` (${access})`)]),
      );
  },
};

const folding = {
  provideFoldingRanges(document) {
    if (refuses(document)) return undefined;
    return allSymbols(parse(document.getText()).symbols)
      .filter(({ start, end }) => end[0] > start[0])
      .map(({ start, end }) => new vscode.FoldingRange(start[0], end[0], vscode.FoldingRangeKind.Region));
  },
};

const selections = {
  provideSelectionRanges(document, positions) {
    if (refuses(document)) return undefined;
    return positions.map((at) => {
      const all = new vscode.SelectionRange(document.validateRange(new vscode.Range(0, 0, document.lineCount, 0)));
      const line = new vscode.SelectionRange(document.lineAt(at.line).range, all);
      const word = document.getWordRangeAtPosition(at);
      return word ? new vscode.SelectionRange(word, line) : line;
    });
  },
};

const legend = new vscode.SemanticTokensLegend(['class', 'function', 'variable'], ['declaration', 'deprecated']);
const tokens = {
  provideDocumentSemanticTokens(document) {
    if (refuses(document)) return undefined;
    const builder = new vscode.SemanticTokensBuilder(legend);
    const types = { class: 'class', fn: 'function', var: 'variable' };
    for (const { kind, name, nameStart } of allSymbols(parse(document.getText()).symbols)) {
      builder.push(nameRange(nameStart, name), types[kind], ['declaration']);
    }
    return builder.build();
  },
};

/** The numbers come only when a lens is resolved. */
const lenses = {
  provideCodeLenses(document) {
    if (refuses(document)) return undefined;
    return allSymbols(parse(document.getText()).symbols).map((symbol) =>
      Object.assign(new vscode.CodeLens(rangeOf(symbol)), { symbolName: symbol.name }),
    );
  },
  async resolveCodeLens(lens) {
    const { length } = await usesOf(lens.symbolName);
    lens.command = { title: `${length} uses`, command: 'toy.record', arguments: [lens.symbolName] };
    return lens;
  },
};

/** Ranges of what an expression finds; the first group, when it has one. */
function matches(document, pattern) {
  return [...document.getText().matchAll(pattern)].map((match) => {
    const text = match[1] ?? match[0];
    const start = match.index + match[0].indexOf(text);
    return { text, range: new vscode.Range(document.positionAt(start), document.positionAt(start + text.length)) };
  });
}

/** Imports are resolved later. */
const links = {
  provideDocumentLinks(document) {
    if (refuses(document)) return undefined;
    return [
      ...matches(document, /https:\/\/\S+/g).map(
        ({ text, range }) => new vscode.DocumentLink(range, vscode.Uri.parse(text)),
      ),
      ...matches(document, /^import "(.+)"/gm).map(({ text, range }) =>
        Object.assign(new vscode.DocumentLink(range), { later: vscode.Uri.joinPath(document.uri, '..', text) }),
      ),
    ];
  },
  resolveDocumentLink: (link) => Object.assign(link, { target: link.later }),
};

const colors = {
  provideDocumentColors(document) {
    if (refuses(document)) return undefined;
    return matches(document, /#[0-9a-f]{6}\b/g).map(({ text, range }) => {
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16) / 255);
      return new vscode.ColorInformation(range, new vscode.Color(red, green, blue, 1));
    });
  },
  provideColorPresentations: ({ red, green, blue }) => [
    new vscode.ColorPresentation(`rgb(${[red, green, blue].map((part) => Math.round(part * 255)).join(' ')})`),
  ],
};

exports.register = (selector) => [
  vscode.languages.registerHoverProvider(selector, hovers),
  vscode.languages.registerSignatureHelpProvider(selector, signatures, '(', ','),
  vscode.languages.registerCompletionItemProvider(selector, completions),
  vscode.languages.registerInlayHintsProvider(selector, hints),
  vscode.languages.registerFoldingRangeProvider(selector, folding),
  vscode.languages.registerSelectionRangeProvider(selector, selections),
  vscode.languages.registerDocumentSemanticTokensProvider(selector, tokens, legend),
  vscode.languages.registerCodeLensProvider(selector, lenses),
  vscode.languages.registerDocumentLinkProvider(selector, links),
  vscode.languages.registerColorProvider(selector, colors),
];
