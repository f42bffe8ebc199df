import type { PhotoType } from '../../domain/files.ts';

export type PhotoFormat = { readonly type: PhotoType; readonly width: number; readonly height: number };

/**
 * What a file is by its own first bytes, without decoding it. Undefined for anything that is not clearly a whole photo. The
 * size that it states is checked before anything is decoded.
 */
export function readPhotoFormat(photo: Uint8Array): PhotoFormat | undefined {
  const bytes = Buffer.from(photo.buffer, photo.byteOffset, photo.length);
  return readJpeg(bytes) ?? readPng(bytes) ?? readWebp(bytes);
}

const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
const START_OF_SCAN = Buffer.from([0xff, 0xda]);
/** Cameras and browsers write a dozen at most. Each one costs a pass over the whole photo. */
const MAX_JPEG_SCANS = 40;
/** Start of frame: baseline, extended and progressive. Other kinds are not in use. */
const JPEG_FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];
/** Tables, the restart interval, comments and the segments of applications: what else cameras write before the first scan. */
const JPEG_SEGMENTS: readonly number[] = [0xc4, 0xdb, 0xdd, 0xfe, ...Array.from({ length: 16 }, (_, n) => 0xe0 + n)];

/**
 * Before the first scan, only segments that have a length. Decoders disagree about markers without one (TEM, RST0 to RST7, a
 * second SOI): what one of them skips as a segment, another reads, with a frame of any size in it.
 */
function readJpeg(bytes: Buffer): PhotoFormat | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let size: { width: number; height: number } | undefined;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // A marker may be preceded by any number of fill bytes.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda) return size && hasWholeScans(bytes, at) ? { type: 'image/jpeg', ...size } : undefined;
    const [length, isFrame] = [bytes.readUInt16BE(at + 2), JPEG_FRAMES.includes(marker)];
    // The length counts its own two bytes.
    if (length < 2 || !(isFrame || JPEG_SEGMENTS.includes(marker))) return undefined;
    if (isFrame) {
      // Three bytes a component after the eight that say what the frame is.
      if (size || length !== 8 + 3 * (bytes[at + 9] ?? 0)) return undefined;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + length;
  }
  return undefined;
}

function hasWholeScans(bytes: Buffer, from: number): boolean {
  let scans = 0;
  for (let at = from; at >= 0 && scans <= MAX_JPEG_SCANS; at = bytes.indexOf(START_OF_SCAN, at + 2)) scans += 1;
  return scans <= MAX_JPEG_SCANS && bytes.indexOf(END_OF_IMAGE, from) > 0;
}

const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
const PNG_HEADER_END = 33;
/** Pictures behind a first one, which may have sizes of their own. An animation is no photo. */
const PNG_ANIMATION: readonly string[] = ['acTL', 'fcTL', 'fdAT'];

function readPng(bytes: Buffer): PhotoFormat | undefined {
  if (bytes.length < PNG_HEADER_END || !bytes.subarray(0, PNG_START.length).equals(PNG_START)) return undefined;
  for (let at = PNG_HEADER_END; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const chunk = bytes.toString('latin1', at + 4, at + 8);
    if (chunk === 'IHDR' || PNG_ANIMATION.includes(chunk)) return undefined;
    if (chunk === 'IDAT') return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  return undefined;
}

const WEBP_ANIMATION_FLAG = 0x02;

function readWebp(bytes: Buffer): PhotoFormat | undefined {
  if (bytes.length < 30) return undefined;
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return undefined;
  const size = readWebpSize(bytes, bytes.toString('latin1', 12, 16));
  return size && { type: 'image/webp', ...size };
}

function readWebpSize(bytes: Buffer, chunk: string) {
  if (chunk === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (chunk === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  // An animation is no photo.
  if (chunk !== 'VP8X' || ((bytes[20] ?? 0) & WEBP_ANIMATION_FLAG) !== 0) return undefined;
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}
