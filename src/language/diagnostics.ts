import type { Event } from '#base/event.ts';
import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { CodeLocation, TextRange } from '#base/language.ts';

export const diagnosticSeverities = ['error', 'warning', 'information', 'hint'] as const;
/** Severities in order, the worst first. */
export type DiagnosticSeverity = (typeof diagnosticSeverities)[number];

/** A place that helps to understand a diagnostic. */
export interface RelatedInformation {
  readonly place: CodeLocation;
  readonly message: string;
}

export interface Diagnostic extends TextRange {
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  /** The name of the service that reported the diagnostic, for example "ts". */
  readonly source?: string;
  readonly code?: string;
  readonly related?: readonly RelatedInformation[];
}

export interface FileDiagnostics extends FoundFile {
  /** At least one diagnostic, in line order. */
  readonly diagnostics: readonly Diagnostic[];
}

export const freshnesses = ['fresh', 'published', 'unanswered', 'no_service'] as const;
/**
 * How current the diagnostics of a file are. `fresh`: a language service computed them from the present text. `published`:
 * the language service published them last, and has published nothing since. `unanswered`: no language service has answered
 * yet, which may mean that there are no problems. `no_service`: no extension serves the file's language.
 */
export type Freshness = (typeof freshnesses)[number];

export interface ExaminedFile extends FoundFile {
  readonly freshness: Freshness;
  /** Diagnostics in line order; may be empty. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The diagnostics of language services, as the window shows them and as services compute them on demand. */
export interface Diagnostics {
  /** Returns the window's problems list: the published diagnostics of workspace files, in path order. */
  list(): readonly FileDiagnostics[];
  /** Returns the same, with the columns as an assistant sees them when it is a call that asks. */
  listShown(): Promise<readonly FileDiagnostics[]>;
  /**
   * Asks language services about the present text of files, also of files in no tab, and waits until they have answered or
   * `expired` is aborted. Opens no tab. Returns the files in the order given.
   * @param report receives the number of examined files
   */
  examine(
    files: readonly ResolvedPath[],
    report: (done: number) => void,
    expired: AbortSignal,
  ): Promise<readonly ExaminedFile[]>;
  readonly onDidChange: Event<void>;
}
