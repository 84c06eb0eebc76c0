/** Texts and small records that outlive a window's reload: pre-images, and what became of each approval. */
export interface History {
  /** Keeps bytes under their SHA-256 (hex), which is returned. Safe on the disk when it resolves. */
  putContent(bytes: Uint8Array): Promise<string>;
  /** Throws when the content is missing or damaged. */
  getContent(sha256: string): Promise<Uint8Array>;
  /** Replaces the record of that id. Safe on the disk when it resolves. */
  putRecord(id: string, record: unknown): Promise<void>;
  /** Records of this window, oldest first; unreadable ones are left out. */
  records(): Promise<readonly unknown[]>;
}
