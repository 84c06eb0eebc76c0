import * as vscode from 'vscode';
import type { Completion, DocumentLink, SemanticToken, SignatureHelp } from '../languageDetails.ts';
import { textRange, type placeConverter } from './locations.ts';
import { contentText } from './symbols/hoverText.ts';

/** Converts VS Code's signature help, with documentation as plain Markdown. */
export function signatureHelpOf({ signatures, activeSignature, activeParameter }: vscode.SignatureHelp): SignatureHelp {
  return {
    signatures: signatures.map(({ label, documentation, parameters }) => {
      const told = documentation === undefined ? '' : contentText(documentation);
      return {
        label,
        ...(told !== '' && { documentation: told }),
        parameters: parameters.map((parameter) =>
          typeof parameter.label === 'string' ? parameter.label : label.slice(...parameter.label),
        ),
      };
    }),
    activeSignature: Math.max(0, activeSignature),
    activeParameter: Math.max(0, signatures[activeSignature]?.activeParameter ?? activeParameter),
  };
}

/** Converts a completion item, without the fields that only editors need. */
export function completionOf({ label, kind, detail, insertText }: vscode.CompletionItem): Completion {
  const name = typeof label === 'string' ? label : label.label;
  const more = typeof label === 'string' ? [] : [label.detail, label.description];
  const told = [detail, ...more].filter((each) => each !== undefined && each !== '').join(' ');
  const inserted = typeof insertText === 'string' ? insertText : insertText?.value;
  return {
    label: name,
    kind: kindName(kind),
    ...(told !== '' && { detail: told }),
    ...(inserted !== undefined && inserted !== name && { insertText: inserted }),
  };
}

/** Returns the LSP name of a completion kind, for example "enum member". */
function kindName(kind: vscode.CompletionItemKind | undefined): string {
  const name = kind === undefined ? undefined : vscode.CompletionItemKind[kind];
  return (name ?? 'Text').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/**
 * Decodes semantic tokens. Five numbers make a token: lines and columns since the previous token, length, type, modifier bits.
 */
export function tokensOf(
  data: Uint32Array,
  { tokenTypes, tokenModifiers }: Pick<vscode.SemanticTokensLegend, 'tokenTypes' | 'tokenModifiers'>,
): readonly SemanticToken[] {
  const tokens: SemanticToken[] = [];
  let line = 1;
  let column = 1;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines = 0, columns = 0, length = 0, type = 0, bits = 0] = data.subarray(at, at + 5);
    line += lines;
    column = lines === 0 ? column + columns : columns + 1;
    tokens.push({
      firstLine: line,
      firstColumn: column,
      lastLine: line,
      lastColumn: column + length,
      kind: tokenTypes[type] ?? 'unknown',
      modifiers: tokenModifiers.filter((_, bit) => (bits & (2 ** bit)) !== 0),
    });
  }
  return tokens;
}

/** Converts a document link. Leaves out targets that only the editor can follow, such as commands. */
export function linkOf(
  { range, target, tooltip }: Pick<vscode.DocumentLink, 'range' | 'target' | 'tooltip'>,
  placeIn: ReturnType<typeof placeConverter>,
): DocumentLink {
  const link = { ...textRange(range), ...(tooltip !== undefined && tooltip !== '' && { tooltip }) };
  if (target === undefined) return link;
  if (target.scheme === 'http' || target.scheme === 'https') {
    // `Uri.toString` either decodes an address or encodes too much of it.
    const address = target.toString(true);
    return { ...link, target: URL.parse(address)?.href ?? address };
  }
  if (target.scheme !== 'file') return link;
  const place = placeIn(target, range);
  if (place.outside === true) return { ...link, target: place.path };
  const { path, uri, fsPath, folder } = place;
  return { ...link, file: { path, uri, fsPath, folder } };
}

/** Returns a color as "#rrggbb", or as "#rrggbbaa" if it is not opaque. */
export function colorText({ red, green, blue, alpha }: Pick<vscode.Color, 'red' | 'green' | 'blue' | 'alpha'>): string {
  const hex = (part: number): string =>
    Math.round(part * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${hex(red)}${hex(green)}${hex(blue)}${alpha === 1 ? '' : hex(alpha)}`;
}
