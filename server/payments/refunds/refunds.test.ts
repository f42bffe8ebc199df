import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdTransaction } from '../../../testing/holdTransaction.ts';
import { countLockWaits } from '../../../testing/lockWaits.ts';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { writeRefundOfEarlierRelease } from '../../../testing/refundOfEarlierRelease.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { waitFor } from '../../../testing/waits.ts';
import { queryRow, queryRows } from '../../db/database.ts';
import { deliveryHandlers } from '../../deliveries/deliveries.ts';
import { orderHandlers } from '../../orders/orders.ts';
import { adjustOrder, confirmationCodeOf, proposeAdjustment } from '../ledger/adjustments.ts';
import { findAuditProblems } from '../ledger/audit.sql.ts';
import { dropRefund } from './dropRefund.ts';
import { insertRefund, lockRefundable } from './refunds.sql.ts';
import { requestRefund } from './refunds.ts';

describe.each(RULE_DATABASES)('refunds of orders that go on, on %s', (kind) => {
  let harness: PaymentHarness;
  let refundOutcome: 'refunded' | 'refused' | 'pending' = 'refunded';
  beforeAll(async () => {
    const cards = createAcceptingCards();
    const refund: typeof cards.refund = async (asked) =>
      (
        ({
          refunded: await cards.refund(asked),
          refused: { kind: 'refused', reason: 'the account is closed' },
          pending: { kind: 'pending', squareRefundId: `re-${asked.refundId}` },
        }) as const
      )[refundOutcome];
    harness = await openPaymentHarness(kind, { ...cards, refund });
  });
  afterAll(() => harness?.close());

  const refund = async (orderId: string, amount?: number) => {
    const request = {
      orderId,
      liable: 'platform',
      reason: 'late',
      ...(amount === undefined ? {} : { amount }),
    } as const;
    const result = await requestRefund(harness.context, request);
    if (!result.ok) throw new Error(result.why);
    return result.id;
  };
  const adjust = async (orderId: string, reason: string) => {
    const code = confirmationCodeOf(await proposeAdjustment(harness.context.db, orderId));
    expect(await adjustOrder(harness.context, { orderId, reason, setBy: 'Olga', code })).toBeDefined();
  };
  const complete = async (id: string) => {
    const orders = orderHandlers(harness.context);
    const request = { caller: harness.users.scrubs[0], params: { id } } as never;
    await orders['start-order'](request);
    await orders['complete-order'](request);
  };
  const deliver = async (id: string) => {
    const db = harness.context.db;
    for (const params of await db.selectFrom('deliveries').select('id').where('order_id', '=', id).execute()) {
      for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
        const request = { caller: harness.users.dubers[0], params } as never;
        await deliveryHandlers(harness.context)[step](request);
      }
    }
  };
  const sumsOf = async (id: string) =>
    Object.fromEntries(
      (
        await queryRows<{ account: string; cents: number }>(
          harness.context.db,
          sql`select l.account, sum(l.amount)::int as cents from ledger_entries e join ledger_lines l on l.entry_id = e.id
            where e.order_id = ${id} group by l.account having sum(l.amount) <> 0`,
        )
      ).map(({ account, cents }) => [account, cents]),
    );
  const problemsOf = async (id: string) =>
    (await findAuditProblems(harness.context.db)).filter(({ what }) => what.includes(id)).map(({ what }) => what);

  test('nobody earns from an accepted order that was refunded as a whole', async () => {
    const id = await harness.createOrder();
    await refund(id);
    await harness.runPaymentJobs();
    expect(await sumsOf(id)).toEqual({});
    await complete(id);
    await deliver(id);
    expect(await sumsOf(id)).toEqual({});
    expect(await problemsOf(id)).toEqual([]);
  });

  test('a refund that the card network makes within seconds is checked within seconds, and a slow one every minute', async () => {
    const id = await harness.createOrder();
    const refundId = await refund(id);
    refundOutcome = 'pending';
    const delays: number[] = [];
    for (let check = 0; check < 8; check += 1) {
      await harness.runPaymentJobs();
      const at = harness.context.now();
      const [row] = await queryRows<{ due: string }>(
        harness.context.db,
        sql`select to_char(due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as due from refunds where id = ${refundId}`,
      );
      const due = row?.due ?? '';
      delays.push((Date.parse(due) - at.getTime()) / 1_000);
      harness.setClock(due);
    }
    expect(delays).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
    refundOutcome = 'refunded';
    await harness.runPaymentJobs();
    expect(await sumsOf(id)).toEqual({});
  });

  test('a part that was refunded early costs the liable party, and the Scrub and the Dubers have their price', async () => {
    const id = await harness.createOrder();
    await refund(id, 500);
    await harness.runPaymentJobs();
    expect(await sumsOf(id)).toEqual({ 'card-clearing': 2183, unearned: -2183 });
    await complete(id);
    await deliver(id);
    expect(await sumsOf(id)).toEqual({
      'card-clearing': 2183,
      scrub: -1250,
      duber: -1198,
      'platform-revenue': -125,
      'taxes-payable': -90,
      'refund-costs': 480,
    });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('a refund between completion and delivery takes what is unearned, and then the taxes in it and the liable party', async () => {
    const id = await harness.createOrder('Completed');
    await refund(id, 1500);
    await harness.runPaymentJobs();
    const completed = { 'card-clearing': 1183, scrub: -1250, 'platform-revenue': -125, 'taxes-payable': -49 };
    expect(await sumsOf(id)).toEqual({ ...completed, 'refund-costs': 241 });
    await deliver(id);
    expect(await sumsOf(id)).toEqual({ ...completed, 'refund-costs': 241 + 1198, duber: -1198 });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('a refund that Square refuses keeps people from earning until the operator adjusts the order', async () => {
    const id = await harness.createOrder();
    refundOutcome = 'refused';
    const refundId = await refund(id);
    await harness.runPaymentJobs();
    refundOutcome = 'refunded';
    await complete(id);
    await deliver(id);
    expect(await sumsOf(id)).toEqual({ 'card-clearing': 2683, unearned: -2683 });
    expect(await problemsOf(id)).toEqual([]);
    expect(await dropRefund(harness.context.db, refundId, harness.context.now())).toBe(true);
    expect(await problemsOf(id)).toContainEqual(expect.stringContaining('unearned is -2683 cents'));
    expect(await proposeAdjustment(harness.context.db, id)).toHaveLength(5);
    await adjust(id, 'the account is closed');
    expect(await sumsOf(id)).toMatchObject({ 'card-clearing': 2683, scrub: -1250, duber: -1198 });
    expect(await problemsOf(id)).toEqual([]);
    expect(await proposeAdjustment(harness.context.db, id)).toEqual([]);
  });

  test('the operator adjusts an order of which the second refund, of all that was left, is dropped', async () => {
    const id = await harness.createOrder();
    await refund(id, 500);
    await harness.runPaymentJobs();
    refundOutcome = 'refused';
    const rest = await refund(id);
    await harness.runPaymentJobs();
    refundOutcome = 'refunded';
    await complete(id);
    await deliver(id);
    expect(await sumsOf(id)).toEqual({ 'card-clearing': 2183, unearned: -2183 });
    expect(await dropRefund(harness.context.db, rest, harness.context.now())).toBe(true);
    await adjust(id, 'the account is closed');
    const earned = { scrub: -1250, duber: -1198, 'platform-revenue': -125 };
    expect(await sumsOf(id)).toEqual({ ...earned, 'card-clearing': 2183, 'taxes-payable': -90, 'refund-costs': 480 });
    expect(await problemsOf(id)).toEqual([]);
    await refund(id, 300);
    await harness.runPaymentJobs();
    expect(await sumsOf(id)).toEqual({ ...earned, 'card-clearing': 1883, 'taxes-payable': -77, 'refund-costs': 767 });
    expect(await problemsOf(id)).toEqual([]);
  });

  test('the audit lists what an earlier release refunded, until the operator adjusts it', async () => {
    const id = await harness.createOrder();
    await writeRefundOfEarlierRelease(harness, id);
    expect(await problemsOf(id)).toEqual([
      expect.stringContaining('taxes-payable is 110 cents'),
      expect.stringContaining('refunds took 2683 cents from others, although 2683 are unearned'),
    ]);
    await adjust(id, 'booked by an earlier release');
    expect(await sumsOf(id)).toEqual({});
    expect(await problemsOf(id)).toEqual([]);
    const written = await queryRow(
      harness.context.db,
      sql`select reason, set_by from adjustments where order_id = ${id}`,
    );
    expect(written).toEqual({ reason: 'booked by an earlier release', set_by: 'Olga' });
    await expect(queryRows(harness.context.db, sql`delete from adjustments`)).rejects.toThrow('never changed');
  });

  test.runIf(kind === 'postgres')(
    'a completion waits for a refund that is being asked for, and then pays nobody',
    async () => {
      const id = await harness.createOrder();
      const { db, now } = harness.context;
      const asked = {
        id: newId(),
        orderId: id,
        amount: 2683,
        discount: 0,
        taxes: 110,
        liable: 'platform',
        liableUser: null,
      } as const;
      let completing: Promise<void> | undefined;
      await holdTransaction(db, async (tx) => {
        await lockRefundable(tx, id);
        let isDone = false;
        completing = complete(id).finally(() => {
          isDone = true;
        });
        await waitFor(async () => expect(isDone || (await countLockWaits(db)) > 0).toBe(true));
        await insertRefund(tx, { ...asked, reason: 'late' }, now());
      });
      await completing;
      await harness.runPaymentJobs();
      expect(await sumsOf(id)).toEqual({});
    },
  );

  test.runIf(kind === 'postgres')('refunds and completions at the same time leave an exact ledger', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => harness.createOrder()));
    await Promise.all(
      ids.flatMap((id, index) => [
        complete(id),
        refund(id, index % 2 === 0 ? undefined : 1_000).then(() => harness.runPaymentJobs()),
        harness.runPaymentJobs(),
      ]),
    );
    await harness.runPaymentJobs();
    for (const id of ids) await deliver(id);
    expect(await findAuditProblems(harness.context.db)).toEqual([]);
    for (const id of ids) expect((await sumsOf(id)).unearned).toBeUndefined();
  });
});
