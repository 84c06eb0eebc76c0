/** Something is no longer as it was when it was approved. The message says what, in words that follow the path: "it is gone". */
export class ChangedSinceApproval extends Error {}
