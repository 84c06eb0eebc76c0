/** `vscode.l10n.t`: returns the text in the editor's language, `{0}` and so on replaced. */
export type Translate = (message: string, ...args: (string | number)[]) => string;
