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
    if (JPEG_FRAMES.includes(marker)) {
      if (size) return undefined;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function hasWholeScans(bytes: Buffer, from: number): boolean {
  let scans = 0;
  for (let at = from; at >= 0 && scans <= MAX_JPEG_SCANS; at = bytes.indexOf(START_OF_SCAN, at + 2)) scans += 1;
  return scans <= MAX_JPEG_SCANS && bytes.indexOf(END_OF_IMAGE, from) > 0;
}

const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

function readPng(bytes: Buffer): PhotoFormat | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, PNG_START.length).equals(PNG_START)) return undefined;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
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
