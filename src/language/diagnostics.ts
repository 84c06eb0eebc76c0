import type { Event } from '#base/event.ts';
import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { Place, TextRange } from '#base/language.ts';

export const diagnosticSeverities = ['error', 'warning', 'information', 'hint'] as const;
/** Worst first. */
export type DiagnosticSeverity = (typeof diagnosticSeverities)[number];

/** Another place that helps to understand a diagnostic. */
export interface RelatedInformation {
  readonly place: Place;
  readonly message: string;
}

export interface Diagnostic extends TextRange {
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  /** Who says so, for example "ts". */
  readonly source?: string;
  readonly code?: string;
  readonly related?: readonly RelatedInformation[];
}

export interface FileDiagnostics extends FoundFile {
  /** In line order, at least one. */
  readonly diagnostics: readonly Diagnostic[];
}

export const freshnesses = ['fresh', 'published', 'unanswered', 'no_service'] as const;
/**
 * How much the diagnostics of a file are worth now. `fresh`: computed from its present text. `published`: what its language
 * service said last, and it has nothing more to say for the moment. `unanswered`: no word of it yet, which may mean that all is
 * well. `no_service`: no extension looks at files of its language.
 */
export type Freshness = (typeof freshnesses)[number];

export interface ExaminedFile extends FoundFile {
  readonly freshness: Freshness;
  /** In line order; may be empty. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What language services complain about. */
export interface Diagnostics {
  /** Files of the workspace in path order, as services published them: the problems list of the window. */
  list(): readonly FileDiagnostics[];
  /**
   * Has language services look at files as they are now, those in no tab too, and waits until they have answered or `expired`
   * is aborted. Opens no tab. In the order given.
   * @param report is told how many files are done
   */
  examine(
    files: readonly ResolvedPath[],
    report: (done: number) => void,
    expired: AbortSignal,
  ): Promise<readonly ExaminedFile[]>;
  readonly onDidChange: Event<void>;
}
