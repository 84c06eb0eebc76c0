'use strict';
// Symbols, where they lead, and hierarchies.
const vscode = require('vscode');
const { allSymbols, optionsOf, parse } = require('./parse.cjs');
const { program, declarationsOf, usesOf, wordAt, nameRange, rangeOf, refuses } = require('./program.cjs');

const kinds = {
  class: vscode.SymbolKind.Class,
  fn: vscode.SymbolKind.Function,
  var: vscode.SymbolKind.Variable,
};
const kindOf = ({ kind, parent }) => (kind === 'fn' && parent ? vscode.SymbolKind.Method : kinds[kind]);
const nameOf = ({ name, nameStart }) => nameRange(nameStart, name);

function documentSymbol(symbol) {
  const made = new vscode.DocumentSymbol(
    symbol.name,
    symbol.signature ?? '',
    kindOf(symbol),
    rangeOf(symbol),
    nameOf(symbol),
  );
  if (symbol.name.startsWith('old')) made.tags = [vscode.SymbolTag.Deprecated];
  made.children = symbol.children.map(documentSymbol);
  return made;
}

const information = (uri) => (symbol) =>
  new vscode.SymbolInformation(
    symbol.name,
    kindOf(symbol),
    symbol.parent?.name ?? '',
    new vscode.Location(uri, rangeOf(symbol)),
  );

const symbols = {
  provideDocumentSymbols(document) {
    if (refuses(document)) return undefined;
    const { options, symbols: found } = parse(document.getText());
    // From the last to the first: the order is the editor's to make.
    return options.has('flat')
      ? allSymbols(found).map(information(document.uri)).toReversed()
      : found.map(documentSymbol).toReversed();
  },
};

const workspaceSymbols = {
  async provideWorkspaceSymbols(query) {
    const letters = query.toLowerCase();
    return (await program()).flatMap(({ uri, symbols: found }) =>
      allSymbols(found)
        .filter(({ name }) => name.toLowerCase().includes(letters))
        .map(information(uri)),
    );
  },
};

/** Where a name is declared: `#links` asks for links, `#twice` for every place twice, `#outside` for a place elsewhere. */
async function leadsTo(document, at, choose) {
  const word = refuses(document) ? undefined : wordAt(document, at);
  if (!word) return undefined;
  const options = optionsOf(document.getText());
  const found = (await choose(word.name)).map(({ uri, symbol }) =>
    options.has('links')
      ? {
          originSelectionRange: word.range,
          targetUri: uri,
          targetRange: rangeOf(symbol),
          targetSelectionRange: nameOf(symbol),
        }
      : new vscode.Location(uri, nameOf(symbol)),
  );
  if (options.has('outside')) {
    const elsewhere = vscode.Uri.file('/somewhere/far/away/node_modules/toy/lib/library.toy');
    const range = new vscode.Range(2, 3, 2, 7);
    found.push(
      options.has('links') ? { targetUri: elsewhere, targetRange: range } : new vscode.Location(elsewhere, range),
    );
  }
  return options.has('twice') ? [...found, ...found] : found;
}

const definitions = { provideDefinition: (document, at) => leadsTo(document, at, declarationsOf) };
const declarations = { provideDeclaration: (document, at) => leadsTo(document, at, declarationsOf) };
const typeDefinitions = {
  provideTypeDefinition: (document, at) =>
    leadsTo(document, at, async (name) => {
      const [declared] = await declarationsOf(name);
      return declared?.symbol.base ? declarationsOf(declared.symbol.base) : [];
    }),
};
const implementations = { provideImplementation: (document, at) => leadsTo(document, at, subclassesOf) };

async function subclassesOf(name) {
  return (await program()).flatMap((file) =>
    allSymbols(file.symbols)
      .filter(({ kind, base }) => kind === 'class' && base === name)
      .map((symbol) => ({ ...file, symbol })),
  );
}

const references = {
  async provideReferences(document, at, { includeDeclaration }) {
    const word = refuses(document) ? undefined : wordAt(document, at);
    if (!word) return undefined;
    const used = (await usesOf(word.name)).map(
      ({ uri, use }) => new vscode.Location(uri, nameRange(use.start, use.name)),
    );
    if (!includeDeclaration) return used;
    const declared = await declarationsOf(word.name);
    return [...used, ...declared.map(({ uri, symbol }) => new vscode.Location(uri, nameOf(symbol)))];
  },
};

