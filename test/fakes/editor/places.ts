import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';

/** Addresses, and places in texts, of the VS Code API. */

/** The class that VS Code itself uses, published as `vscode-uri`. */
export const Uri = Object.assign(URI, { joinPath: Utils.joinPath }) satisfies Partial<typeof vscode.Uri>;
export type Uri = URI;

export class Position implements vscode.Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }

  compareTo(other: vscode.Position): number {
    return Math.sign(this.line - other.line || this.character - other.character);
  }

  isBefore(other: vscode.Position): boolean {
    return this.compareTo(other) < 0;
  }

  isBeforeOrEqual(other: vscode.Position): boolean {
    return this.compareTo(other) <= 0;
  }

  isAfter(other: vscode.Position): boolean {
    return this.compareTo(other) > 0;
  }

  isAfterOrEqual(other: vscode.Position): boolean {
    return this.compareTo(other) >= 0;
  }

  isEqual(other: vscode.Position): boolean {
    return this.compareTo(other) === 0;
  }

  translate(lineDelta?: number, characterDelta?: number): Position;
  translate(change: { lineDelta?: number; characterDelta?: number }): Position;
  translate(change: number | { lineDelta?: number; characterDelta?: number } = 0, characters = 0): Position {
    const { lineDelta = 0, characterDelta = 0 } =
      typeof change === 'object' ? change : { lineDelta: change, characterDelta: characters };
    return new Position(this.line + lineDelta, this.character + characterDelta);
  }

  with(line?: number, character?: number): Position;
  with(change: { line?: number; character?: number }): Position;
  with(change: number | { line?: number; character?: number } = this.line, at = this.character): Position {
    const { line = this.line, character = this.character } =
      typeof change === 'object' ? change : { line: change, character: at };
    return new Position(line, character);
  }
}

/** Two places, or the line and character of each. */
type Ends = [vscode.Position, vscode.Position] | [number, number, number, number];

function placesOf([first, second, line = 0, character = 0]: Ends): [Position, Position] {
  const one = typeof first === 'number' ? new Position(first, Number(second)) : positionOf(first);
  return [one, typeof second === 'number' ? new Position(line, character) : positionOf(second)];
}

const positionOf = ({ line, character }: vscode.Position): Position => new Position(line, character);

export class Range implements vscode.Range {
  readonly start: Position;
  readonly end: Position;

  /** The earlier place becomes the start. */
  constructor(...ends: Ends) {
    const [one, other] = placesOf(ends);
    [this.start, this.end] = one.isAfter(other) ? [other, one] : [one, other];
  }

  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }

  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }

  contains(place: vscode.Position | vscode.Range): boolean {
    if ('start' in place) return this.contains(place.start) && this.contains(place.end);
    return this.start.isBeforeOrEqual(place) && this.end.isAfterOrEqual(place);
  }

  isEqual(other: vscode.Range): boolean {
    return this.start.isEqual(other.start) && this.end.isEqual(other.end);
  }

  intersection({ start, end }: vscode.Range): Range | undefined {
    const [from, to] = [this.start.isAfter(start) ? this.start : start, this.end.isBefore(end) ? this.end : end];
    return from.isAfter(to) ? undefined : new Range(from, to);
  }

  union({ start, end }: vscode.Range): Range {
    return new Range(this.start.isBefore(start) ? this.start : start, this.end.isAfter(end) ? this.end : end);
  }

  with(start?: vscode.Position, end?: vscode.Position): Range;
  with(change: { start?: vscode.Position; end?: vscode.Position }): Range;
  with(
    change: vscode.Position | Partial<Record<'start' | 'end', vscode.Position>> = this.start,
    last: vscode.Position = this.end,
  ): Range {
    const { start = this.start, end = this.end }: Partial<Record<'start' | 'end', vscode.Position>> =
      'line' in change ? { start: change, end: last } : change;
    return new Range(start, end);
  }
}

export class Selection extends Range implements vscode.Selection {
  readonly anchor: Position;
  readonly active: Position;

  constructor(...ends: Ends) {
    super(...ends);
    [this.anchor, this.active] = placesOf(ends);
  }

  get isReversed(): boolean {
    return this.anchor.isAfter(this.active);
  }
}

export class Location implements vscode.Location {
  uri: vscode.Uri;
  range: vscode.Range;

  /** A single place is an empty range. */
  constructor(uri: vscode.Uri, place: vscode.Range | vscode.Position) {
    this.uri = uri;
    this.range = 'start' in place ? place : new Range(place, place);
  }
}

export class RelativePattern implements vscode.RelativePattern {
  baseUri: vscode.Uri;
  pattern: string;

  constructor(base: vscode.WorkspaceFolder | vscode.Uri | string, pattern: string) {
    this.baseUri = typeof base === 'string' ? Uri.file(base) : 'uri' in base ? base.uri : base;
    this.pattern = pattern;
  }

  get base(): string {
    return this.baseUri.fsPath;
  }
}
