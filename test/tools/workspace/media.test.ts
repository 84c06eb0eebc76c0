import { describe, expect, it } from 'vitest';
import { makeResult } from '#call/result.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import { mediaTypeOf } from '#tools/workspace/mediaType.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { readFiles } from '#tools/workspace/readFiles.ts';
import { png } from './png.ts';
import { ToolRun } from './toolRun.ts';

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const zeros = (length: number): Buffer => Buffer.alloc(length);

const gif = Buffer.concat([text('GIF89a'), Buffer.from([0x20, 3, 0x10, 0]), zeros(4)]);
/** An application segment, a table, and the frame. */
const jpeg = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2]),
  Buffer.from([0xff, 0xc4, 0, 3, 9]),
  Buffer.from([0xff, 0xc2, 0, 11, 8, 0x01, 0x02, 0x03, 0x04, 3, 0, 0, 0]),
  Buffer.from([0xff, 0xd9]),
]);
const webp = (form: string, rest: Buffer): Buffer =>
  Buffer.concat([text('RIFF'), zeros(4), text('WEBP'), text(form), rest, zeros(16)]);
const lossy = webp('VP8 ', Buffer.concat([zeros(4), zeros(3), Buffer.from([0x9d, 1, 0x2a, 0x40, 1, 0xf0, 0])]));
const lossless = webp('VP8L', Buffer.concat([zeros(4), Buffer.from([0x2f, 0x3f, 0xc1, 0x3b, 0])]));
const extended = webp('VP8X', Buffer.concat([zeros(8), Buffer.from([0x3f, 1, 0, 0xef, 0, 0])]));
const ogg = (codec: string): Buffer => Buffer.concat([text('OggS'), zeros(24), text(codec), zeros(8)]);

describe('mediaTypeOf', () => {
  it.each([
    ['PNG', png(640, 480), { kind: 'image', mimeType: 'image/png', width: 640, height: 480 }],
    ['GIF', gif, { kind: 'image', mimeType: 'image/gif', width: 800, height: 16 }],
    ['JPEG', jpeg, { kind: 'image', mimeType: 'image/jpeg', width: 0x304, height: 0x102 }],
    ['lossy WebP', lossy, { kind: 'image', mimeType: 'image/webp', width: 320, height: 240 }],
    ['lossless WebP', lossless, { kind: 'image', mimeType: 'image/webp', width: 320, height: 240 }],
    ['extended WebP', extended, { kind: 'image', mimeType: 'image/webp', width: 320, height: 240 }],
    [
      'WAV',
      Buffer.concat([text('RIFF'), zeros(4), text('WAVEfmt '), zeros(8)]),
      { kind: 'audio', mimeType: 'audio/wav' },
    ],
    ['FLAC', Buffer.concat([text('fLaC'), zeros(8)]), { kind: 'audio', mimeType: 'audio/flac' }],
    ['Vorbis', ogg('\u0001vorbis'), { kind: 'audio', mimeType: 'audio/ogg' }],
    ['Opus', ogg('OpusHead'), { kind: 'audio', mimeType: 'audio/ogg' }],
    ['tagged MP3', Buffer.concat([text('ID3'), zeros(8)]), { kind: 'audio', mimeType: 'audio/mpeg' }],
    ['MP3', Buffer.from([0xff, 0xfb, 0x90, 0x64, 0]), { kind: 'audio', mimeType: 'audio/mpeg' }],
  ])('recognises %s by its first bytes', (_, bytes, type) => {
    expect(mediaTypeOf(bytes)).toEqual(type);
    // Files are read into a larger buffer.
    expect(mediaTypeOf(Buffer.concat([zeros(7), bytes]).subarray(7))).toEqual(type);
  });

  it.each([
    ['nothing', zeros(0)],
    ['a film in Ogg', ogg('\u0080theora')],
    ['other RIFF', Buffer.concat([text('RIFF'), zeros(4), text('AVI ')])],
    ['UTF-16', Buffer.from([0xff, 0xfe, 0x41, 0])],
    ['a reserved bit rate', Buffer.from([0xff, 0xfb, 0xf0, 0x64])],
    ['ELF', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0])],
    ['a PNG that was cut off', png(640, 480).subarray(0, -8)],
    ['a JPEG that was cut off', jpeg.subarray(0, -1)],
    ['an image without pixels', png(0, 480)],
  ])('does not take %s for an image or a sound', (_, bytes) => expect(mediaTypeOf(bytes)).toBeUndefined());

  it.each([png(1, 1), gif, jpeg, lossy, ogg('OpusHead')])(
    'does not throw when the file is cut off at any byte',
    (bytes) => {
      for (let length = 0; length < bytes.length; length += 1) {
        expect(() => mediaTypeOf(bytes.subarray(0, length))).not.toThrow();
      }
    },
  );
});

