import { hash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findSignatureProblem } from './s3/signature.ts';

const S3_PATH = '/sandbox/s3';
const MAX_OBJECT_BYTES = 16 * 1024 * 1024;

type S3Options = { dataDir: string; now: () => Date };

/** Object storage with S3's protocol: put, get and delete, in any bucket. It checks signatures as S3 does. */
export async function serveS3(app: FastifyInstance, { dataDir, now }: S3Options): Promise<void> {
  const folder = join(dataDir, 'sandbox', 's3');
  await mkdir(folder, { recursive: true });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_OBJECT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ['GET', 'PUT', 'DELETE'],
      url: `${S3_PATH}/*`,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const { method, url, headers } = request.raw;
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const problem = findSignatureProblem({ method: method ?? '', url: url ?? '', headers, body }, now());
        if (problem) return sendError(reply, 403, problem);
        return answer(request, reply, { body, file: join(folder, hash('sha256', url ?? '')) });
      },
    });
  });
}

type StoredObject = { body: Buffer; file: string };

async function answer({ method }: FastifyRequest, reply: FastifyReply, { body, file }: StoredObject) {
  if (method === 'PUT') {
    await writeFile(file, body);
    return reply.header('etag', `"${hash('md5', body)}"`).send('');
  }
  if (method === 'DELETE') {
    await rm(file, { force: true });
    return reply.code(204).send();
  }
  const content = await readFile(file).catch(() => undefined);
  return content ? reply.type('image/jpeg').send(content) : sendError(reply, 404, 'NoSuchKey');
}

function sendError(reply: FastifyReply, status: number, code: string) {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`;
  return reply.code(status).type('application/xml').send(xml);
}
