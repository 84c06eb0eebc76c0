/** Scales images down in a worker thread, so that a model can see a picture that is too large for a result. */
import { BoundedWorker } from '#syntax/boundedWorker.ts';

/** The formats that are decoded. */
export type ScalableFormat = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** An image, and the bounds within which it is wanted. */
export interface ScaleRequest {
  readonly format: ScalableFormat;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Pixels. */
  readonly longestSide: number;
  readonly maximumBytes: number;
}

/** An image within the bounds of its request. */
export interface ScaledImage {
  readonly mimeType: Extract<ScalableFormat, 'image/png' | 'image/jpeg'>;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Scales images down. The caller checks their pixels before, since each of them takes four bytes and more. */
export interface ImageScaler {
  /**
   * Returns an image within the bounds, of an animated GIF its first picture: a PNG when the image was no JPEG and that is small enough, otherwise a JPEG. Returns undefined when the image is
   * damaged, when it cannot be made small enough, when the time is up or when the signal aborts.
   */
  scaleDown(request: ScaleRequest, signal?: AbortSignal): Promise<ScaledImage | undefined>;
}

/** The WebAssembly files of the libraries, by the folder of the package `@jsquash` in which they are. */
export const codecFiles = {
  'png/codec/pkg': 'squoosh_png_bg.wasm',
  'jpeg/codec/dec': 'mozjpeg_dec.wasm',
  'jpeg/codec/enc': 'mozjpeg_enc.wasm',
  'webp/codec/dec': 'webp_dec.wasm',
  'resize/lib/resize/pkg': 'squoosh_resize_bg.wasm',
} as const;

/** The data with which the worker starts. */
export interface ImageStart {
  /** Absolute path of the folder with the codecs: `dist/images`. */
  readonly folder: string;
}

/** The answer of the worker; without an image when there is none within the bounds. */
export interface ImageAnswer {
  readonly image?: ScaledImage;
}

/** Milliseconds for one image. The largest one takes about two seconds, and ten times as long on a machine that is busy. */
const timeLimit = 25_000;

/** Creates a scaler. @param program is the absolute path of the worker's program: `dist/imageWorker.cjs` */
export function createImageScaler(program: string, { folder }: ImageStart): ImageScaler {
  return {
    async scaleDown(request, signal) {
      // The memory of WebAssembly never shrinks, so each image has a worker of its own.
      const worker = new BoundedWorker<ScaleRequest, ImageAnswer>({ program, data: { folder }, timeLimit });
      try {
        return (await worker.ask(request, signal))?.image;
      } finally {
        worker.dispose();
      }
    },
  };
}
