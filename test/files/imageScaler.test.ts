import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GifWriter } from 'omggif';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codecFiles, createImageScaler, type ImageScaler, type ScaledImage } from '#files/imageScaler.ts';
import { seededRandom } from '../bench/sourceText.ts';

let folder: string;
let scaler: ImageScaler;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-images-'));
  for (const [source, file] of Object.entries(codecFiles)) {
    copyFileSync(resolve('node_modules/@jsquash', source, file), join(folder, file));
  }
  scaler = createImageScaler(resolve('src/files/imageWorker.ts'), { folder });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A PNG of which each pixel is what a function returns: red, green and blue. */
function pngBytes(width: number, height: number, pixel: (at: number) => readonly number[]): Uint8Array<ArrayBuffer> {
  const image = new PNG({ width, height });
  for (let at = 0; at < width * height; at += 1) image.data.set([...pixel(at), 255], at * 4);
  return new Uint8Array(PNG.sync.write(image));
}

const random = seededRandom(1);
const noise = (): readonly number[] => [0, 0, 0].map(() => Math.floor(random() * 256));
const found = (image: ScaledImage | undefined): ScaledImage => image ?? expect.unreachable();

it('scales a PNG down to the longest side, and keeps its colours', async () => {
  const bytes = pngBytes(900, 300, () => [200, 100, 50]);
  const image = found(await scaler.scaleDown({ format: 'image/png', bytes, longestSide: 300, maximumBytes: 100_000 }));
  expect(image).toMatchObject({ mimeType: 'image/png', width: 300, height: 100 });
  const { data, width, height } = PNG.sync.read(Buffer.from(image.bytes));
  expect([width, height]).toEqual([300, 100]);
  // The colours are averaged as light and stored as numbers again, which rounds.
  for (const [at, value] of [200, 100, 50, 255].entries()) expect(data[at]).toBeOneOf([value - 1, value, value + 1]);
});

it('scales a WebP down to a PNG', async () => {
  // 90 x 30 pixels of one colour, without loss.
  const webp = 'UklGRiQAAABXRUJQVlA4TBcAAAAvWUAHAAdQsiJXpv8BICH8Xy9G9D81AwA=';
  const bytes = new Uint8Array(Buffer.from(webp, 'base64'));
  const image = found(await scaler.scaleDown({ format: 'image/webp', bytes, longestSide: 30, maximumBytes: 10_000 }));
  expect(image).toMatchObject({ mimeType: 'image/png', width: 30, height: 10 });
  const [red = 0, green = 0] = PNG.sync.read(Buffer.from(image.bytes)).data;
  expect(red).toBeOneOf([199, 200, 201]);
  expect(green).toBeOneOf([99, 100, 101]);
});

it('scales the first picture of an animated GIF down to a PNG', async () => {
  const buffer = new Uint8Array(10_000);
  const gif = new GifWriter(buffer, 90, 30, { palette: [0xc86432, 0x000000] });
  for (const colour of [0, 1])
    gif.addFrame(
      0,
      0,
      90,
      30,
      Array.from({ length: 90 * 30 }, () => colour),
    );
  const bytes = buffer.slice(0, gif.end());
  const image = found(await scaler.scaleDown({ format: 'image/gif', bytes, longestSide: 30, maximumBytes: 10_000 }));
  expect(image).toMatchObject({ mimeType: 'image/png', width: 30, height: 10 });
  expect(PNG.sync.read(Buffer.from(image.bytes)).data[0]).toBeOneOf([199, 200, 201]);
});

it('turns a PNG into a JPEG when that alone is small enough, and scales a JPEG too', async () => {
  const bytes = pngBytes(300, 200, noise);
  const bounds = { longestSide: 300, maximumBytes: 60_000 };
  const jpeg = found(await scaler.scaleDown({ format: 'image/png', bytes, ...bounds }));
  expect(jpeg).toMatchObject({ mimeType: 'image/jpeg', width: 300, height: 200 });
  expect(jpeg.bytes.length).toBeLessThanOrEqual(60_000);
  const smaller = { format: 'image/jpeg', bytes: jpeg.bytes, longestSide: 30, maximumBytes: 9000 } as const;
  expect(found(await scaler.scaleDown(smaller))).toMatchObject({ mimeType: 'image/jpeg', width: 30, height: 20 });
});

it('returns nothing when the image cannot be made small enough, when it is damaged, and when the codecs are gone', async () => {
  const bytes = pngBytes(60, 60, noise);
  const request = { format: 'image/png', bytes, longestSide: 60, maximumBytes: 50 } as const;
  expect(await scaler.scaleDown(request)).toBeUndefined();
  expect(await scaler.scaleDown({ ...request, bytes: bytes.slice(0, 100), maximumBytes: 9e6 })).toBeUndefined();
  const broken = mkdtempSync(join(folder, 'broken-'));
  for (const file of Object.values(codecFiles)) writeFileSync(join(broken, file), 'no codec');
  const withoutCodecs = createImageScaler(resolve('src/files/imageWorker.ts'), { folder: broken });
  expect(await withoutCodecs.scaleDown({ ...request, maximumBytes: 9e6 })).toBeUndefined();
});

it('does not scale when nobody waits any more', async () => {
  const request = { format: 'image/png', bytes: pngBytes(9, 9, noise), longestSide: 9, maximumBytes: 9000 } as const;
  expect(await scaler.scaleDown(request, AbortSignal.abort())).toBeUndefined();
});
