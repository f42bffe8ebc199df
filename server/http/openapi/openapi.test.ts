import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API, type CallName } from '../../../contract/api.ts';
import type { Call } from '../../../contract/call.ts';
import { FAILURES } from '../../../contract/failures.ts';
import { buildOpenApi } from '../../../contract/openapi.ts';
import { expectMatchesContract } from '../../../testing/checkedClient.ts';
import { openTestServer, type TestServer } from '../../../testing/testServer.ts';

type ServedDescription = {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: Record<string, { example: unknown }> }> }>
  >;
};

const calls = Object.entries(API) as [CallName, Call][];
const answered = calls.filter(([, call]) => call.status !== 204).map(([name]) => name);

describe('the answers that were kept as examples', async () => {
  const answers = JSON.parse(await readFile(new URL('./answers.json', import.meta.url), 'utf8')) as Record<
    string,
    unknown
  >;

  test('are there for every call that answers something', () => {
    expect(Object.keys(answers).toSorted()).toEqual(answered.toSorted());
  });

  test.each(answered)(
    'of %s is as its shape is today (RECORD_ANSWERS=1 vitest run server/http/access.test.ts keeps new ones)',
    (name) => {
      expectMatchesContract(name, answers[name]);
    },
  );
});

describe('the description as it is served', () => {
  let world: TestServer;
  beforeAll(async () => {
    world = await openTestServer('embedded');
  });
  afterAll(() => world?.close());

  test('is what the contract prints now, with an example of every answer', async () => {
    const response = await fetch(`${world.apiUrl}/openapi.json`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('application/json'),
    ]);
    const served = (await response.json()) as ServedDescription;
    const answers = JSON.parse(await readFile(new URL('./answers.json', import.meta.url), 'utf8'));
    expect(served).toEqual(JSON.parse(JSON.stringify(buildOpenApi('/api', answers))));
    for (const [name, call] of calls.filter(([one]) => answered.includes(one))) {
      const operation = served.paths[call.path.replaceAll(/:(\w+)/g, '{$1}')]?.[call.method.toLowerCase()];
      expect(operation?.responses[call.status]?.content['application/json']?.example).toEqual(answers[name]);
    }
  });

  test('is a page too, that names every call and failure and fetches nothing from anywhere', async () => {
    const response = await fetch(`${world.apiUrl}/docs`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const page = await response.text();
    for (const [name, call] of calls) {
      expect(page).toContain(`<details id="${name}">`);
      expect(page).toContain(call.path);
      expect(page).toContain(call.summary.replaceAll('&', '&amp;'));
    }
    for (const [status, message] of Object.values(FAILURES))
      expect(page).toContain(`<td>${status}</td><td>${message}</td>`);
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|base|form)\b/i);
    expect(page).not.toMatch(/@import|url\(|\bon\w+=/i);
    const links = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link]) => link);
    for (const link of links) expect(link).toMatch(/^(#[\w-]+|\/api\/openapi\.json)$/);
    const ids = [...page.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const link of links) if (link?.startsWith('#')) expect(ids).toContain(link.slice(1));
  });
});
