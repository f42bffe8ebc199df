import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type CompressedBody = { type: string; plain: Buffer; gzipped: Buffer; hash: string };

export function compress(type: string, body: string | Uint8Array): CompressedBody {
  const plain = Buffer.from(body as string);
  return { type, plain, gzipped: gzipSync(plain), hash: createHash('sha256').update(plain).digest('hex').slice(0, 16) };
}

/** Allow other origins: the sandbox may run on another port. */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  packed: CompressedBody,
  cache: string,
): FastifyReply {
  const zips = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  // The ETag identifies the encoded bytes, which differ by encoding.
  const etag = `"${packed.hash}${zips ? '-gzip' : ''}"`;
  reply
    .header('access-control-allow-origin', '*')
    .header('cache-control', cache)
    .header('vary', 'accept-encoding')
    .header('etag', etag);
  if (String(request.headers['if-none-match'] ?? '').includes(etag)) return reply.code(304).send();
  if (zips) reply.header('content-encoding', 'gzip');
  return reply.type(packed.type).send(zips ? packed.gzipped : packed.plain);
}
