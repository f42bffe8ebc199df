import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { expect } from 'vitest';
import type { LoadSize } from '../domain/orders.ts';
import type { PaymentState } from '../domain/payments.ts';
import { computePrice, EARNERS, type LineItem, type Price, type PriceLine } from '../domain/prices.ts';
import type { Context } from '../server/context.ts';
import { queryRow, queryRows, transact } from '../server/db/database.ts';
import { orderHandlers } from '../server/orders/orders.ts';
import { placeHeldOrder } from '../server/orders/placeOrder.sql.ts';
import { setSizeAndPrice } from '../server/orders/weighings.sql.ts';
import {
  captureFinalPrice,
  type HoldReplacement,
  lockWeighedPayment,
  replaceHold,
} from '../server/payments/charge/weighedPayments.ts';
import type { OrderDraft } from '../server/payments/hold/orderDraft.ts';
import { writeIntent } from '../server/payments/hold/payments.sql.ts';
import type { PaymentHarness } from './paymentHarness.ts';
import type { Users } from './paymentStress/users.ts';
import { createSquareTestClient, type TestPayment } from './squareTestClient.ts';

export const CARD = 'cnon:card-nonce-ok';
/** Square's stand-in cannot lower the holds of gift cards. */
export const CARD_THAT_CANNOT_BE_LOWERED = 'cnon:gift-card-nonce-ok';

/** The price of a load with both ways, as a new installation charges it. */
export const priceOf = (loadSize: LoadSize): Price =>
  computePrice(
    { loadSize, selfDelivery: false, selfPickup: false },
    { perPound: 250, pickup: 599, delivery: 599, platformFeeRate: 1000, taxRate: 800 },
  );

const ITEM_OF = {
  ...{ scrub: 'load', 'pickup-duber': 'pickup', 'delivery-duber': 'delivery' },
  ...{ platform: 'platform-fee', state: 'taxes' },
} as const satisfies Record<keyof typeof EARNERS, LineItem>;

/** A price as lines, one for each earner. */
export const linesOf = (price: Price): PriceLine[] =>
  (Object.keys(EARNERS) as (keyof typeof EARNERS)[])
    .map((earner) => ({
      ...{ item: ITEM_OF[earner], earner, cents: price[EARNERS[earner].field] },
      isTaxed: earner === 'scrub' || earner === 'platform',
    }))
    .filter(({ cents }) => cents !== 0);

/** What the order costs when the laundry goes home unwashed. */
export const WAYS: Price = {
  loadPrice: 0,
  pickup: 599,
  delivery: 599,
  platformFee: 0,
  taxes: 0,
  totalPrice: 1198,
};

type WeighedOrder = { readonly size?: LoadSize; readonly limit?: LoadSize; readonly sourceId?: string };

/** Places an order as if it was to be weighed: the limit's price is held. Its Bud, Scrub and Duber are the first ones. */
export async function placeWeighedOrder(
  context: Context,
  users: Users,
  { size = 'Medium', limit = 'Large', sourceId = CARD }: WeighedOrder = {},
): Promise<string> {
  const [bud, scrub] = [users.buds[0] ?? expect.unreachable(), users.scrubs[0] ?? expect.unreachable()];
  const { db, now, cards } = context;
  const place = { id: bud.addressId, label: 'Default', address: '12 Heron Street', latitude: 24, longitude: 67 };
  const holdAmount = priceOf(limit).totalPrice;
  const people = { budId: bud.id, scrubId: scrub.id, budAddress: place, scrubAddress: place, distanceInMeters: 0 };
  const ways = { selfDelivery: false, selfPickup: false, instructions: null };
  const draft: OrderDraft = {
    id: newId(),
    ...people,
    ...ways,
    loadSize: size,
    lines: linesOf(priceOf(size)),
    taxRate: 800,
    booking: {
      ...{ scrubId: scrub.id, zoneId: null, pickupStarts: null, returnStarts: null },
      ...{ day: '2026-01-05', pounds: 5, places: 0, waits: false },
      asked: { at: now(), zone: 'UTC', pounds: 5, size: null },
    },
    holdAmount,
  };
  const card = { sourceId, customerId: null, verificationToken: null, idempotencyKey: null, bodyHash: Buffer.alloc(1) };
  const abandonedAt = new Date(now().getTime() + 90_000);
  await writeIntent(db, { draft, budId: bud.id, ...card, abandonedAt }, now());
  const hold = await cards.hold({
    orderId: draft.id,
    amount: holdAmount,
    sourceId,
    customerId: null,
    verificationToken: null,
  });
  if (hold.kind !== 'held') return expect.unreachable();
  await placeHeldOrder(db, draft.id, hold, now());
  return draft.id;
}