const highlights = {
  provideDocumentHighlights(document, at) {
    const word = refuses(document) ? undefined : wordAt(document, at);
    if (!word) return undefined;
    const { Read, Write, Text } = vscode.DocumentHighlightKind;
    const { symbols: found, uses } = parse(document.getText());
    const accesses = { get: Read, set: Write };
    return [
      ...allSymbols(found)
        .filter(({ name }) => name === word.name)
        .map((symbol) => new vscode.DocumentHighlight(nameOf(symbol), Write)),
      ...uses
        .filter(({ name }) => name === word.name)
        .map((use) => new vscode.DocumentHighlight(nameRange(use.start, use.name), accesses[use.access] ?? Text)),
    ];
  },
};

const callItem = ({ uri, symbol }) =>
  new vscode.CallHierarchyItem(
    kindOf(symbol),
    symbol.name,
    symbol.parent?.name ?? '',
    uri,
    rangeOf(symbol),
    nameOf(symbol),
  );

/** Functions that call each other make circles. */
const calls = {
  async prepareCallHierarchy(document, at) {
    const word = refuses(document) ? undefined : wordAt(document, at);
    const found = word ? await declarationsOf(word.name) : [];
    return found.filter(({ symbol }) => symbol.kind === 'fn').map(callItem);
  },
  async provideCallHierarchyIncomingCalls({ name }) {
    const made = (await usesOf(name)).filter(({ use }) => use.access === 'call' && use.within);
    const callers = Map.groupBy(made, ({ uri, use }) => `${uri} ${use.within.start}`);
    return [...callers.values()].map((each) => {
      const ranges = each.map(({ use }) => nameRange(use.start, use.name));
      return new vscode.CallHierarchyIncomingCall(callItem({ uri: each[0].uri, symbol: each[0].use.within }), ranges);
    });
  },
  async provideCallHierarchyOutgoingCalls({ name, uri }) {
    const [caller] = (await declarationsOf(name)).filter((each) => each.uri.toString() === uri.toString());
    const made = (caller?.uses ?? []).filter((use) => use.access === 'call' && use.within === caller.symbol);
    const called = [...Map.groupBy(made, (use) => use.name)];
    const found = called.map(async ([callee, uses]) =>
      (await declarationsOf(callee)).map(
        (each) =>
          new vscode.CallHierarchyOutgoingCall(
            callItem(each),
            uses.map((use) => nameRange(use.start, use.name)),
          ),
      ),
    );
    return (await Promise.all(found)).flat();
  },
};

const typeItem = ({ uri, symbol }) =>
  new vscode.TypeHierarchyItem(kindOf(symbol), symbol.name, symbol.base ?? '', uri, rangeOf(symbol), nameOf(symbol));

/** Classes may be each other's bases. */
const types = {
  async prepareTypeHierarchy(document, at) {
    const word = refuses(document) ? undefined : wordAt(document, at);
    const found = word ? await declarationsOf(word.name) : [];
    return found.filter(({ symbol }) => symbol.kind === 'class').map(typeItem);
  },
  async provideTypeHierarchySupertypes({ name }) {
    const bases = (await declarationsOf(name)).flatMap(({ symbol }) => symbol.base ?? []);
    return (await Promise.all(bases.map(declarationsOf))).flat().map(typeItem);
  },
  provideTypeHierarchySubtypes: async ({ name }) => (await subclassesOf(name)).map(typeItem),
};

exports.register = (selector) => [
  vscode.languages.registerDocumentSymbolProvider(selector, symbols),
  vscode.languages.registerWorkspaceSymbolProvider(workspaceSymbols),
  vscode.languages.registerDefinitionProvider(selector, definitions),
  vscode.languages.registerDeclarationProvider(selector, declarations),
  vscode.languages.registerTypeDefinitionProvider(selector, typeDefinitions),
  vscode.languages.registerImplementationProvider(selector, implementations),
  vscode.languages.registerReferenceProvider(selector, references),
  vscode.languages.registerDocumentHighlightProvider(selector, highlights),
  vscode.languages.registerCallHierarchyProvider(selector, calls),
  vscode.languages.registerTypeHierarchyProvider(selector, types),
];
