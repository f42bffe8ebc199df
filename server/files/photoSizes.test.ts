import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPngChunk } from '../../sandbox/png.ts';
import {
  createJpegFrame,
  createPng,
  createPngDetails,
  hideJpegFrame,
  insertSegment,
  WEBPS,
  writeWebpCanvas,
} from '../../testing/photos.ts';
import { propertyRuns } from '../../testing/propertyRuns.ts';
import { DECODER_MAX_BYTES, decodePhoto } from './photoCodecs.ts';
import { readPhotoFormat } from './photoFormat.ts';
import { createPhotoReencoder } from './photoReencoder.ts';
import { createPhotoThread } from './photoThread.ts';
import { limitWasmMemory } from './wasmMemory.ts';

const reencoder = createPhotoReencoder();
const thread = createPhotoThread();
let jpeg: Buffer;

async function write(photo: Uint8Array): Promise<Buffer> {
  const { result } = await reencoder.reencode(photo, { owner: randomUUID(), isProof: true });
  if (typeof result === 'string') return expect.fail(result);
  return Buffer.from(result.bytes);
}

beforeAll(async () => {
  jpeg = await write(createPng(40, 30));
});
afterAll(() => Promise.all([reencoder.close(), thread.end()]));

/** TEM, RST0 to RST7, a second start, an end, and a zero, which is no marker. */
const WITHOUT_LENGTH = [0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0x00];

describe('a JPEG in which decoders read different frames is no photo', () => {
  test.each(WITHOUT_LENGTH)('with a frame behind the marker %i', (marker) => {
    expect(readPhotoFormat(hideJpegFrame(jpeg, marker, createJpegFrame(20_000, 20_000)))).toBeUndefined();
  });

  test.each([0, 1])('with a segment of length %i', (length) => {
    expect(readPhotoFormat(insertSegment(jpeg, Buffer.from([0xff, 0xfe, 0, length])))).toBeUndefined();
  });

  test('fill bytes before a marker are fine, as cameras write them', () => {
    expect(readPhotoFormat(insertSegment(jpeg, Buffer.from([0xff, 0xff])))).toMatchObject({ width: 40, height: 30 });
  });
});

test('a frame that got past the reader ends the thread at its memory, and not the server', async () => {
  // Decoding it takes 600 MB.
  const hidden = hideJpegFrame(jpeg, 0x01, createJpegFrame(12_000, 12_000));
  await expect(decodePhoto('image/jpeg', hidden)).rejects.toThrow();
  // What the thread is told is what a reader that was deceived would have read.
  const { answer } = await thread.run({ type: 'image/jpeg', width: 40, height: 30, bytes: hidden });
  expect(['notDecoded', 'died']).toContain(answer);
  expect(await thread.run({ type: 'image/jpeg', width: 40, height: 30, bytes: jpeg })).toMatchObject({
    answer: { width: 40, height: 30 },
  });
});

test('the memory of a codec cannot grow above its limit', () => {
  const code = Buffer.from('0061736d010000000503010001070a01066d656d6f72790200', 'hex');
  const grow = (module: Uint8Array, pages: number) =>
    new WebAssembly.Instance(new WebAssembly.Module(module)).exports.memory.grow(pages);
  expect(grow(code, 100)).toBe(1);
  const limited = limitWasmMemory(code, 300);
  expect(grow(limited, 299)).toBe(1);
  expect(() => grow(limited, 300)).toThrow(RangeError);
  expect(() => limitWasmMemory(Buffer.from('0061736d01000000', 'hex'), 1)).toThrow('no memory of its own');
  expect(DECODER_MAX_BYTES).toBeGreaterThan(25_000_000 * 10);
});

/** Small sizes, so that a photo whose size was changed is still decoded quickly. */
const size = fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 90 }));
const noise = fc.uint8Array({ maxLength: 24 });
type Change = (photo: Buffer) => Buffer;

/** Changes of single bytes, cuts and insertions near the beginning, where the size is. */
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(64), fc.nat(255)).map(
    ([at, byte]): Change =>
      (photo) =>
        photo.map((old, index) => (index === at ? byte : old)) as Buffer,
  ),
  fc.tuple(fc.nat(64), noise).map(
    ([at, bytes]): Change =>
      (photo) =>
        Buffer.concat([photo.subarray(0, at), bytes, photo.subarray(at)]),
  ),
  fc.tuple(fc.nat(64), fc.nat(8)).map(
    ([at, length]): Change =>
      (photo) =>
        Buffer.concat([photo.subarray(0, at), photo.subarray(at + length)]),
  ),
);

const jpegChange: fc.Arbitrary<Change> = fc.oneof(
  anyChange,
  fc.tuple(fc.constantFrom(...WITHOUT_LENGTH, 0xe1, 0xfe, 0xff, 0xc1, 0xc9), size).map(
    ([marker, [width, height]]): Change =>
      (photo) =>
        hideJpegFrame(photo, marker, createJpegFrame(width, height)),
  ),
  fc.tuple(fc.nat(255), fc.nat(30), noise).map(
    ([marker, length, bytes]): Change =>
      (photo) =>
        insertSegment(photo, Buffer.from([0xff, marker, 0, length, ...bytes])),
  ),
);

const PNG_HEADER_END = 33;
const pngChange: fc.Arbitrary<Change> = fc.oneof(
  anyChange,
  fc.tuple(fc.constantFrom('IHDR', 'acTL', 'fcTL', 'fdAT', 'tEXt', 'IDAT', 'IEND'), size, noise).map(
    ([type, [width, height], bytes]): Change =>
      (photo) => {
        const chunk = createPngChunk(type, createPngDetails(type, width, height, bytes));
        return Buffer.concat([photo.subarray(0, PNG_HEADER_END), chunk, photo.subarray(PNG_HEADER_END)]);
      },
  ),
);

const webpChange: fc.Arbitrary<Change> = fc.oneof(
  anyChange,
  size.map(
    ([width, height]): Change =>
      (photo) =>
        writeWebpCanvas(photo, width, height),
  ),
);

/** More than this takes too long for a test, and what is read too large is refused by its size. */
const MAX_READ_PIXELS = 250_000;

describe('the size that is read is the size that is decoded, or the photo is refused', () => {
  const webps = fc.constantFrom(...Object.values(WEBPS).map((photo) => Buffer.from(photo, 'base64')));
  const formats = {
    JPEG: [jpegChange, size.map(() => jpeg)],
    PNG: [pngChange, size.map(([width, height]) => createPng(width, height))],
    WebP: [webpChange, webps],
  } as const;

  test.each(Object.entries(formats))('%s', async (_name, [change, original]) => {
    const isAgreed = async (photo: Buffer, changes: readonly Change[]) => {
      const bytes = changes.reduce((changed, one) => one(changed), photo);
      const format = readPhotoFormat(bytes);
      if (!format || format.width * format.height > MAX_READ_PIXELS) return true;
      return (await thread.run({ ...format, bytes })).answer !== 'otherSize';
    };
    const changes = fc.array(change, { minLength: 1, maxLength: 3 });
    await fc.assert(fc.asyncProperty(original, changes, isAgreed), propertyRuns(25));
  });
});

declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { exports: { memory: { grow(pages: number): number } } };
};
