import type { Node } from 'jsonc-parser';
import type { JsonValue } from './assistant.ts';
import { indentationStep, jsonText } from './jsonText.ts';
import { indentationAt, lineEndOf, lineStart, type TextEdit } from './textEdit.ts';

interface Insertion {
  readonly edits: readonly TextEdit[];
  /** White space that stood before the closing brace of an object without properties. */
  readonly emptyParent?: string;
}

/** Appends a property to an object, on a line of its own where the others have that. Comments stay with what they follow. */
export function propertyInsertion(text: string, object: Node, key: string, value: JsonValue): Insertion {
  const last = object.children?.at(-1);
  if (last === undefined) return intoEmpty(text, object, key, value);
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  const comesAfter = comma === undefined ? end : comma + 1;
  const separator: readonly TextEdit[] = comma === undefined ? [{ start: end, end, text: ',' }] : [];
  const trailing = comma === undefined ? '' : ',';
  if (!isOnOwnLine(text, last.offset)) {
    const space = /^"(?:[^"\\]|\\.)*"\s*:\s/.test(text.slice(last.offset)) ? ' ' : '';
    const inline = ` ${JSON.stringify(key)}:${space}${JSON.stringify(value)}${trailing}`;
    return { edits: [...separator, { start: comesAfter, end: comesAfter, text: inline }] };
  }
  const indentation = indentationAt(text, last.offset);
  const start = endOfComments(text, comesAfter);
  const line = `${lineEndOf(text)}${indentation}${propertyText(text, key, value, indentation)}${trailing}`;
  return { edits: [...separator, { start, end: start, text: line }] };
}

/** Takes out a property with its comma. Comments stay. */
export function propertyRemoval(
  text: string,
  object: Node,
  property: Node,
  emptyParent: string | undefined,
): readonly TextEdit[] {
  const properties = object.children ?? [];
  const index = properties.indexOf(property);
  const previous = properties[index - 1];
  const start = property.offset - (/\s*$/.exec(text.slice(0, property.offset))?.[0].length ?? 0);
  const comma = commaAfter(text, property.offset + property.length);
  const end = comma === undefined ? property.offset + property.length : comma + 1;
  if (properties.length === 1) return [onlyRemoval(text, object, { start, end }, emptyParent)];
  const isLast = index === properties.length - 1;
  const before =
    isLast && comma === undefined && previous ? commaAfter(text, previous.offset + previous.length) : undefined;
  const removal = { start, end, text: '' };
  if (before === undefined) return [removal];
  // Without a comment between them the comma touches what is taken out.
  return [{ start: before, end: before + 1, text: '' }, removal];
}

function onlyRemoval(
  text: string,
  object: Node,
  { start, end }: { readonly start: number; readonly end: number },
  emptyParent: string | undefined,
): TextEdit {
  const close = object.offset + object.length - 1;
  if (text.slice(end, close).trim() !== '') return { start, end, text: '' };
  const hasComment = text.slice(object.offset + 1, start).trim() !== '';
  const rest = emptyParent ?? (hasComment ? text.slice(end, close) : '');
  return { start, end: close, text: rest };
}

function intoEmpty(text: string, object: Node, key: string, value: JsonValue): Insertion {
  const close = object.offset + object.length - 1;
  const emptyParent = /\s*$/.exec(text.slice(object.offset + 1, close))?.[0] ?? '';
  const start = close - emptyParent.length;
  const outer = /^[ \t]*/.exec(text.slice(lineStart(text, object.offset)))?.[0] ?? '';
  const indentation = outer + indentationStep(text);
  const lineBreak = lineEndOf(text);
  const line = `${lineBreak}${indentation}${propertyText(text, key, value, indentation)}`;
  const closing = emptyParent.includes('\n') ? '' : lineBreak + outer;
  return { edits: [{ start, end: start, text: line + closing }], emptyParent };
}

function propertyText(text: string, key: string, value: JsonValue, indentation: string): string {
  return `${JSON.stringify(key)}: ${jsonText(text, value, indentation)}`;
}

function isOnOwnLine(text: string, offset: number): boolean {
  const before = text.slice(lineStart(text, offset), offset);
  return before.trim() === '' && lineStart(text, offset) > 0;
}

/** Where the comma after a property is, comments skipped; undefined when there is none. */
function commaAfter(text: string, offset: number): number | undefined {
  const end = endOfMatch(/(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y, text, offset);
  return text[end] === ',' ? end : undefined;
}

/** The end of the comments that stand beside an offset on its line; the offset itself without one. */
function endOfComments(text: string, offset: number): number {
  return endOfMatch(/(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[\s\S]*?\*\/))*/y, text, offset);
}

function endOfMatch(sticky: RegExp, text: string, offset: number): number {
  sticky.lastIndex = offset;
  return offset + (sticky.exec(text)?.[0].length ?? 0);
}
