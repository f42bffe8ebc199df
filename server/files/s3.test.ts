import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startS3Sandbox } from '../../testing/s3Sandbox.ts';
import { readConfig } from '../config/config.ts';
import type { S3Config } from '../config/s3.ts';
import { createS3Storage, type FileStorage, FileStorageError } from './s3.ts';

const { S3_URL, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env;
const TARGETS = S3_URL ? ['the stand-in', 'the bucket in S3_URL'] : ['the stand-in'];

describe.each(TARGETS)('the S3 adapter with %s', (target) => {
  let sandbox: Awaited<ReturnType<typeof startS3Sandbox>> | undefined;
  let config: S3Config;
  let storage: FileStorage;

  beforeAll(async () => {
    sandbox = target === 'the stand-in' ? await startS3Sandbox() : undefined;
    config =
      sandbox?.config ?? (readConfig({ S3_URL, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }).s3 as S3Config);
    storage = createS3Storage(config);
  });
  afterAll(() => sandbox?.stop());

  test('keeps a content until it is deleted', async () => {
    const [id, content] = [randomUUID(), Buffer.from([0xff, 0xd8, 0, 1, 2, 0xff])];
    expect(await storage.get(id)).toBeUndefined();
    await storage.put(id, content);
    expect(await storage.get(id)).toEqual(content);
    await storage.put(id, Buffer.from('again'));
    expect(String(await storage.get(id))).toBe('again');
    await storage.delete(id);
    await storage.delete(id);
    expect(await storage.get(id)).toBeUndefined();
  });

  test.each([
    ['an unknown key', { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }],
    ['a wrong secret', { secretAccessKey: 'wrong' }],
  ])('is refused with %s, and says no more than why', async (_name, wrong) => {
    const refused = createS3Storage({ ...config, ...wrong });
    await expect(refused.put(randomUUID(), Buffer.from('x'))).rejects.toThrow(/^the file storage answered 403: \w+$/);
    await expect(refused.get(randomUUID())).rejects.toThrow(FileStorageError);
  });
});

test('a storage that does not answer is an error of the storage', async () => {
  const sandbox = await startS3Sandbox();
  sandbox.goAway();
  const reading = createS3Storage(sandbox.config).get(randomUUID());
  await expect(reading).rejects.toThrow('the file storage does not answer');
  await sandbox.stop();
});
