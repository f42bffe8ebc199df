import type { PlantedBug } from './plantedBug.ts';

const REFUNDS = 'server/payments/refunds.test.ts';

/** Bugs in who pays for refunds. */
export const REFUND_BUGS: readonly PlantedBug[] = [
  {
    bug: 'what is unearned is refunded twice',
    file: 'domain/orderBalance.ts',
    find: 'const fromUnearned = Math.min(amount, Math.max(0, balance.unearned));',
    replace: 'const fromUnearned = amount;',
    suite: REFUNDS,
  },
  {
    bug: 'a Scrub still earns from an order that was refunded as a whole',
    file: 'domain/orderBalance.ts',
    find: 'if (balance.isRefunded) return [];',
    replace: '',
    suite: REFUNDS,
  },
  {
    bug: 'a refund and a completion at the same time do not wait for each other',
    file: 'server/payments/orderBooks.sql.ts',
    find: 'await lockPaymentOf.all(tx, orderId);',
    replace: 'void lockPaymentOf;',
    suite: REFUNDS,
  },
];
