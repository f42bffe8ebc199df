import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../domain/durations.ts';
import { PHOTO_MAX_PIXELS, PHOTO_MAX_SIDE } from '../../domain/files.ts';
import { createExif, createPng, EXIF_SECRET, insertSegment } from '../../testing/photos.ts';
import { Refusal } from '../http/refusals.ts';
import { readPhotoFormat } from './photoFormat.ts';
import { createPhotoReencoder } from './photoReencoder.ts';

const reencoder = createPhotoReencoder();
afterAll(() => reencoder.close());

/** By a new person unless `owner` says whose the photo is. */
const reencode = async (bytes: Uint8Array, owner: string = randomUUID()) => {
  const { bytes: written, ...size } = await reencoder.reencode(bytes, { owner, from: '203.0.113.9' });
  return { ...size, bytes: Buffer.from(written) };
};
const toJpeg = async (width: number, height: number) => (await reencode(createPng(width, height))).bytes;

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const error = await reencoder.reencode(bytes, { owner: 'owner', from: '203.0.113.9' }).then(
    () => expect.fail('the photo should have been refused'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof Refusal)) throw error;
  return error.failure;
}

// 8 x 6 pixels, made by libwebp.
const WEBPS = {
  lossy: 'UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoIAAYAAsBMJaACdLoAA5gA/u5DH+5sc4twV/9tD/9aH/60P+lAAA==',
  lossless: 'UklGRiAAAABXRUJQVlA4TBMAAAAvB0ABEAcQEREACML/tomI/ocAAA==',
  transparent:
    'UklGRmIAAABXRUJQVlA4WAoAAAAQAAAABwAABQAAQUxQSA8AAAABBxAREQAIwv+2iYj+hwAAVlA4ICwAAACQAQCdASoIAAYAAsBMJaACdLoAA5gA/u5DH+5sc4twV/9tD/9aH/60P+lAAA==',
};
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

  test('a JPEG with a marker that has no length, behind which a decoder reads another size', async () => {
    const jpeg = await toJpeg(40, 30);
    const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    const size = Buffer.from(jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2)));
    const large = Buffer.from(size);
    large.writeUInt16BE(20_000, 5);
    large.writeUInt16BE(20_000, 7);
    for (const marker of [0x01, 0xd0, 0xd7, 0x02, 0xbf, 0xf0, 0xfd]) {
      // This reader skips the hidden frame as the content of the marker. A decoder does not.
      const hiding = Buffer.from([0xff, marker, 0, large.length + 2]);
      const hidden = Buffer.concat([jpeg.subarray(0, at), hiding, large, jpeg.subarray(at)]);
      expect(await refusalOf(hidden), marker.toString(16)).toBe('notAPhoto');
    }
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
  const send = (from: string) => reencoder.reencode(createPng(8, 6), { owner: randomUUID(), from });
  const one = Array.from({ length: 15 }, () => send('203.0.113.9'));
  const others = Array.from({ length: 5 }, (_, at) => send(`198.51.100.${at}`));
  const results = await Promise.allSettled([...one, ...others]);
  const failures = results.map((result) =>
    result.status === 'rejected' ? (result.reason as Refusal).failure : 'written',
  );
  // Eight of one network, and twelve in all.
  const refused = (count: number) => Array.from({ length: count }, () => 'notReady');
  const written = (count: number) => Array.from({ length: count }, () => 'written');
  expect(failures).toEqual([...written(8), ...refused(7), ...written(4), ...refused(1)]);
});

test('one person waits for their own photo, and keeps nobody from theirs', async () => {
  const results = await Promise.allSettled([
    ...Array.from({ length: 12 }, () => reencode(createPng(8, 6), 'one')),
    reencode(createPng(8, 6), 'another'),
  ]);
  const failures = results.map((one) => (one.status === 'rejected' ? (one.reason as Refusal).failure : 'written'));
  expect(failures).toEqual(['written', ...Array.from({ length: 11 }, () => 'tooManyPhotos'), 'written']);
  expect(await reencode(createPng(8, 6), 'one')).toMatchObject({ width: 8 });
});

test('a photo that takes too long is given up', async () => {
  const hasty = createPhotoReencoder({ limitMs: 0 });
  await expect(hasty.reencode(createPng(2_000, 2_000), { owner: 'owner', from: '203.0.113.9' })).rejects.toThrow(
    'This is not a photo',
  );
  await hasty.close();
});

describe('photos that take much time', () => {
  /** A clock that only a test moves, so that no photo takes time by itself. */
  const openWithClock = () => {
    let now = 0;
    const slow = createPhotoReencoder({ clock: () => now, threadCount: 1 });
    const send = (owner: string, from = '203.0.113.9', ms = 0) => {
      const sent = slow.reencode(createPng(8, 6), { owner, from });
      now += ms;
      return sent;
    };
    const wait = (ms: number) => {
      now += ms;
    };
    return { send, wait, close: () => slow.close() };
  };

  test('wait until the hour is over, and keep nobody else from theirs', async () => {
    const { send, wait, close } = openWithClock();
    const first = send('one');
    wait(60_000);
    await first;
    await expect(send('one')).rejects.toMatchObject({ failure: 'tooManyPhotos' });
    await send('another');
    wait(HOUR_MS);
    await send('one');
    await close();
  });

  test('wait when other accounts of their network have taken its time', async () => {
    const { send, wait, close } = openWithClock();
    for (let account = 0; account < 4; account += 1) {
      const sent = send(`account ${account}`);
      wait(60_000);
      await sent;
    }
    await expect(send('a fifth account')).rejects.toMatchObject({ failure: 'tooManyPhotos' });
    await send('somebody else', '198.51.100.7');
    await close();
  });

  test('are written after the photos of people whose photos have taken less', async () => {
    const { send, wait, close } = openWithClock();
    const flood = ['a', 'b', 'c', 'd'];
    for (const owner of flood) {
      const sent = send(owner);
      wait(1_000);
      await sent;
    }
    const order: string[] = [];
    const note = (owner: string, from?: string) => send(owner, from).then(() => order.push(owner));
    await Promise.all([...flood.map((owner) => note(owner)), note('a newcomer', '198.51.100.7')]);
    // The thread has begun with the first one.
    expect(order).toEqual(['a', 'a newcomer', 'b', 'c', 'd']);
    await close();
  });
});

/** Changes some bytes at the beginning of a photo, where it says what it is. */
const BROKEN = fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { minLength: 1, maxLength: 4 });

test('the size that is read before decoding is the size that is decoded, or the photo is refused', async () => {
  const originals = [
    createPng(12, 9),
    await toJpeg(12, 9),
    ...(['lossy', 'lossless', 'transparent'] as const).map(webp),
  ];
  const check = fc.asyncProperty(fc.constantFrom(...originals), BROKEN, async (original, changes) => {
    const photo = Buffer.from(original);
    for (const [at, byte] of changes) photo[at % photo.length] = byte;
    const stated = readPhotoFormat(photo);
    // A larger photo takes long, and is made smaller.
    if (!stated || Math.max(stated.width, stated.height) > PHOTO_MAX_SIDE) return;
    const decoded = await reencode(photo).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined;
      throw error;
    });
    if (decoded) expect([decoded.width, decoded.height].toSorted()).toEqual([stated.width, stated.height].toSorted());
  });
  await fc.assert(check, { numRuns: 120, seed: 36 });
});
