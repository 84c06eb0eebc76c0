/** An image or a sound, for models that see or hear. */
export interface Media {
  readonly kind: 'image' | 'audio';
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
  /** Milliseconds since the epoch. */
  readonly modified?: number;
}
