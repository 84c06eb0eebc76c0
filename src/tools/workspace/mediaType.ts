/** The format of an image or a sound. */
export interface MediaType {
  readonly kind: 'image' | 'audio';
  readonly mimeType: string;
  /** Pixels of an image. */
  readonly width?: number;
  readonly height?: number;
}

/**
 * Recognizes images and sounds that models accept, by their first bytes, whatever the name of the file. Returns undefined
 * for anything else, and for truncated images: some services refuse the whole conversation because of one.
 * @param part `header` for the first bytes of a file, which do not tell whether it is truncated
 */
export function mediaTypeOf(bytes: Uint8Array, part: 'whole' | 'header' = 'whole'): MediaType | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (offset: number, text: string): boolean =>
    bytes.length >= offset + text.length &&
    Array.from(text).every((each, i) => bytes[offset + i] === each.charCodeAt(0));
  const holds = (end: string): boolean =>
    part === 'header' || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(end, 0, 'latin1');
  if (at(0, '\u0089PNG\r\n\u001a\n')) return holds('IEND') ? image('png', pngSize(view)) : undefined;
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return image('gif', gifSize(view));
  if (at(0, '\u00ff\u00d8\u00ff')) return holds('\u00ff\u00d9') ? image('jpeg', jpegSize(view)) : undefined;
  if (at(0, 'RIFF') && at(8, 'WEBP')) return image('webp', webpSize(view));
  if (at(0, 'RIFF') && at(8, 'WAVE')) return audio('wav');
  if (at(0, 'fLaC')) return audio('flac');
  // An Ogg container may be a film; the first packet names the codec.
  const isSound = ['\u0001vorbis', 'OpusHead', 'Speex   ', '\u007fFLAC'].some((codec) => at(28, codec));
  if (at(0, 'OggS') && isSound) return audio('ogg');
  if (at(0, 'ID3') || isMp3Frame(view)) return audio('mpeg');
  return undefined;
}

type Size = readonly [width: number, height: number] | undefined;

function image(format: string, size: Size): MediaType | undefined {
  const [width = 0, height = 0] = size ?? [];
  return width > 0 && height > 0 ? { kind: 'image', mimeType: `image/${format}`, width, height } : undefined;
}

function audio(format: string): MediaType {
  return { kind: 'audio', mimeType: `audio/${format}` };
}

function pngSize(view: DataView): Size {
  return view.byteLength < 24 ? undefined : [view.getUint32(16), view.getUint32(20)];
}

function gifSize(view: DataView): Size {
  return view.byteLength < 10 ? undefined : [view.getUint16(6, true), view.getUint16(8, true)];
}

/** Reads the size from the first start-of-frame segment (SOF0 to SOF15; C4, C8 and CC are other segments). */
function jpegSize(view: DataView): Size {
  let offset = 2;
  while (offset + 9 <= view.byteLength && view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(offset + 7), view.getUint16(offset + 5)];
    offset += 2 + view.getUint16(offset + 2);
  }
  return undefined;
}

/** Reads the size from any of the three first chunks: lossy, lossless, extended. */
function webpSize(view: DataView): Size {
  if (view.byteLength < 30) return undefined;
  const form = view.getUint8(15);
  if (form === 0x20) return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (form === 0x4c) {
    const bits = view.getUint32(21, true);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1];
}

/** Returns true for a frame header of MPEG layer III with a valid version, bit rate and sample rate. */
function isMp3Frame(view: DataView): boolean {
  if (view.byteLength < 4) return false;
  const head = view.getUint32(0);
  const isSync = head >>> 21 === 0x7ff;
  const version = (head >>> 19) & 3;
  const layer = (head >>> 17) & 3;
  const bitRate = (head >>> 12) & 15;
  const sampleRate = (head >>> 10) & 3;
  return isSync && version !== 1 && layer === 1 && bitRate > 0 && bitRate < 15 && sampleRate !== 3;
}
