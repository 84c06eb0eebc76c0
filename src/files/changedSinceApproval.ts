/**
 * Thrown when a file or folder is no longer as it was when the user approved a change of it. The message completes a sentence
 * about the path, for example "it no longer exists".
 */
export class ChangedSinceApproval extends Error {}
