import type { Event } from '#base/event.ts';
import type { FoundFile } from '#base/files.ts';

/** A file, or some of its lines (1-based, both included), that the user marked for assistants. */
export interface MarkedPlace extends FoundFile {
  readonly firstLine?: number;
  readonly lastLine?: number;
}

/** The files in the view "Assistant Context". */
export interface MarkedContext {
  /** Returns the files in the order in which the user added them. */
  list(): readonly MarkedPlace[];
  readonly onDidChange: Event<void>;
}
