import type { Receipt } from '../../contract/payments.ts';
import { ORDER_GROUPS, type OrderStatus } from '../../domain/orders.ts';
import { toDollars } from '../../domain/payments.ts';
import type { Context } from '../context.ts';
import { orNotFound } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { findOrderPayment, listRefunds } from './receipts.sql.ts';

export function receiptHandlers({ db }: Context): Pick<Handlers, 'readReceipt'> {
  return {
    readReceipt: async ({ caller, params: { id } }) => {
      const payment = orNotFound(await findOrderPayment(db, caller.id, id));
      const { brand, last4, heldAt, chargedAt, releasedAt } = payment;
      const amount = toDollars(payment.amount);
      const refunds = chargedAt === null ? [] : await listRefunds(db, id);
      return {
        card: { brand, last4 },
        movements: [
          { kind: 'held', amount, at: heldAt },
          ...(chargedAt === null ? [] : [{ kind: 'charged' as const, amount, at: chargedAt }]),
          ...(releasedAt === null ? [] : [{ kind: 'released' as const, amount, at: releasedAt }]),
          ...refunds.map((refund) => ({ kind: 'refunded' as const, amount: toDollars(refund.amount), at: refund.at })),
        ],
        pending: pendingAt(payment.state, payment.status),
      };
    },
  };
}

/** What the card network is still to do. A charge that has begun is made although the order has ended meanwhile. */
function pendingAt(state: string, status: OrderStatus): Receipt['pending'] {
  if (state === 'voiding') return 'release';
  if (state === 'capturing') return 'charge';
  if (state !== 'stuck') return null;
  return ORDER_GROUPS[status] === 'cancelled' ? 'release' : 'charge';
}
