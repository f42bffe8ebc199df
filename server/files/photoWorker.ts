import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js';
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js';
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js';
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js';
import { PHOTO_MAX_PIXELS, PHOTO_MAX_SIDE, type PhotoType } from '../../domain/files.ts';
import { type Pixels, shrinkPhoto } from './shrinkPhoto.ts';

// A thread of its own: decoding takes seconds for the largest photos, and the server must go on answering meanwhile. The
// codecs are WebAssembly, so a photo that breaks one cannot reach the server's memory.

export type PhotoJob = { readonly bytes: Uint8Array; readonly type: PhotoType };
export type ReencodedPhoto = { readonly bytes: Uint8Array; readonly width: number; readonly height: number };
/** Undefined when the photo cannot be decoded. */
export type PhotoResult = ReencodedPhoto | undefined;

const QUALITY = { quality: 80, progressive: false } as const;

/** The codecs return the browser's class, which Node does not have. */
class PixelData implements Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}
Object.assign(globalThis, { ImageData: PixelData });

/** Node has it, but its types do not. */
declare const WebAssembly: { readonly Module: new (code: Uint8Array) => object };

const compile = async (path: string) =>
  new WebAssembly.Module(await readFile(fileURLToPath(import.meta.resolve(`@jsquash/${path}`))));

const once = <T>(load: () => Promise<T>) => {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
};

const loadEncoder = once(async () => initJpegEncoder(await compile('jpeg/codec/enc/mozjpeg_enc.wasm')));

type Codec = { readonly load: () => Promise<unknown>; readonly decode: (bytes: ArrayBuffer) => Promise<Pixels> };

const CODECS: Readonly<Record<PhotoType, Codec>> = {
  'image/jpeg': {
    load: once(async () => initJpegDecoder(await compile('jpeg/codec/dec/mozjpeg_dec.wasm'))),
    // Turned as the EXIF says, because the EXIF is not kept.
    decode: (bytes) => decodeJpeg(bytes, { preserveOrientation: true }),
  },
  'image/png': {
    load: once(async () => initPngDecoder(await compile('png/codec/pkg/squoosh_png_bg.wasm'))),
    decode: (bytes) => decodePng(bytes),
  },
  'image/webp': {
    load: once(async () => initWebpDecoder(await compile('webp/codec/dec/webp_dec.wasm'))),
    decode: (bytes) => decodeWebp(bytes),
  },
};

async function reencode({ bytes, type }: PhotoJob): Promise<PhotoResult> {
  const { load, decode } = CODECS[type];
  await Promise.all([load(), loadEncoder()]);
  const pixels = await decode(bytes.slice().buffer).catch(() => undefined);
  if (!pixels || pixels.width * pixels.height > PHOTO_MAX_PIXELS) return undefined;
  const { data, width, height } = shrinkPhoto(pixels, PHOTO_MAX_SIDE);
  return { bytes: new Uint8Array(await encodeJpeg(new PixelData(data, width, height), QUALITY)), width, height };
}

parentPort?.on('message', async (job: PhotoJob) => parentPort?.postMessage(await reencode(job)));
