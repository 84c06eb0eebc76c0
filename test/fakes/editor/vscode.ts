/** The module `vscode` in unit tests: the part of the VS Code API that they use. Tests set and read its state in `editor.ts`. */
export * from './enums.ts';
export { CancellationTokenSource, Disposable, EventEmitter } from './events.ts';
export * from './places.ts';
export { commands, debug, env, extensions, l10n, languages, lm } from './services.ts';
export * from './values.ts';
export { window } from './window.ts';
export { workspace } from './workspace.ts';
export { WorkspaceEdit } from './workspaceEdit.ts';
