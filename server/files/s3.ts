import { hash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { S3Config } from '../config/s3.ts';

/** Where contents of files are kept outside the database. Each call can be repeated. */
export type FileStorage = {
  put(id: string, content: Uint8Array): Promise<void>;
  /** Undefined when there is no such content. */
  get(id: string): Promise<Buffer | undefined>;
  /** Does nothing when there is no such content. */
  delete(id: string): Promise<void>;
};

/** The storage does not answer, or refuses. `cause` or the message says why. */
export class FileStorageError extends Error {
  override name = 'FileStorageError';
}

const TIMEOUT_MS = 15_000;
/** The rest of an answer may contain the access key. */
const ERROR_CODE = /<Code>(\w{1,60})<\/Code>/;

/** A bucket of any storage that speaks S3's protocol. Each content is an object `files/<id>`. */
export function createS3Storage({ url, region, ...keys }: S3Config, timeoutMs = TIMEOUT_MS): FileStorage {
  const client = new AwsClient({ ...keys, region, service: 's3', retries: 1 });

  async function send(method: string, id: string, body?: Uint8Array): Promise<Response> {
    const headers = {
      'x-amz-content-sha256': hash('sha256', body ?? ''),
      ...(body ? { 'content-type': 'image/jpeg' } : {}),
    };
    const request = {
      method,
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body ? { body: body.slice() } : {}),
    };
    return client.fetch(`${url}/files/${id}`, request).catch((cause: unknown) => {
      throw new FileStorageError('the file storage does not answer', { cause });
    });
  }

  return {
    async put(id, content) {
      await expectStatus(await send('PUT', id, content), [200]);
    },
    async get(id) {
      const response = await expectStatus(await send('GET', id), [200, 404]);
      return response.status === 404 ? undefined : Buffer.from(await response.arrayBuffer());
    },
    async delete(id) {
      await expectStatus(await send('DELETE', id), [200, 204, 404]);
    },
  };
}

async function expectStatus(response: Response, statuses: readonly number[]): Promise<Response> {
  if (!statuses.includes(response.status)) {
    const reason = ERROR_CODE.exec(await response.text())?.[1] ?? 'no code';
    throw new FileStorageError(`the file storage answered ${response.status}: ${reason}`);
  }
  return response;
}
