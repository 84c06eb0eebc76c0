import type { Event } from './event.ts';
import type { FoundFile } from './files.ts';

export type DiagnosticSeverity = 'error' | 'warning' | 'information' | 'hint';

/** Lines and columns are 1-based. */
export interface Diagnostic {
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  /** Who says so, for example "ts". */
  readonly source?: string;
  readonly code?: string;
  readonly firstLine: number;
  readonly firstColumn: number;
  readonly lastLine: number;
  /** After the last character, in UTF-16 units. */
  readonly lastColumn: number;
}

export interface FileDiagnostics extends FoundFile {
  /** In line order, at least one. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The problems list of the window, as language services published it. */
export interface Diagnostics {
  /** Files of the workspace, in path order. */
  list(): readonly FileDiagnostics[];
  readonly onDidChange: Event<void>;
}
