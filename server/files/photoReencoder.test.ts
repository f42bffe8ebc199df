import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { PHOTO_MAX_PIXELS, PHOTO_MAX_SIDE } from '../../domain/files.ts';
import { createExif, createPng, EXIF_SECRET, insertSegment, WEBPS } from '../../testing/photos.ts';
import { Refusal } from '../http/refusals.ts';
import { readPhotoFormat } from './photoFormat.ts';
import { createPhotoReencoder } from './photoReencoder.ts';

const reencoder = createPhotoReencoder();
afterAll(() => reencoder.close());

/** By a new person unless `owner` says whose the photo is. */
const reencode = async (bytes: Uint8Array, owner: string = randomUUID()) => {
  const { result } = await reencoder.reencode(bytes, { owner, isProof: false });
  if (typeof result === 'string') throw new Refusal(result);
  const { bytes: written, ...size } = result;
  return { ...size, bytes: Buffer.from(written) };
};
const toJpeg = async (width: number, height: number) => (await reencode(createPng(width, height))).bytes;

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const error = await reencode(bytes, 'owner').then(
    () => expect.fail('the photo should have been refused'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof Refusal)) throw error;
  return error.failure;
}

const webp = (kind: keyof typeof WEBPS) => Buffer.from(WEBPS[kind], 'base64');

describe('a photo is written again', () => {
  test.each([
    ['PNG', createPng(40, 30), 40, 30],
    ['lossy WebP', webp('lossy'), 8, 6],
    ['lossless WebP', webp('lossless'), 8, 6],
    ['transparent WebP', webp('transparent'), 8, 6],
    ['the longer side of a wide photo', createPng(3_200, 800), PHOTO_MAX_SIDE, 400],
    ['the longer side of a tall photo', createPng(100, 2_000), 80, PHOTO_MAX_SIDE],
  ])('as a JPEG: %s', async (_name, photo, width, height) => {
    const written = await reencode(photo);
    expect(written).toMatchObject({ width, height });
    expect(readPhotoFormat(written.bytes)).toEqual({ type: 'image/jpeg', width, height });
  });

  test('without its EXIF, comments, and what follows its end', async () => {
    const comment = Buffer.from('\xff\xfe\0\x0f<script>alert', 'latin1');
    const hostile = Buffer.concat([
      insertSegment(insertSegment(await toJpeg(40, 30), comment), createExif(1)),
      Buffer.from('PK\x03\x04<html><script>alert(1)</script>', 'latin1'),
    ]);
    expect(hostile.includes(EXIF_SECRET)).toBe(true);
    const { bytes } = await reencode(hostile);
    for (const trace of [EXIF_SECRET, 'Exif', '<script', 'PK\x03\x04'])
      expect(bytes.includes(trace), trace).toBe(false);
    expect(bytes.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
  });

  test('and turned as its EXIF said', async () => {
    expect(await reencode(insertSegment(await toJpeg(40, 30), createExif(6)))).toMatchObject({ width: 30, height: 40 });
  });
});

describe('what is no photo is refused', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a drawing with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['the beginning of a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['a GIF', Buffer.from(`GIF89a${'\0'.repeat(40)}`, 'latin1')],
    ['a PNG without pixels', createPng(0, 10)],
    ['a PNG of which a part is missing', createPng(40, 30).subarray(0, 60)],
    ['a WebP of which a part is missing', webp('lossy').subarray(0, 40)],
  ])('%s', async (_name, bytes) => {
    expect(await refusalOf(bytes)).toBe('notAPhoto');
  });

  test('a JPEG of which a part is missing', async () => {
    const jpeg = await toJpeg(40, 30);
    expect(await refusalOf(jpeg.subarray(0, jpeg.length - 2))).toBe('notAPhoto');
    expect(await refusalOf(jpeg.subarray(0, jpeg.length / 2))).toBe('notAPhoto');
  });

  test('a JPEG with so many scans that decoding it takes minutes', async () => {
    const jpeg = await toJpeg(40, 30);
    const at = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const scans = Buffer.concat(Array.from({ length: 100 }, () => jpeg.subarray(at, -2)));
    expect(await refusalOf(Buffer.concat([jpeg.subarray(0, at), scans, jpeg.subarray(-2)]))).toBe('notAPhoto');
  });

  test('a photo of more pixels than may be decoded, by what it says alone', async () => {
    // A megabyte of zeros would be a hundred gigabytes of pixels.
    expect(await refusalOf(createPng(200_000, 200_000, 1))).toBe('tooManyPixels');
    expect(await refusalOf(createPng(5_001, PHOTO_MAX_PIXELS / 5_000, 1))).toBe('tooManyPixels');
  });
});

test('a photo that cannot be decoded does not keep the next one from it', async () => {
  const results = await Promise.allSettled(
    [createPng(40, 30).subarray(0, 60), createPng(8, 6), Buffer.alloc(3), createPng(6, 8)].map((photo) =>
      reencode(photo),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
});

test('a flood of photos is refused while a few wait', async () => {
  const results = await Promise.allSettled(Array.from({ length: 15 }, () => reencode(createPng(8, 6))));
  const failures = results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Refusal).failure] : []));
  expect(failures).toEqual(Array.from({ length: 5 }, () => 'notReady'));
});

test('one person waits for their own photo, and keeps nobody from theirs', async () => {
  const results = await Promise.allSettled([
    ...Array.from({ length: 12 }, () => reencode(createPng(8, 6), 'one')),
    reencode(createPng(8, 6), 'another'),
  ]);
  const failures = results.map((one) => (one.status === 'rejected' ? (one.reason as Refusal).failure : 'written'));
  expect(failures).toEqual(['written', ...Array.from({ length: 11 }, () => 'photoUnderWay'), 'written']);
  expect(await reencode(createPng(8, 6), 'one')).toMatchObject({ width: 8 });
});

test('a photo that takes too long is refused in words of its own', async () => {
  const script = new URL('../../testing/stuckPhotoWorker.ts', import.meta.url);
  const hasty = createPhotoReencoder({
    script,
    startLimit: (onOver) => {
      queueMicrotask(onOver);
      return () => undefined;
    },
  });
  const { result } = await hasty.reencode(createPng(666, 10), { owner: 'owner', isProof: false });
  expect(result).toBe('photoTooSlow');
  await hasty.close();
});
