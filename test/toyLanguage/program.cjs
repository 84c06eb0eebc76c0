'use strict';
// All toy files of the workspace as the editor holds them.
const vscode = require('vscode');
const { allSymbols, optionsOf, parse } = require('./parse.cjs');

async function textOf(uri) {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open ? open.getText() : Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
}

/** Parsed files in path order. */
async function program() {
  const uris = await vscode.workspace.findFiles('**/*.toy');
  const files = await Promise.all(uris.map(async (uri) => ({ uri, ...parse(await textOf(uri)) })));
  return files.toSorted((one, other) => (one.uri.path < other.uri.path ? -1 : 1));
}

const position = ([line, column]) => new vscode.Position(line, column);
const nameRange = ([line, column], name) => new vscode.Range(line, column, line, column + name.length);
const rangeOf = (symbol) => new vscode.Range(position(symbol.start), position(symbol.end));

function wordAt(document, at) {
  const range = document.getWordRangeAtPosition(at, /\w+/);
  return range && { name: document.getText(range), range };
}

/** Every symbol of that name, with its file. */
async function declarationsOf(name) {
  return (await program()).flatMap((file) =>
    allSymbols(file.symbols)
      .filter((symbol) => symbol.name === name)
      .map((symbol) => ({ ...file, symbol })),
  );
}

/** Every use of that name, with its file. */
async function usesOf(name) {
  return (await program()).flatMap((file) =>
    file.uses.filter((use) => use.name === name).map((use) => ({ ...file, use })),
  );
}

/** `#nothing`: as if there were no such service. `#throws`: a service that fails. */
function refuses(document) {
  const options = optionsOf(document.getText());
  if (options.has('throws')) throw new Error('The toy language was told to fail.');
  return options.has('nothing');
}

module.exports = { program, textOf, declarationsOf, usesOf, wordAt, nameRange, rangeOf, position, refuses };
