import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { buildOpenApi, type ExampleAnswers } from '../../../contract/openapi.ts';
import { API_BASE } from '../routes.ts';
import { renderDocsPage, STYLE } from './page.ts';

const styleHash = createHash('sha256').update(STYLE).digest('base64');

// Answers that a real server gave, kept by the tests that make every call.
const readAnswers = () =>
  JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8')) as ExampleAnswers;

/** Serves the API's description: OpenAPI 3.1 for machines, and a page of it for people. */
export function serveDocs(app: FastifyInstance): void {
  // Printed when first asked for: a start need not wait for it.
  // As bytes, so that a thousand who ask at once share them.
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
