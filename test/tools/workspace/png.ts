/** Returns what a PNG begins and ends with, of a given size in pixels and bytes. Nothing can decode it. */
export function png(width: number, height: number, length = 64): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write('\u0089PNG\r\n\u001a\n', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.write('IEND', length - 8, 'latin1');
  return bytes;
}
