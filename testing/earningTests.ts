import { sql } from 'kysely';
import { expect } from 'vitest';
import type { DeliveryAction, DeliveryStatus } from '../domain/deliveries.ts';
import { DAY_MS } from '../domain/durations.ts';
import { mondayBefore, weekAfter } from '../domain/ledger.ts';
import { queryRow, queryRows, transact } from '../server/db/database.ts';
import { deliveryHandlers } from '../server/deliveries/deliveries.ts';
import { payForStep } from '../server/deliveries/effects/payDuber.ts';
import { runTimers } from '../server/jobs/timers.ts';
import { orderHandlers } from '../server/orders/orders.ts';
import { ORDER_TIMERS } from '../server/orders/orderTimers.ts';
import {
  type Earning,
  lockPayment,
  releaseOrder,
  reverseEarnings,
  settleOrder,
} from '../server/payments/earnings/earnings.ts';
import { findAuditProblems } from '../server/payments/ledger/audit.sql.ts';
import { earningsHandlers } from '../server/payments/payouts/earnings.ts';
import { runPayouts } from '../server/payments/payouts/payouts.ts';
import type { PaymentHarness } from './paymentHarness.ts';

export const ALL_DELIVERY_STEPS = [
  'accept-delivery',
  'way-to-pickup',
  'collected',
  'way-to-drop',
  'delivered',
] as const satisfies readonly DeliveryAction[];

const RETRY_MS = 60 * 60 * 1000;
const CLOSED_AFTER_DAYS = 8;
/** In hundredths of a percent: the fee of one order earns trust enough for a test. */
const LARGE_FEE = 1_000_000;
const USUAL_FEE = 1_000;

