import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js';
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js';
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js';
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js';
import type { PhotoType } from '../../domain/files.ts';
import type { Pixels } from './shrinkPhoto.ts';
import { limitWasmMemory, WASM_PAGE_BYTES } from './wasmMemory.ts';

const MIB = 1024 * 1024;
/**
 * The most memory of one codec. 25 megapixels take 262 MiB as a progressive JPEG, a third more with a fourth color, 216 MiB as
 * a PNG of 16 bits, and 191 MiB as a WebP. A photo that takes more breaks its decoder, and not the server.
 */
export const DECODER_MAX_BYTES = 384 * MIB;
/** What is written has 1600 pixels a side at most, which takes 30 MiB. */
const ENCODER_MAX_BYTES = 128 * MIB;

/** What a codec has to say about a damaged photo would be a stranger's words in our log. */
const SILENT = { print: () => undefined, printErr: () => undefined };
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

async function compile(path: string, maxBytes: number): Promise<object> {
  const code = await readFile(fileURLToPath(import.meta.resolve(`@jsquash/${path}`)));
  return new WebAssembly.Module(limitWasmMemory(code, maxBytes / WASM_PAGE_BYTES));
}

const once = <T>(load: () => Promise<T>) => {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
};

/** A codec of Emscripten also takes options, which its types leave out. */
const startSilently = (init: (module: object, options: object) => Promise<unknown>, module: object) =>
  init(module, SILENT);

const compileDecoder = (path: string) => compile(path, DECODER_MAX_BYTES);
const loadEncoder = once(async () =>
  startSilently(initJpegEncoder, await compile('jpeg/codec/enc/mozjpeg_enc.wasm', ENCODER_MAX_BYTES)),
);

type Decoder = { readonly load: () => Promise<unknown>; readonly decode: (bytes: ArrayBuffer) => Promise<Pixels> };

const DECODERS: Readonly<Record<PhotoType, Decoder>> = {
  'image/jpeg': {
    load: once(async () => startSilently(initJpegDecoder, await compileDecoder('jpeg/codec/dec/mozjpeg_dec.wasm'))),
    // Turned as the EXIF says, because the EXIF is not kept.
    decode: (bytes) => decodeJpeg(bytes, { preserveOrientation: true }),
  },
  'image/png': {
    load: once(async () => initPngDecoder(await compileDecoder('png/codec/pkg/squoosh_png_bg.wasm'))),
    decode: (bytes) => decodePng(bytes),
  },
  'image/webp': {
    load: once(async () => startSilently(initWebpDecoder, await compileDecoder('webp/codec/dec/webp_dec.wasm'))),
    decode: (bytes) => decodeWebp(bytes),
  },
};

/** The pixels of a photo. Fails when it cannot be decoded, or when that takes too much memory: the codec is then broken. */
export async function decodePhoto(type: PhotoType, bytes: Uint8Array): Promise<Pixels> {
  const { load, decode } = DECODERS[type];
  await load();
  return decode(new Uint8Array(bytes).buffer);
}

/** A JPEG of pixels, and nothing else. */
export async function encodePhoto({ data, width, height }: Pixels): Promise<Uint8Array> {
  await loadEncoder();
  return new Uint8Array(await encodeJpeg(new PixelData(data, width, height), QUALITY));
}
