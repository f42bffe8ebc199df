import type { Cents } from '../../../domain/payments.ts';
import type { Tx } from '../../db/database.ts';
import { holdCredits } from '../ledger/pendingPayouts.sql.ts';
import { listFreeCredits, lockWorker, readFreeBalance, readWaysCost, type Worker } from './offerCover.sql.ts';

export type { Worker } from './offerCover.sql.ts';

/** What a worker can offer in a case, and what cleaning its order again would cost them. In cents. */
export type OfferCover = { readonly free: Cents; readonly ways: Cents };

export const readOfferCover = async (
  tx: Tx,
  worker: Worker,
  { caseId, orderId }: { caseId: string; orderId: string },
): Promise<OfferCover> => ({
  free: Math.max(0, await readFreeBalance(tx, worker, { caseId })),
  ways: await readWaysCost(tx, orderId),
});

/**
 * The same, true until the transaction ends. Lock the order and its payment before: everybody who locks both a worker and an order
 * locks the order first.
 */
export async function lockOfferCover(
  tx: Tx,
  worker: Worker,
  about: { caseId: string; orderId: string },
): Promise<OfferCover> {
  await lockWorker(tx, worker.userId);
  return readOfferCover(tx, worker, about);
}

/** Keeps what the deliveries of another round cost out of payouts until they are paid: of the oldest credits of the Scrub. */
export async function reserveWays(
  tx: Tx,
  { caseId, userId, cents }: { caseId: string; userId: string; cents: Cents },
  at: Date,
): Promise<void> {
  const worker = { account: 'scrub', userId } as const;
  let left = cents;
  for (const credit of await listFreeCredits(tx, worker)) {
    const part = Math.min(left, credit.cents);
    if (part === 0) return;
    await holdCredits(tx, { ...worker, orderId: credit.orderId, reason: 'ways', caseId, cents: part }, at);
    left -= part;
  }
}