describe('read_file of an image or a sound', () => {
  it('returns the media as content of its own, next to text and data that describe it', async () => {
    const run = new ToolRun({ '/w/logo.dat': png(640, 480) });
    const data = await run.data(readFile, { path: 'logo.dat' });
    expect(data).toEqual({
      kind: 'image',
      path: 'logo.dat',
      uri: 'file:///w/logo.dat',
      mimeType: 'image/png',
      width: 640,
      height: 480,
      size: 64,
      lastModified: '2026-11-21T00:00:00.000Z',
    });
    const rendering = { ...readFile.render(data), media: run.media };
    for (const structured of [true, false]) {
      expect(makeResult(data, rendering, { ...defaultProfile, structured }).content).toEqual([
        { type: 'text', text: 'logo.dat: image/png, 640 x 480 pixels, 64 bytes. The image comes with this text.' },
        {
          type: 'image',
          mimeType: 'image/png',
          data: png(640, 480).toString('base64'),
          annotations: { audience: ['user', 'assistant'], priority: 0.9, lastModified: '2026-11-21T00:00:00.000Z' },
        },
      ]);
    }
    expect(JSON.stringify(data)).not.toContain(png(640, 480).toString('base64'));
  });

  it('names the target when the path is a link', async () => {
    const run = new ToolRun({ '/w/a.flac': Buffer.concat([text('fLaC'), zeros(8)]), '/w/b.flac': { link: 'a.flac' } });
    const data = await run.data(readFile, { path: 'b.flac' });
    expect(data).toMatchObject({ kind: 'audio', path: 'b.flac', resolvedTo: 'a.flac' });
    expect(readFile.render(data).text).toBe('b.flac -> a.flac: audio/flac, 12 bytes. The sound comes with this text.');
  });

  it('P13: refuses more than 1 MiB, and says what helps', async () => {
    const limit = 1024 * 1024;
    const run = new ToolRun({ '/w/fits': png(1, 1, limit), '/w/over.png': png(1, 1, limit + 1) });
    expect(await run.data(readFile, { path: 'fits' })).toMatchObject({ kind: 'image' });
    const refusal = { code: 'too_large', hint: expect.stringContaining('smaller copy') };
    await expect(run.data(readFile, { path: 'over.png' })).rejects.toMatchObject(refusal);
    const huge = new ToolRun({ '/w/a.png': png(1, 1, 6 * limit), '/w/a.txt': 'x'.repeat(6 * limit) });
    await expect(huge.data(readFile, { path: 'a.png' })).rejects.toMatchObject(refusal);
    await expect(huge.data(readFile, { path: 'a.txt' })).rejects.not.toMatchObject(refusal);
    expect(run.media).toHaveLength(1);
  });

  it('returns an SVG as text, and refuses other binary files with a list of readable types', async () => {
    const run = new ToolRun({ '/w/a.svg': '<svg/>', '/w/a.png': Buffer.from([1, 0, 2]) });
    expect(await run.textOf({ path: 'a.svg' })).toMatchObject({ text: '<svg/>' });
    await expect(run.data(readFile, { path: 'a.png' })).rejects.toMatchObject({
      code: 'binary_file',
      hint: expect.stringContaining('PNG, JPEG'),
    });
  });

  it('is named in the refusal of read_files', async () => {
    const run = new ToolRun({ '/w/a.png': png(1, 1) });
    const { failed } = await run.data(readFiles, { files: [{ path: 'a.png' }] });
    expect(failed).toMatchObject([{ code: 'binary_file', message: expect.stringContaining('read_file') }]);
  });
});
