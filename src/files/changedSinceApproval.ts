/**
 * Thrown when a file or folder is no longer as it was when the user approved a change of it. The message completes a sentence
 * about the path, for example "it no longer exists".
 */
export class ChangedSinceApproval extends Error {}

/** Returns the error of a file or folder that somebody deleted or moved. */
export function entryGone(): ChangedSinceApproval {
  return new ChangedSinceApproval('it no longer exists');
}

/** Returns the error of a name that was free and now belongs to something else. */
export function nameTaken(): ChangedSinceApproval {
  return new ChangedSinceApproval('something else has its name now');
}
