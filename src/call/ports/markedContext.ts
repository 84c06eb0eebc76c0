import type { Event } from '#base/event.ts';
import type { FoundFile } from '#base/files.ts';

/** A file that the user marked for assistants, or some of its lines: 1-based, both included. */
export interface MarkedPlace extends FoundFile {
  readonly firstLine?: number;
  readonly lastLine?: number;
}

/** What the user put into "Assistant Context". */
export interface MarkedContext {
  /** In the order in which they were added. */
  list(): readonly MarkedPlace[];
  readonly onDidChange: Event<void>;
}
