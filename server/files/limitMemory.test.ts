import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { limitMemory } from './limitMemory.ts';

const CODECS = [
  'jpeg/codec/dec/mozjpeg_dec.wasm',
  'jpeg/codec/enc/mozjpeg_enc.wasm',
  'png/codec/pkg/squoosh_png_bg.wasm',
  'webp/codec/dec/webp_dec.wasm',
];
const MEGABYTE = 1024 * 1024;

/** Node has it, but its types do not. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, { readonly buffer?: ArrayBuffer; grow?(pages: number): number }>> };
};

/** Imports that do nothing: an instance is made only to look at its memory. */
const NOTHING: object = new Proxy({}, { get: () => new Proxy({}, { get: () => () => 0 }) });

test.each(CODECS)('%s cannot take more memory than it may', async (path) => {
  const code = await readFile(fileURLToPath(import.meta.resolve(`@jsquash/${path}`)));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(limitMemory(code, 64 * MEGABYTE)), NOTHING);
  const memory = Object.values(instance.exports).find(({ buffer }) => buffer instanceof ArrayBuffer);
  const used = memory?.buffer?.byteLength ?? 0;
  expect(used).toBeGreaterThan(0);
  expect(() => memory?.grow?.((64 * MEGABYTE - used) / 65_536 + 1)).toThrow();
  expect(memory?.grow?.(1)).toBe(used / 65_536);
});

test('a module without a memory of its own is not taken for one that is limited', () => {
  const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  expect(() => limitMemory(empty, MEGABYTE)).toThrow('no memory of its own');
});
