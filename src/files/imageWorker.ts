/** The program of the thread that scales an image down: one that is made to be slow or to fail cannot stop the extension host. */
import { parentPort, workerData } from 'node:worker_threads';
import decodeJpeg, { init as startJpegDecoder } from '@jsquash/jpeg/decode.js';
import encodeJpeg, { init as startJpegEncoder } from '@jsquash/jpeg/encode.js';
import decodePng, { init as startPngDecoder } from '@jsquash/png/decode.js';
import encodePng, { init as startPngEncoder } from '@jsquash/png/encode.js';
import resize, { initResize } from '@jsquash/resize';
import decodeWebp, { init as startWebpDecoder } from '@jsquash/webp/decode.js';
import { GifReader } from 'omggif';
import { readPacked } from '#syntax/packedFile.ts';
import { codecFiles, type ImageAnswer, type ImageStart, type ScaledImage, type ScaleRequest } from './imageScaler.ts';

/** The types of Node leave these out. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
declare global {
  interface ImageData {
    readonly width: number;
    readonly height: number;
    readonly data: Uint8ClampedArray;
  }
}

const { folder }: ImageStart = workerData;

const codec = (part: keyof typeof codecFiles): Promise<WebAssembly.Module> =>
  WebAssembly.compile(new Uint8Array(readPacked(folder, codecFiles[part])));

async function decoded({ format, bytes: { buffer } }: ScaleRequest): Promise<ImageData> {
  if (format === 'image/png') {
    await startPngDecoder(await codec('png/codec/pkg'));
    return decodePng(buffer);
  }
  if (format === 'image/webp') {
    await startWebpDecoder(await codec('webp/codec/dec'));
    return decodeWebp(buffer);
  }
  if (format === 'image/gif') return firstPicture(new GifReader(new Uint8Array(buffer)));
  await startJpegDecoder(await codec('jpeg/codec/dec'));
  // A camera stores a picture as its sensor lies, and beside it how to turn it.
  return decodeJpeg(buffer, { preserveOrientation: true });
}

function firstPicture(gif: GifReader): ImageData {
  const { width, height } = gif;
  const data = new Uint8ClampedArray(width * height * 4);
  gif.decodeAndBlitFrameRGBA(0, data);
  return { width, height, data };
}

async function scaled(image: ImageData, longestSide: number): Promise<ImageData> {
  const factor = longestSide / Math.max(image.width, image.height);
  if (factor >= 1) return image;
  await initResize(await codec('resize/lib/resize/pkg'));
  const pixels = (side: number): number => Math.max(1, Math.round(side * factor));
  return resize(image, { width: pixels(image.width), height: pixels(image.height), method: 'triangle' });
}

/** From the best quality to one in which text can still be read. */
const qualities = [85, 70, 50];

async function encoded(image: ImageData, { format, maximumBytes }: ScaleRequest): Promise<ScaledImage | undefined> {
  const { width, height } = image;
  if (format !== 'image/jpeg') {
    await startPngEncoder(await codec('png/codec/pkg'));
    const bytes = new Uint8Array(await encodePng(image));
    if (bytes.length <= maximumBytes) return { mimeType: 'image/png', width, height, bytes };
  }
  await startJpegEncoder(await codec('jpeg/codec/enc'));
  for (const quality of qualities) {
    const bytes = new Uint8Array(await encodeJpeg(image, { quality }));
    if (bytes.length <= maximumBytes) return { mimeType: 'image/jpeg', width, height, bytes };
  }
  return undefined;
}

async function answer(request: ScaleRequest): Promise<ImageAnswer> {
  const image = await encoded(await scaled(await decoded(request), request.longestSide), request);
  return image === undefined ? {} : { image };
}

parentPort?.on('message', (request: ScaleRequest) => {
  // A failure ends the thread, and the caller gets no image.
  void answer(request).then((answered) => parentPort?.postMessage(answered, []));
});
parentPort?.postMessage('ready', []);
