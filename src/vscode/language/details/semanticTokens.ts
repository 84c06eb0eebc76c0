import type * as vscode from 'vscode';
import type { SemanticToken } from '../../../ports/languageDetails.ts';

/** Numbers of which five make a token: lines and columns since the one before, length, type, a bit for each modifier. */
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