export const acceptOrder = (context: Context, users: Users, id: string) =>
  orderHandlers(context)['accept-order']({ caller: users.scrubs[0], params: { id } } as never);

/** What a weighing writes: the order's price, and the capture. */
export const setPrice = (context: Context, id: string, price: Price): Promise<void> =>
  transact(context.db, (tx) => writePrice(tx, id, price, context.now()));

/** The same where somebody else may be quicker: does nothing when the order has ended, or this price is not possible any more. */
export const setPriceIfPossible = (context: Context, id: string, price: Price): Promise<void> =>
  transact(context.db, async (tx) => {
    const order = await tx
      .selectFrom('orders')
      .select('status')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    const payment = await lockWeighedPayment(tx, id);
    const isOpen = order?.status === 'Accepted' || order?.status === 'In_Progress';
    if (!isOpen || !payment?.mayChange || price.totalPrice > payment.atMost) return;
    await writePrice(tx, id, price, context.now());
  });

async function writePrice(tx: Context['db'], id: string, price: Price, at: Date): Promise<void> {
  const { size } = await tx
    .selectFrom('orders')
    .select('load_size as size')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await setSizeAndPrice(tx, id, size, linesOf(price));
  const payment = await lockWeighedPayment(tx, id);
  if (!payment) throw new Error(`order ${id} is not weighed`);
  await captureFinalPrice(tx, { orderId: id, payment, amount: price.totalPrice }, at);
}

/** What the Bud's "pay more" does: another hold, and with it the new price. */
export function payMore(
  context: Context,
  users: Users,
  {
    orderId,
    price,
    key = newId(),
    sourceId = CARD,
  }: { orderId: string; price: Price; key?: string; sourceId?: string },
) {
  const bud = users.buds[0]?.id ?? expect.unreachable();
  const card = { paymentSourceId: sourceId, verificationToken: null };
  const request: HoldReplacement = { orderId, bud, from: '127.0.0.1', amount: price.totalPrice, ...card, key };
  return replaceHold(context, request, (tx, at) => writePrice(tx, orderId, price, at));
}

/** What the card network and our ledger say about an order's money. */
export function openWeighedChecks(harness: Pick<PaymentHarness, 'context'>, squareUrl: string) {
  const { db } = harness.context;
  const square = createSquareTestClient(squareUrl);
  const paymentsOf = async (orderId: string): Promise<TestPayment[]> => {
    const found: TestPayment[] = [];
    for await (const payment of await square.payments.list({ limit: 100 }))
      if (payment.referenceId === orderId) found.push(payment);
    return found;
  };
  return {
    square,
    paymentsOf,
    /** Each payment of the order at the card network: its state, its cents, and what of them was refunded. */
    async atNetwork(orderId: string): Promise<string[]> {
      const lines = (await paymentsOf(orderId)).map(
        ({ status, totalMoney, refundedMoney }) => `${status} ${totalMoney.amount} -${refundedMoney?.amount ?? 0}`,
      );
      return lines.toSorted();
    },
    async payment(orderId: string) {
      const row = await queryRow<{
        state: PaymentState;
        amount: number;
        reduced: number;
        held: number;
        refunded: number;
      }>(db, sql`select state, amount, reduced, held, refunded from payments where order_id = ${orderId}`);
      return row ?? expect.unreachable();
    },
    /** Without the fee that the card network keeps. */
    async cardClearing(orderId: string): Promise<number> {
      const [sum] = await queryRows<{ cents: number }>(
        db,
        sql`select coalesce(sum(l.amount), 0)::int as cents from ledger_entries e join ledger_lines l on l.entry_id = e.id
          where e.order_id = ${orderId} and l.account = 'card-clearing' and e.kind <> 'card-fee'`,
      );
      return sum?.cents ?? 0;
    },
    recover: () => fetch(`${squareUrl}/faults`, { method: 'DELETE' }),
    plan: async (failure: object) => {
      const headers = { 'content-type': 'application/json' };
      const faults = `${squareUrl}/faults`;
      expect((await fetch(faults, { method: 'POST', headers, body: JSON.stringify(failure) })).status).toBe(204);
    },
  };
}
