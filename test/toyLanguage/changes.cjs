'use strict';
// Everything that changes texts: renames, code actions, formatting.
const vscode = require('vscode');
const { optionsOf, parse } = require('./parse.cjs');
const { declarationsOf, usesOf, wordAt, nameRange, refuses } = require('./program.cjs');

/**
 * `#resources`: the file of a class is renamed, one is created and one deleted; with `#contents` it is created with its text. `#outside`: a file beside the workspace changes too; `#linked`: what the
 * link `linked.toy` leads to does.
 * `#reserved`: the new name is refused. `#annotated`: the changes want to be confirmed.
 */
const renames = {
  prepareRename(document, at) {
    if (refuses(document)) return undefined;
    const word = wordAt(document, at);
    if (!word) throw new Error('There is no name here.');
    return { range: word.range, placeholder: word.name };
  },
  async provideRenameEdits(document, at, newName) {
    if (refuses(document)) return undefined;
    const options = optionsOf(document.getText());
    if (options.has('reserved')) throw new Error(`${newName} is reserved.`);
    const { name } = wordAt(document, at);
    const edit = new vscode.WorkspaceEdit();
    const metadata = options.has('annotated') ? { label: 'Rename', needsConfirmation: true } : undefined;
    for (const { uri, symbol } of await declarationsOf(name)) {
      edit.replace(uri, nameRange(symbol.nameStart, name), newName, metadata);
    }
    for (const { uri, use } of await usesOf(name)) edit.replace(uri, nameRange(use.start, name), newName, metadata);
    const start = new vscode.Position(0, 0);
    const folder = vscode.workspace.getWorkspaceFolder(document.uri).uri;
    if (options.has('outside')) edit.insert(vscode.Uri.joinPath(folder, '../else.toy'), start, newName);
    if (options.has('linked')) edit.insert(vscode.Uri.joinPath(folder, 'toy/linked.toy'), start, newName);
    if (options.has('resources')) {
      const beside = (file) => vscode.Uri.joinPath(document.uri, '..', file);
      const became = `${name} became ${newName}\n`;
      edit.createFile(beside(`${newName}.log`), options.has('contents') ? { contents: Buffer.from(became) } : {});
      if (!options.has('contents')) edit.insert(beside(`${newName}.log`), new vscode.Position(0, 0), became);
      edit.renameFile(document.uri, beside(`${newName}.toy`));
      edit.deleteFile(beside(`${name}.log`), { ignoreIfNotExists: true });
    }
    return edit;
  },
};

const problemAt = /\bproblem\b.*$/;

function action(title, kind, more = {}) {
  return Object.assign(new vscode.CodeAction(title, kind), more);
}

/** The edit that takes the problem out of a line. */
function mended(document, lines) {
  const edit = new vscode.WorkspaceEdit();
  for (const line of lines) {
    const { text, range } = document.lineAt(line);
    if (problemAt.test(text)) edit.replace(document.uri, range, text.replace(problemAt, 'mended'));
  }
  return edit;
}

const allLines = (document) => Array.from({ length: document.lineCount }, (_, line) => line);

function sortedImports(document) {
  const edit = new vscode.WorkspaceEdit();
  const lines = allLines(document).filter((line) => document.lineAt(line).text.startsWith('import '));
  const sorted = lines.map((line) => document.lineAt(line).text).toSorted((one, other) => (one < other ? -1 : 1));
  lines.forEach((line, at) => edit.replace(document.uri, document.lineAt(line).range, sorted[at]));
  return edit;
}

/** On a line with a problem, one action of each form: edit, command, both, neither yet (resolved later), disabled. */
const actions = {
  provideCodeActions(document, range, { diagnostics, only }) {
    if (refuses(document)) return undefined;
    const { QuickFix, RefactorRewrite, SourceOrganizeImports, SourceFixAll } = vscode.CodeActionKind;
    const line = range.start.line;
    const record = { command: 'toy.record', title: 'Record', arguments: [document.uri, line] };
    const found = [
      action('Sort imports', SourceOrganizeImports, { edit: sortedImports(document) }),
      action('Mend everything', SourceFixAll, { edit: mended(document, allLines(document)) }),
    ];
    if (problemAt.test(document.lineAt(line).text)) {
      found.push(
        action('Mend', QuickFix, { edit: mended(document, [line]), diagnostics: [...diagnostics], isPreferred: true }),
        action('Record', QuickFix, { command: record }),
        action('Mend and record', QuickFix, { edit: mended(document, [line]), command: record }),
        action('Mend later', RefactorRewrite, { later: { document, line } }),
        action('Impossible', QuickFix, { disabled: { reason: 'It cannot be done.' } }),
        { title: 'Bare command', command: 'toy.record', arguments: ['bare'] },
      );
    }
    return only ? found.filter(({ kind }) => kind && only.contains(kind)) : found;
  },
  resolveCodeAction(given) {
    if (given.later) given.edit = mended(given.later.document, [given.later.line]);
    return given;
  },
};

/** Two spaces for each level, nothing behind the text. */
function formatted(document, range) {
  if (refuses(document)) return undefined;
  let depth = 0;
  return parse(document.getText()).lines.flatMap((text, line) => {
    const trimmed = text.trim();
    if (trimmed === 'end') depth = Math.max(0, depth - 1);
    const wanted = trimmed === '' ? '' : '  '.repeat(depth) + trimmed;
    if (/^(class|fn)\b/.test(trimmed)) depth += 1;
    const isAsked = range === undefined || (line >= range.start.line && line <= range.end.line);
    return isAsked && wanted !== text ? [vscode.TextEdit.replace(document.lineAt(line).range, wanted)] : [];
  });
}

exports.register = (selector) => [
  vscode.languages.registerRenameProvider(selector, renames),
  vscode.languages.registerCodeActionsProvider(selector, actions),
  vscode.languages.registerDocumentFormattingEditProvider(selector, {
    provideDocumentFormattingEdits: (document) => formatted(document),
  }),
  vscode.languages.registerDocumentRangeFormattingEditProvider(selector, {
    provideDocumentRangeFormattingEdits: formatted,
  }),
];
