import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { buildOpenApi, type ExampleAnswers } from '../../../contract/openapi.ts';
import { API_BASE } from '../routes.ts';
import { renderDocsPage, STYLE } from './page.ts';

const styleHash = createHash('sha256').update(STYLE).digest('base64');

// Answers that access.test.ts recorded from a real server.
const readAnswers = () =>
  JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8')) as ExampleAnswers;

/** Serves the API's documentation: OpenAPI 3.1, and a page to read. */
export function serveDocs(app: FastifyInstance): void {
  // Built on the first request, to start faster. Buffers, so that many requests at once share the memory.
  let description: Buffer | undefined;
  let page: string | undefined;
  app.get(`${API_BASE}/openapi.json`, async (_request, reply) => {
    description ??= Buffer.from(JSON.stringify(buildOpenApi(API_BASE, readAnswers()), null, 2));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(description);
  });
  app.get(`${API_BASE}/docs`, async (_request, reply) => {
    page ??= renderDocsPage(readAnswers());
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
      )
      .header('x-content-type-options', 'nosniff')
      .send(page);
  });
}
