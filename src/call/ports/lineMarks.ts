import type { ResolvedPath } from '#base/files.ts';
import type { Principal } from '#base/principal.ts';
import type { LineRange } from './editorState.ts';

/** Lines that an assistant marks in an editor. */
export interface LineMark extends LineRange {
  readonly file: ResolvedPath;
  /** The text of the hover. It is plain text and not trusted. */
  readonly note: string;
}

/** The marks of assistants in the editors. The assistant or the user removes them, and they go when the assistant disconnects. */
export interface LineMarks {
  /** Replaces all marks of this caller. Returns the number of marks it had before. */
  replace(principal: Principal, marks: readonly LineMark[]): number;
}
