import type { ResolvedPath } from '#base/files.ts';
import type { Principal } from '#base/principal.ts';
import type { LineRange } from './editorState.ts';

/** Lines that an assistant points at. */
export interface LineMark extends LineRange {
  readonly file: ResolvedPath;
  /** What the user reads when the pointer rests on them. Plain text, not trusted. */
  readonly note: string;
}

/** What assistants point at, in the editors, until they, the user or their leaving take it away. */
export interface LineMarks {
  /** In place of all marks of this caller. Returns how many there were. */
  replace(principal: Principal, marks: readonly LineMark[]): number;
}
