import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

const JSON_TYPE = 'application/json; charset=utf-8';
// Shorter answers fit into one or two packets anyway.
const MIN_COMPRESSED_LENGTH = 2_000;
// Our lists repeat themselves: the fastest level removes 90%, and slower levels hardly more.
const FASTEST_LEVEL = { level: 1 };

/** Sends JSON text, compressed outside the event loop when it is long and the client accepts gzip. */
export async function sendJson(request: FastifyRequest, reply: FastifyReply, json: string): Promise<FastifyReply> {
  reply.type(JSON_TYPE);
  if (json.length < MIN_COMPRESSED_LENGTH) return reply.send(json);
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(json);
  return reply.header('content-encoding', 'gzip').send(await compress(json, FASTEST_LEVEL));
}

/** Whether the header names gzip without the weight 0, as in 'br, gzip;q=0.5'. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((coding) => {
      const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
      return name === 'gzip' && !parameters.some((one) => one.startsWith('q=') && Number(one.slice(2)) === 0);
    });
}
