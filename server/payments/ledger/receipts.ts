import type { Receipt } from '../../../contract/payments.ts';
import type { BudId } from '../../../domain/accounts.ts';
import { ORDER_GROUPS } from '../../../domain/orders.ts';
import { toDollars } from '../../../domain/payments.ts';
import { percentOf } from '../../../domain/prices.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { orNotFound } from '../../http/refusals.ts';
import type { Handlers } from '../../http/routes.ts';
import { findOrderPayment, listRefunds, listReplacedHolds } from './receipts.sql.ts';

type Movement = Receipt['movements'][number];
type OrderPayment = NonNullable<Awaited<ReturnType<typeof findOrderPayment>>>;

export const receiptHandlers = ({ db }: Context): Pick<Handlers, 'readReceipt'> => ({
  readReceipt: async ({ caller, params: { id } }) => orNotFound(await readReceiptOf(db, caller.id, id)),
});

/** The receipt of an order of a Bud; undefined when it has none. */
export async function readReceiptOf(db: Tx, bud: BudId, id: string): Promise<Receipt | undefined> {
  const payment = await findOrderPayment(db, bud, id);
  if (!payment) return undefined;
  const { brand, last4, chargedAt } = payment;
  const refunds = chargedAt === null ? [] : await listRefunds(db, id);
  return {
    card: { brand, last4 },
    movements: [
      ...(payment.held === null ? holdsOf(payment, []) : holdsOf(payment, await listReplacedHolds(db, id))),
      ...(chargedAt === null ? [] : [{ kind: 'charged' as const, amount: toDollars(payment.amount), at: chargedAt }]),
      ...refunds.map(({ amount, at, reason }) => ({ ...movement('refunded', amount, at), reason })),
    ],
    pending: pendingAt(payment),
    taxPercent: payment.taxRate === null ? null : percentOf(payment.taxRate),
  };
}

/** The holds and their releases. */
function holdsOf(payment: OrderPayment, replaced: Awaited<ReturnType<typeof listReplacedHolds>>): Movement[] {
  const { heldAt, releasedAt } = payment;
  const last = payment.held ?? payment.amount;
  const amounts = [...replaced.map(({ amount }) => amount), last];
  const times = [heldAt, ...replaced.map(({ replacedAt }) => replacedAt)];
  const held = amounts.map((cents, index) => movement('held', cents, times[index] ?? heldAt));
  const released = [...replaced, { amount: last, releasedAt }].flatMap(({ amount, releasedAt: at }) =>
    at === null ? [] : [movement('released', amount, at)],
  );
  return [...held, ...released].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

const movement = (kind: Movement['kind'], cents: number, at: string): Movement => ({
  kind,
  amount: toDollars(cents),
  at,
});

/** What the card network is still to do. A charge that has begun is made although the order has ended meanwhile. */
function pendingAt({ status, state, held }: Pick<OrderPayment, 'status' | 'state' | 'held'>): Receipt['pending'] {
  if (state === 'voiding') return 'release';
  if (state === 'capturing') return 'charge';
  if (state !== 'stuck') return null;
  // A part of an order that is weighed may be charged when it is called off.
  return held === null && ORDER_GROUPS[status] === 'cancelled' ? 'release' : 'charge';
}
