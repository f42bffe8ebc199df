import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURES } from '../../../contract/failures.ts';
import { createSquareTestClient } from '../../../testing/squareTestClient.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../../testing/testServer.ts';

const BUDS = 7;
const ORDERS = 20;
/** Longer than a test may take: a request that waits for the time-out of its hold gets no answer. */
const HOLD_TIMEOUT_S = 3_600;
/** Only calls close the circuit here: the background probes pause for an hour. */
const CIRCUIT_TIMES = { slowMs: 500, probeMs: 1_500, quickProbeMs: 1_500, probeEveryMs: 3_600_000 };

type Attempt = { readonly bud: TestUser; readonly addressId: string; readonly key: string };
type Answer = { readonly status: number; readonly retryAfter: string | null; readonly body: Record<string, unknown> };

describe.each(DATABASE_KINDS.slice(-1))('a card network that hangs, on %s', (kind) => {
  let server: TestServer;
  let scrub: TestUser;
  let buds: { bud: TestUser; addressId: string }[];

  beforeAll(async () => {
    server = await openTestServer(kind, { square: { holdTimeoutS: HOLD_TIMEOUT_S, circuitTimes: CIRCUIT_TIMES } });
    scrub = await server.createUser('Scrub', { north: 500 });
    buds = await Promise.all(
      Array.from({ length: BUDS }, async () => {
        const bud = await server.createUser('Bud');
        return { bud, addressId: bud.user.addresses[0]?.id ?? '' };
      }),
    );
  });
  afterAll(() => server?.close());

  const plan = async (failure: object) => {
    const headers = { 'content-type': 'application/json' };
    const url = `${server.sandboxUrl}/sandbox/square/faults`;
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(failure) })).status).toBe(204);
  };
  const recover = () => fetch(`${server.sandboxUrl}/sandbox/square/faults`, { method: 'DELETE' });
  const newAttempts = (count: number): Attempt[] =>
    Array.from({ length: count }, (_, n) => ({ ...(buds[n % BUDS] ?? expect.unreachable()), key: newId() }));
  async function place({ bud, addressId, key }: Attempt): Promise<Answer> {
    const response = await fetch(`${server.apiUrl}/scrub-orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bud.token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({
        budAddressId: addressId,
        scrubId: scrub.user.id,
        loadSize: 'Medium',
        selfDelivery: false,
        selfPickup: false,
        paymentSourceId: 'cnon:card-nonce-ok',
      }),
    });
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  }
  const placeAll = (attempts: readonly Attempt[]) => Promise.all(attempts.map(place));
  const readiness = async () => {
    const response = await fetch(`${server.apiUrl}/health/ready`);
    return [response.status, await response.json()];
  };
  const readyWith = (cardNetwork: string) => [
    200,
    { status: 'ready', thirdParties: { cardNetwork, mail: 'answers', router: 'answers' } },
  ];

  const away = {
    status: 503,
    retryAfter: '5',
    body: {
      statusCode: 503,
      error: 'Service Unavailable',
      message: FAILURES.cardNetworkAway[1],
    },
  };

  test.each([
    ['every call', 'any'],
    ['only placing', 'create'],
  ])(
    'that hangs at %s: nobody waits for the time-out, the next order after it passes, nobody pays twice',
    async (_what, on) => {
      const square = createSquareTestClient(`${server.sandboxUrl}/sandbox/square`);
      const before = (await square.payments.list()).data.length;
      // Some holds take effect, but their answers are lost.
      await plan({ on: 'create', how: 'lost', times: 3 });
      await plan({ on, how: 'silent', times: 1_000_000 });
      const attempts = newAttempts(ORDERS);
      expect(await placeAll(attempts)).toMatchObject(attempts.map(() => away));
      expect(await readiness()).toEqual(readyWith('does not answer'));
      const whileOpen = newAttempts(ORDERS);
      expect(await placeAll(whileOpen)).toMatchObject(whileOpen.map(() => away));

      await recover();
      const [next] = newAttempts(1);
      expect(await place(next ?? expect.unreachable())).toMatchObject({ status: 201, body: { status: 'Requested' } });
      expect(await readiness()).toEqual(readyWith('answers'));

      const repeated = await placeAll([...attempts, ...whileOpen]);
      expect(repeated.map(({ status }) => status)).toEqual(Array.from({ length: 2 * ORDERS }, () => 201));
      const placed = new Set(repeated.map(({ body }) => body.id));
      const payments = [];
      for await (const payment of await square.payments.list()) payments.push(payment);
      expect(placed.size).toBe(2 * ORDERS);
      expect(payments).toHaveLength(before + 2 * ORDERS + 1);
      expect(payments.every(({ status }) => status === 'APPROVED')).toBe(true);
    },
  );
});
