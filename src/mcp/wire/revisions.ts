/** The only revision without sessions. */
export const modernRevision = '2026-07-28';
/** The revisions with sessions, newest first. */
export const sessionRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** The features that a revision has and older ones lack. */
export interface RevisionFeatures {
  /** Icons of tools and of the server (SEP-973). */
  readonly icons: boolean;
  /** A tool has its own `title`, beside the one in its annotations. */
  readonly toolTitles: boolean;
  /** True when invalid arguments are a result that the model sees, not a protocol error (SEP-1303). */
  readonly argumentErrorsAreResults: boolean;
  /** Content of type `resource_link`. */
  readonly resourceLinks: boolean;
  /** Content of type `audio`. */
  readonly audio: boolean;
}

/**
 * Returns the features of a revision. Revisions are dates, so they compare as text.
 * @param revision the negotiated revision; undefined counts as the newest
 */
export function featuresOf(revision: string | undefined): RevisionFeatures {
  const since = (first: string): boolean => revision === undefined || revision >= first;
  return {
    icons: since('2025-11-25'),
    toolTitles: since('2025-06-18'),
    argumentErrorsAreResults: since('2025-11-25'),
    resourceLinks: since('2025-06-18'),
    audio: since('2025-03-26'),
  };
}
