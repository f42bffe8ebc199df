import { crc32, deflateSync } from 'node:zlib';

/** Photos as people and attackers send them, built byte by byte. */

function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A PNG that says it has this size; `rows` of it are there, from red at the left to blue at the right. */
export function createPng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) row.set([255 - (x * 255) / width, 0, (x * 255) / width], 1 + x * 3);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: rows }, () => row)));
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([PNG_SIGNATURE, ...chunks]);
}

export const asBlob = (bytes: Uint8Array, type = 'image/png') => new Blob([bytes.slice()], { type });

/** A small photo to send. */
export const SMALL_PHOTO = createPng(8, 6);

/** A place as cameras write it, and words that are easy to find again. */
export const EXIF_SECRET = 'GPS 24.0012 N 67.0034 E of Ada';

/** An EXIF block with an orientation, and a text as the camera's maker. */
export function createExif(orientation: number): Buffer {
  const text = Buffer.from(`${EXIF_SECRET}\0`, 'latin1');
  const tiff = Buffer.alloc(38);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(2, 8);
  // Tag, kind, count and value: the maker, whose text comes behind, and the orientation.
  tiff.writeUInt16BE(0x010f, 10);
  tiff.writeUInt16BE(2, 12);
  tiff.writeUInt32BE(text.length, 14);
  tiff.writeUInt32BE(tiff.length, 18);
  tiff.writeUInt16BE(0x0112, 22);
  tiff.writeUInt16BE(3, 24);
  tiff.writeUInt32BE(1, 26);
  tiff.writeUInt16BE(orientation, 30);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, text]);
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xffe1);
  segment.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([segment, body]);
}

/** The JPEG with a segment right behind its first marker. */
export const insertSegment = (jpeg: Uint8Array, segment: Uint8Array) =>
  Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
