'use strict';
// Every `problem` is a problem. `#late`: it is told half a second after the text changed; `#closed`: of files that are not open too.
const vscode = require('vscode');
const { optionsOf } = require('./parse.cjs');
const { textOf } = require('./program.cjs');

const late = 500;

function diagnosticsOf(text, uri) {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const [found, message] = /\bproblem\b(.*)$/.exec(line) ?? [];
    if (found === undefined) return [];
    const start = line.indexOf(found);
    const severity = /\bwarning\b/.test(message) ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Error;
    const range = new vscode.Range(at, start, at, line.length);
    const diagnostic = new vscode.Diagnostic(range, `Problem:${message}`, severity);
    const related = new vscode.DiagnosticRelatedInformation(
      new vscode.Location(uri, new vscode.Position(0, 0)),
      'It began here',
    );
    const code = { value: 'toy1', target: vscode.Uri.parse('https://toy.example/toy1') };
    return [Object.assign(diagnostic, { source: 'toy', code, relatedInformation: [related] })];
  });
}

exports.register = () => {
  const collection = vscode.languages.createDiagnosticCollection('toy');
  const timers = new Map();
  const tell = (document) => {
    if (document.languageId !== 'toy') return;
    const text = document.getText();
    const key = document.uri.toString();
    clearTimeout(timers.get(key));
    const publish = () => collection.set(document.uri, diagnosticsOf(document.getText(), document.uri));
    if (optionsOf(text).has('late')) timers.set(key, setTimeout(publish, late));
    else publish();
  };
  const forget = async ({ uri, languageId }) => {
    if (languageId !== 'toy') return;
    clearTimeout(timers.get(uri.toString()));
    const text = await textOf(uri).catch(() => '');
    if (!optionsOf(text).has('closed')) collection.delete(uri);
  };
  for (const document of vscode.workspace.textDocuments) tell(document);
  return [
    collection,
    vscode.workspace.onDidOpenTextDocument(tell),
    vscode.workspace.onDidChangeTextDocument(({ document }) => tell(document)),
    vscode.workspace.onDidCloseTextDocument(forget),
    new vscode.Disposable(() => [...timers.values()].forEach(clearTimeout)),
  ];
};
