/** `vscode.l10n.t`: returns the text in the editor's language, `{0}` and so on replaced. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** Returns the English text, `{0}` and so on replaced. */
export const english: Translate = (message, ...args) =>
  message.replaceAll(/\{(\d+)\}/g, (mark, index: string) => String(args[Number(index)] ?? mark));
