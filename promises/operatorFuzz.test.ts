import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperator, type TestOperator } from '../testing/operators.ts';
import { createOrderInStatus, createParticipants, type Participants } from '../testing/orderSteps.ts';
import { createRandom } from '../testing/random.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestServer } from '../testing/testServer.ts';
import { createFuzzOptions, send } from './fuzz.ts';
import { FUZZED_CALLS, generateOperatorRequest } from './operatorFuzz.ts';

/** Requests to each call. */
const REQUESTS = 24;
const HOSTILE_RATES = [0, 0.1, 0.4];

const INTERNALS = /postgres|pglite|kysely|\bat \S+ \(|node_modules|syntax error|relation "/i;

describe('any request to the console', () => {
  const seed = Number(process.env.PROMISE_SEED ?? Math.floor(Math.random() * 1e9));
  const random = createRandom(seed);
  let testServer: TestServer;
  let operator: TestOperator;
  let people: Participants;
  let ids: string[];

  beforeAll(async () => {
    testServer = await openTestServer(CHEAPEST_DATABASE);
    people = await createParticipants(testServer);
    operator = await createOperator(testServer);
    const order = await createOrderInStatus(people, 'Accepted');
    const persons = Object.values(people).map(({ user }) => user.id);
    ids = [order.id, ...order.deliveries.map(({ id }) => id), ...persons, operator.session.operator.id];
  });
  afterAll(() => testServer?.close());

  test.each(FUZZED_CALLS)('%s is never a 5xx, and never done for people', async (name, call) => {
    const url = testServer.apiUrl.replace(/\/api$/, '');
    const emails = [operator.email, people.bud.user.email];
    for (let n = 0; n < REQUESTS; n += 1) {
      const known = { ids, emails, tokens: { Bud: [], Scrub: [], Duber: [] } };
      const options = createFuzzOptions(random, known, HOSTILE_RATES[n % HOSTILE_RATES.length] ?? 0);
      const isPerson = n % 4 === 3 && call.permission !== 'anyone';
      const request = generateOperatorRequest(options, call, isPerson ? people.bud.token : operator.token);
      const { status, text } = await send(url, request);
      const what = `seed ${seed}: ${name} ${request.path}\n${request.body?.toString('utf8').slice(0, 1000)}\n${text.slice(0, 500)}`;
      // A busy machine answers 503.
      if (status !== 503) expect(status, what).toBeLessThan(500);
      if (isPerson) expect(status, what).toBeGreaterThanOrEqual(400);
      if (status >= 400) expect(text, what).not.toMatch(INTERNALS);
    }
  });

  test('afterwards the audit is whole, and the operator still works', async () => {
    expect((await operator.api.verifyAudit()).brokenAt).toBeNull();
    expect((await operator.api.readTown()).timeZone).not.toBe('');
  });
});
