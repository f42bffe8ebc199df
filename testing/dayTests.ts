import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Context } from '../server/context.ts';
import { queryRow, transact } from '../server/db/database.ts';
import { pollDisputes } from '../server/disputes/disputes.ts';
import type { CardLists } from '../server/payments/card/cards.ts';
import { makePollDue } from '../server/payments/earnings/disputeMoney.ts';
import { findReconciledDay, recheckDay, reconcileDays } from '../server/payments/reconcile/reconciledDays.ts';
import { openPaymentHarness } from './paymentHarness.ts';
import { createFastSquareCards } from './paymentStress/killableServer.ts';
import { type SquareSandbox, startSquareSandbox } from './squareSandbox.ts';
import type { DatabaseKind } from './testServer.ts';

export type DayTests = Awaited<ReturnType<typeof openDayTests>>;

/** Payments beside the stand-in of the card network, to compare their days. `sandbox`: with one that is there already. */
export async function openDayTests(kind: DatabaseKind, sandbox?: SquareSandbox) {
  const network = sandbox ?? (await startSquareSandbox());
  const harness = await openPaymentHarness(kind, createFastSquareCards(network.url));
  const { db } = harness.database;
  const setClock = (iso: string) => {
    network.setClock(iso);
    harness.setClock(iso);
  };
  const compare = async (context: Context = harness.context) => {
    let pages = 0;
    while (await reconcileDays(context)) pages += 1;
    return pages;
  };
  const dayOf = async (day: string) => {
    const found = await findReconciledDay(db, day);
    if (!found) throw new Error(`${day} was not compared`);
    return found;
  };
  return {
    sandbox: network,
    harness,
    db,
    setClock,
    compare,
    dayOf,
    /** An order whose card is charged now. */
    async charge() {
      const orderId = await harness.createOrder('Accepted', { paymentSourceId: 'cnon:card-nonce-ok' });
      await harness.runPaymentJobs();
      const payment = await queryRow<{ squareId: string }>(
        db,
        sql`select square_id as "squareId" from payments where order_id = ${orderId}`,
      );
      return { orderId, squareId: payment?.squareId ?? '' };
    },
    /** All that the payment jobs do some time later: they read the fees, and whether refunds are made. */
    async settle() {
      setClock(new Date(harness.context.now().getTime() + 60_000).toISOString());
      await sql`update payments set look_at = ${harness.context.now()} where state = 'captured'`.execute(db);
      await harness.runPaymentJobs();
    },
    async contest(squareId: string) {
      const payload = { payment_id: squareId, reason: 'NOT_RECEIVED' };
      const { statusCode } = await network.app().inject({ method: 'POST', url: '/sandbox/square/disputes', payload });
      expect(statusCode).toBe(201);
      await transact(db, (tx) => makePollDue(tx, harness.context.now()));
      await pollDisputes(harness.context);
    },
    withLists(lists: Partial<CardLists>): Context {
      const { cards } = harness.context;
      return { ...harness.context, cards: { ...cards, lists: { ...cards.lists, ...lists } } };
    },
    async recheck(day: string, context?: Context) {
      expect(await recheckDay(db, day, harness.context.now())).toBe(true);
      await compare(context);
      return dayOf(day);
    },
    async close() {
      await harness.close();
      if (!sandbox) await network.stop();
    },
  };
}
