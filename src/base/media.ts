/** An image or audio result, for models that accept one. */
export interface Media {
  readonly kind: 'image' | 'audio';
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
  /** When the file was modified, in milliseconds since the epoch. */
  readonly modified?: number;
}
