/** The package has no types of its own. These are the parts that `loopPicture.ts` uses. */
declare module 'gifenc' {
  /** A colour as red, green and blue, 0 to 255. */
  type Palette = readonly (readonly number[])[];

  interface Gif {
    /** @param options `delay` is in milliseconds; `repeat` 0 repeats for ever */
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: { readonly palette: Palette; readonly delay: number; readonly repeat?: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }

  const gifenc: {
    GIFEncoder(): Gif;
    /** Returns at most this many colours that stand for those of an image in RGBA. */
    quantize(rgba: Uint8Array, mostColours: number): Palette;
    /** Returns the number of a colour for each pixel. */
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
  };
  export default gifenc;
}
