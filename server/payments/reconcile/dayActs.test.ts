import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURES } from '../../../contract/failures.ts';
import { dayOf } from '../../../domain/reconciledDays.ts';
import { expectFailure } from '../../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../../testing/operators.ts';
import { createOrderInStatus, createParticipants } from '../../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../../testing/testServer.ts';
import { waitFor } from '../../../testing/waits.ts';

// The last finished day: this server compares all days after one that it knows.
const DAY = dayOf(new Date(Date.now() - 2 * 24 * 60 * 60_000));
const SUMS = { charged: 5366, refunded: 2683, fees: 216, disputed: 0 };
const COUNTS = { charged: 2, refunded: 1, disputed: 0 };
const REASON = 'Refunded at Square';

describe.each(RULE_DATABASES)('reconciliation in the console, on %s', (kind) => {
  let testServer: TestServer;
  let ada: TestOperator;
  let orderId: string;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
    ada = await createOperator(testServer, { caps: ['see', 'money'] });
    orderId = (await createOrderInStatus(await createParticipants(testServer), 'Requested')).id;
    const differences = [
      { what: 'charged', squareId: 'known', orderId, ours: 2683, theirs: 2684 },
      { what: 'fees', squareId: 'stranger', orderId: null, ours: 0, theirs: 7 },
    ];
    const [ours, theirs, counts, listed] = [SUMS, { ...SUMS, charged: 5367, fees: 223 }, COUNTS, differences].map(
      (value) => JSON.stringify(value),
    );
    await sql`insert into reconciled_days (day, state, checked_at, ours, theirs, counts, differing, differences)
      values (${DAY}, 'differs', ${testServer.now()}, ${ours}::jsonb, ${theirs}::jsonb, ${counts}::jsonb, 2, ${listed}::jsonb)`.execute(
      testServer.server.db,
    );
  });
  afterAll(() => testServer?.close());

  const today = async () => (await ada.api.readToday()).differingDays;
  const read = () => ada.api.readReconciledDay({ params: { day: DAY } });

  test('a day shows both sides in dollars, with the orders of what differs', async () => {
    const { items } = await ada.api.listReconciledDays({ query: {} });
    const day = items.find((one) => one.day === DAY);
    expect(day).toMatchObject({
      state: 'differs',
      ours: { charged: 53.66, refunded: 26.83, fees: 2.16, disputed: 0, net: 24.67 },
      theirs: { charged: 53.67, refunded: 26.83, fees: 2.23, disputed: 0, net: 24.61 },
      difference: -0.06,
      differing: 2,
      counts: COUNTS,
    });
    const { differences } = await read();
    expect(differences).toEqual([
      {
        what: 'charged',
        squareId: 'known',
        orderId,
        orderNumber: expect.stringMatching(/^R-/),
        ours: 26.83,
        theirs: 26.84,
      },
      { what: 'fees', squareId: 'stranger', orderId: null, orderNumber: null, ours: 0, theirs: 0.07 },
    ]);
    expect(await today()).toBe(1);
  });

  test('an operator has a day compared again, with one row in the audit, also when the request is repeated', async () => {
    const idempotencyKey = randomUUID();
    for (let times = 0; times < 2; times += 1)
      await ada.api.recheckDay({ params: { day: DAY }, body: { reason: REASON }, idempotencyKey });
    await waitFor(async () =>
      expect(await read()).toMatchObject({ state: 'equal', isChecking: false, differences: [] }),
    );
    expect(await today()).toBe(0);
    const admin = await createOperator(testServer);
    const { items } = await admin.api.listAudit({ query: { subjectKind: 'town' } });
    expect(items.filter(({ action }) => action === 'recheckDay')).toMatchObject([
      { action: 'recheckDay', reason: REASON, subject: { kind: 'town', id: DAY } },
    ]);
  });

  test('a day that was never compared is not found', async () => {
    const params = { day: '1999-12-31' };
    const asked = [
      ada.api.readReconciledDay({ params }),
      ada.api.recheckDay({ params, body: { reason: REASON }, idempotencyKey: randomUUID() }),
    ];
    for (const failure of await Promise.all(asked.map((one) => expectFailure(one))))
      expect(failure.status).toBe(FAILURES.notFound[0]);
  });
});
