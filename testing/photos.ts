import { encodePng } from '../sandbox/png.ts';

// Photos as people and attackers send them, built byte by byte.

/** A frame header of a baseline JPEG with three colors, as large as it says. */
export function createJpegFrame(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc00011080000000003012200021101031101', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return frame;
}

const START_OF_FRAME = Buffer.from([0xff, 0xc0]);

/**
 * The JPEG with two frame headers. Who reads a length after `marker`, which has none, skips the first one and reads the second;
 * who does not reads the first, and takes the second for a comment.
 */
export function hideJpegFrame(jpeg: Buffer, marker: number, hidden: Buffer): Buffer {
  const at = Math.max(2, jpeg.indexOf(START_OF_FRAME));
  const comment = Buffer.from([0xff, 0xfe, 0, 2 + hidden.length]);
  const length = 2 + hidden.length + comment.length;
  const skipped = Buffer.concat([Buffer.from([0xff, marker, 0, length]), hidden, comment]);
  return Buffer.concat([jpeg.subarray(0, at), skipped, jpeg.subarray(at)]);
}

/** A PNG that says it has this size; `rows` of it are there, from red at the left to blue at the right. */
export function createPng(width: number, height: number, rows = height): Buffer {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) row.set([255 - (x * 255) / width, 0, (x * 255) / width], 1 + x * 3);
  return encodePng(
    width,
    height,
    Array.from({ length: rows }, () => row),
  );
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

/** 8 x 6 pixels, made by libwebp. */
export const WEBPS = {
  lossy: 'UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoIAAYAAsBMJaACdLoAA5gA/u5DH+5sc4twV/9tD/9aH/60P+lAAA==',
  lossless: 'UklGRiAAAABXRUJQVlA4TBMAAAAvB0ABEAcQEREACML/tomI/ocAAA==',
  transparent:
    'UklGRmIAAABXRUJQVlA4WAoAAAAQAAAABwAABQAAQUxQSA8AAAABBxAREQAIwv+2iYj+hwAAVlA4ICwAAACQAQCdASoIAAYAAsBMJaACdLoAA5gA/u5DH+5sc4twV/9tD/9aH/60P+lAAA==',
};

/** What a chunk of this type says when it is about a picture of this size: a header, or a frame of an animation. */
export function createPngDetails(type: string, width: number, height: number, otherwise: Uint8Array): Uint8Array {
  if (type !== 'IHDR' && type !== 'fcTL') return type === 'acTL' ? Buffer.from('0000000100000000', 'hex') : otherwise;
  const details = Buffer.alloc(type === 'IHDR' ? 13 : 26);
  details.writeUInt32BE(width, type === 'IHDR' ? 0 : 4);
  details.writeUInt32BE(height, type === 'IHDR' ? 4 : 8);
  if (type === 'IHDR') details.set([8, 2], 8);
  return details;
}

/** The WebP with a canvas of another size, if it has one, or else in front of its picture. */
export function writeWebpCanvas(webp: Buffer, width: number, height: number): Buffer {
  const canvas = Buffer.from(`5650385800000000${'00'.repeat(10)}`, 'hex');
  canvas.writeUInt32LE(10, 4);
  canvas.writeUIntLE(width - 1, 12, 3);
  canvas.writeUIntLE(height - 1, 15, 3);
  const hasCanvas = webp.toString('latin1', 12, 16) === 'VP8X';
  const written = Buffer.concat([webp.subarray(0, 12), canvas, webp.subarray(hasCanvas ? 30 : 12)]);
  written.writeUInt32LE(written.length - 8, 4);
  return written;
}
