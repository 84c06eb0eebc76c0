import type { JsonValue } from './assistant.ts';
import { lineEndOf } from './textEdit.ts';

/** A value over several lines, in the style of a text; its first line is without indentation. */
export function jsonText(document: string, value: JsonValue, indentation: string): string {
  const lines = JSON.stringify(value, undefined, indentationStep(document)).split('\n');
  return lines.join(lineEndOf(document) + indentation);
}

/** What a document indents its first nested line with; two spaces when it has none. */
export function indentationStep(document: string): string {
  const [, step = '  '] = /^(\t| {1,8})(?=["}{[\]])/m.exec(document) ?? [];
  return step;
}
