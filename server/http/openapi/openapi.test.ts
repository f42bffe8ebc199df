import { readFile } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API, type CallName } from '../../../contract/api.ts';
import type { Call } from '../../../contract/call.ts';
import { FAILURES } from '../../../contract/failures.ts';
import { buildOpenApi, DOCUMENTS, type DocumentName } from '../../../contract/openapi.ts';
import { expectMatchesContract } from '../../../testing/checkedClient.ts';
import { openTestServer, type TestServer } from '../../../testing/testServer.ts';

type ServedOpenApi = {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: Record<string, { example: unknown }> }> }>
  >;
};

const calls = Object.entries(API) as [CallName, Call][];
const callsWithAnswer = calls.filter(([, call]) => call.status !== 204 && !call.answersFile).map(([name]) => name);

describe('the recorded example answers', async () => {
  const answers = JSON.parse(await readFile(new URL('./answers.json', import.meta.url), 'utf8')) as Record<
    string,
    unknown
  >;

  test('exist for every call that answers with a body', () => {
    expect(Object.keys(answers).toSorted()).toEqual(callsWithAnswer.toSorted());
  });

  test.each(callsWithAnswer)(
    'match the contract for %s (RECORD_ANSWERS=1 vitest run server/http/access.test.ts records new ones)',
    (name) => {
      expectMatchesContract(name, answers[name]);
    },
  );
});

/** The bytes as they are sent: fetch would decompress them. */
const readRaw = (url: string, encoding: string) =>
  new Promise<{ headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ headers: response.headers, body: Buffer.concat(chunks) });
    }).on('error', reject);
  });

describe('the served documentation', () => {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer('embedded');
  });
  afterAll(() => testServer?.close());

  test('is the OpenAPI of the contract, with an example of every answer', async () => {
    const response = await fetch(`${testServer.apiUrl}/openapi.json`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('application/json'),
    ]);
    const served = (await response.json()) as ServedOpenApi;
    const answers = JSON.parse(await readFile(new URL('./answers.json', import.meta.url), 'utf8'));
    expect(served).toEqual(JSON.parse(JSON.stringify(buildOpenApi('public', '/api', answers))));
    for (const [name, call] of calls.filter(([one]) => callsWithAnswer.includes(one))) {
      const operation = served.paths[call.path.replaceAll(/:(\w+)/g, '{$1}')]?.[call.method.toLowerCase()];
      expect(operation?.responses[call.status]?.content['application/json']?.example).toEqual(answers[name]);
    }
  });

  test('of the console is a description of its own', async () => {
    const served = await (await fetch(`${testServer.apiUrl}/openapi-console.json`)).json();
    expect(served).toEqual(JSON.parse(JSON.stringify(buildOpenApi('console', '/api'))));
  });

  test.each(['openapi.json', 'openapi-console.json', 'docs', 'docs-console'])(
    'is compressed for clients that accept it: %s',
    async (path) => {
      const lengthOf = async (encoding: string) => {
        const { headers, body } = await readRaw(`${testServer.apiUrl}/${path}`, encoding);
        return { encoding: headers['content-encoding'], vary: headers.vary, bytes: body.length };
      };
      const [plain, compressed] = [await lengthOf('identity'), await lengthOf('br, gzip')];
      expect([plain.encoding, plain.vary]).toEqual([undefined, 'accept-encoding']);
      expect([compressed.encoding, compressed.vary]).toEqual(['gzip', 'accept-encoding']);
      expect(compressed.bytes).toBeLessThan(plain.bytes / 5);
    },
  );

  test.each([
    ['public', 'docs'],
    ['console', 'docs-console'],
  ] as [DocumentName, string][])(
    'is also a page of the %s calls that lists every failure and loads nothing from elsewhere',
    async (document, path) => {
      const response = await fetch(`${testServer.apiUrl}/${path}`);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/html'),
      ]);
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      const page = await response.text();
      for (const [name, call] of Object.entries(DOCUMENTS[document])) {
        expect(page).toContain(`<details id="${name}">`);
        expect(page).toContain(call.path);
        expect(page).toContain(call.summary.replaceAll('&', '&amp;').replaceAll('"', '&quot;'));
      }
      for (const [status, message] of Object.values(FAILURES))
        expect(page).toContain(`<td>${status}</td><td>${message}</td>`);
      expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|base|form)\b/i);
      expect(page).not.toMatch(/@import|url\(|\bon\w+=/i);
      const links = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link]) => link);
      for (const link of links) expect(link).toMatch(/^(#[\w-]+|\/api\/(openapi|docs)(-console)?(\.json)?)$/);
      const ids = [...page.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const link of links) if (link?.startsWith('#')) expect(ids).toContain(link.slice(1));
    },
  );
});