/** What happens to the money of orders that do not go as planned, through the functions that the steps call. */
export function openEarningTests(harness: PaymentHarness) {
  const { db, now } = harness.context;
  const run = (statement: ReturnType<typeof sql>) => queryRows(db, statement);
  const readDelivery = async (id: string) =>
    db
      .selectFrom('deliveries')
      .select(['order_id as orderId', 'attempt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const deliveriesOf = (orderId: string) =>
    db
      .selectFrom('deliveries')
      .select(['id', 'status'])
      .where('order_id', '=', orderId)
      .orderBy('created_at')
      .execute();
  const userOf = (account: 'scrub' | 'duber') =>
    account === 'scrub' ? harness.users.scrubs[0] : harness.users.dubers[0];

  const carry = async (id: string, duber = 0, steps: readonly DeliveryAction[] = ALL_DELIVERY_STEPS) => {
    const request = { caller: harness.users.dubers[duber], params: { id } } as never;
    for (const step of steps) await deliveryHandlers(harness.context)[step](request);
  };
  const endDelivery = (id: string) =>
    run(
      sql`update deliveries set status = 'Called_Off', has_laundry = false where id = ${id} and status <> 'Delivered'`,
    );

  const setFee = (value: number) =>
    run(sql`insert into prices (item, valid_from, value) values ('platform-fee', ${now()}, ${value})
      on conflict (item, valid_from) do update set value = excluded.value`);

  const passDays = async (days: number) => {
    harness.setClock(new Date(now().getTime() + days * DAY_MS).toISOString());
    await runTimers(harness.context, [ORDER_TIMERS]);
    await harness.runPaymentJobs();
  };

  return {
    carry,
    endDelivery,
    deliveriesOf,
    passDays,
    /** One order with a very high platform fee is paid and closed: what its Scrub and its Duber earn next is payable at once. */
    async earnTrust() {
      await setFee(LARGE_FEE);
      await harness.createOrder('Delivered', { paymentSourceId: 'cnon:card-nonce-ok' });
      await setFee(USUAL_FEE);
      await passDays(CLOSED_AFTER_DAYS);
    },
    async placeOrder() {
      const id = await harness.createOrder();
      const [delivery] = await deliveriesOf(id);
      return { id, outbound: delivery?.id ?? '' };
    },
    async pay(deliveryId: string, earning: Pick<Earning, 'kind' | 'cents' | 'borneBy'>, duber = 0) {
      const { orderId, attempt } = await readDelivery(deliveryId);
      const duberId = harness.users.dubers[duber]?.id ?? '';
      await transact(db, async (tx) => {
        await lockPayment(tx, orderId);
        await payForStep(tx, { deliveryId, orderId, attempt, duberId, ...earning }, now());
      });
    },
    async undo(deliveryId: string) {
      const { attempt } = await readDelivery(deliveryId);
      await transact(db, (tx) => reverseEarnings(tx, { deliveryId, attempt }, now()));
    },
    /** The next attempt of a delivery. */
    async startOver(id: string, status: DeliveryStatus) {
      await run(sql`update deliveries set status = ${status}, attempt = attempt + 1,
        duber_id = case when ${status} = 'Pending' then null else duber_id end where id = ${id}`);
    },
    deliver: (id: string) => carry(id, 0, ['delivered']),
    async complete(id: string) {
      const request = { caller: harness.users.scrubs[0], params: { id } } as never;
      await orderHandlers(harness.context)['start-order'](request);
      await orderHandlers(harness.context)['complete-order'](request);
    },
    async carryAll(orderId: string) {
      for (const { id, status } of await deliveriesOf(orderId)) if (status === 'Pending') await carry(id);
    },
    /** Ends an order and those of its deliveries whose Duber has no laundry. */
    async callOff(orderId: string) {
      await transact(db, async (tx) => {
        await queryRows(tx, sql`update orders set status = 'Cancelled' where id = ${orderId}`);
        await queryRows(
          tx,
          sql`update deliveries set status = 'Called_Off' where order_id = ${orderId}
            and status not in ('Collected', 'Way_To_Drop', 'Delivered')`,
        );
        await releaseOrder(tx, orderId, now());
      });
    },
    async endDeliveries(orderId: string) {
      for (const { id } of await deliveriesOf(orderId)) await endDelivery(id);
    },
    settle: (orderId: string) => transact(db, (tx) => settleOrder(tx, orderId, now())),
    async expectPayment(orderId: string, state: string) {
      expect(await queryRow(db, sql`select state from payments where order_id = ${orderId}`)).toEqual({ state });
    },
    async runUntilCaptured(orderId: string) {
      harness.setClock(new Date(now().getTime() + RETRY_MS).toISOString());
      await harness.runPaymentJobs();
      await this.expectPayment(orderId, 'captured');
    },
    /** Goes on to the next Monday and makes its payouts. Returns what the person of the account gets. */
    async payOut(account: 'scrub' | 'duber'): Promise<number> {
      harness.setClock(weekAfter(mondayBefore(now())).toISOString());
      const { periodEnd } = await runPayouts(harness.context);
      const payout = await queryRow<{ amount: number }>(
        db,
        sql`select amount from payouts where user_id = ${userOf(account)?.id} and period_end = ${periodEnd}`,
      );
      return payout?.amount ?? 0;
    },
    earningsOf: (account: 'scrub' | 'duber') =>
      earningsHandlers(harness.context).earnings({ caller: userOf(account) } as never),
    linesOf: (account: 'scrub' | 'duber') =>
      earningsHandlers(harness.context).earningLines({ caller: userOf(account), query: {} } as never),
    /** Without the fee that the card network keeps. */
    async sumsOf(orderId: string): Promise<Record<string, number>> {
      const sums = await queryRows<{ account: string; cents: number }>(
        db,
        sql`select l.account, sum(l.amount)::int as cents from ledger_entries e join ledger_lines l on l.entry_id = e.id
          where e.order_id = ${orderId} and e.kind <> 'card-fee' group by l.account having sum(l.amount) <> 0`,
      );
      return Object.fromEntries(sums.map(({ account, cents }) => [account, cents]));
    },
    async problemsOf(orderId: string): Promise<string[]> {
      const deliveries = (await deliveriesOf(orderId)).map(({ id }) => id);
      const isOf = (what: string) => [orderId, ...deliveries].some((id) => what.includes(id));
      return (await findAuditProblems(db)).map(({ what }) => what).filter(isOf);
    },
  };
}
