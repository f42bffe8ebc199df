import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buildOpenApi, type DocumentName, type ExampleAnswers } from '../../../contract/openapi.ts';
import { acceptsGzip } from '../reply.ts';
import { API_BASE } from '../routes.ts';
import { renderDocsPage, STYLE } from './page.ts';

const styleHash = createHash('sha256').update(STYLE).digest('base64');

// Answers that access.test.ts recorded from a real server.
const readAnswers = () =>
  JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8')) as ExampleAnswers;

/** The addresses of each description below the API: for programs, and to read. */
const DOCS_PATHS = {
  public: { json: `${API_BASE}/openapi.json`, page: `${API_BASE}/docs` },
  console: { json: `${API_BASE}/openapi-console.json`, page: `${API_BASE}/docs-console` },
} as const satisfies Record<DocumentName, object>;

type Text = { readonly plain: Buffer; readonly compressed: Buffer };

const compress = promisify(gzip);

async function readText(text: string): Promise<Text> {
  const plain = Buffer.from(text);
  return { plain, compressed: await compress(plain) };
}

/** Builds a text on the first request, to start faster. Buffers, so that many requests at once share the memory. */
function once(build: () => string): () => Promise<Text> {
  let made: Promise<Text> | undefined;
  return () => {
    made ??= readText(build());
    return made;
  };
}

async function sendText(request: FastifyRequest, reply: FastifyReply, { plain, compressed }: Text) {
  reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' });
  return acceptsGzip(request.headers['accept-encoding'])
    ? reply.header('content-encoding', 'gzip').send(compressed)
    : reply.send(plain);
}

/** Serves the descriptions of the API and of the console: OpenAPI 3.1, and a page to read. */
export function serveDocs(app: FastifyInstance): void {
  for (const [name, paths] of Object.entries(DOCS_PATHS) as [DocumentName, (typeof DOCS_PATHS)[DocumentName]][]) {
    const description = once(() => JSON.stringify(buildOpenApi(name, API_BASE, readAnswers())));
    const page = once(() => renderDocsPage(name, readAnswers()));
    app.get(paths.json, async (request, reply) => {
      reply.type('application/json; charset=utf-8');
      return sendText(request, reply, await description());
    });
    app.get(paths.page, async (request, reply) => {
      reply
        .type('text/html; charset=utf-8')
        .header(
          'content-security-policy',
          `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
        )
        .header('x-content-type-options', 'nosniff');
      return sendText(request, reply, await page());
    });
  }
}
