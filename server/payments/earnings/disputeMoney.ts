import { linesOfDispute, linesOfLostDispute, linesOfWonDispute } from '../../../domain/ledger.ts';
import type { Cents } from '../../../domain/payments.ts';
import type { Tx } from '../../db/database.ts';
import { writeLedgerEntry } from '../ledger/ledger.sql.ts';
import { listEarnersOf } from '../refunds/disputeMoney.sql.ts';
import { holdCredits, type PendingPayout, releaseCredits } from './earnings.ts';

export { addMs, LEASE_MS, retryDelayMs } from '../card/retry.ts';
export { findOrderOfPayment, lockDisputedPayment, makePollDue } from '../refunds/disputeMoney.sql.ts';

/** Who bears a lost chargeback; null for the platform. */
export type DisputeBearer = { readonly account: 'scrub' | 'duber'; readonly userId: string } | null;

type Disputed = { readonly orderId: string; readonly budId: string; readonly amount: Cents };

/** The card network has taken the money back. Returns the entry. Call it once a chargeback. */
export function writeDisputed(tx: Tx, { orderId, budId, amount }: Disputed, at: Date): Promise<string | undefined> {
  return writeLedgerEntry(tx, { kind: 'disputed', orderId, at, lines: linesOfDispute({ budId, amount }) });
}

/** The bank has decided. Returns the entry. Call it once a chargeback. */
export function writeDisputeEnd(
  tx: Tx,
  { orderId, budId, amount }: Disputed,
  { isWon, bearer }: { isWon: boolean; bearer: DisputeBearer },
  at: Date,
): Promise<string | undefined> {
  if (isWon)
    return writeLedgerEntry(tx, { kind: 'dispute-won', orderId, at, lines: linesOfWonDispute({ budId, amount }) });
  const lines = linesOfLostDispute({ amount, liable: bearer });
  return writeLedgerEntry(tx, { kind: 'dispute-lost', orderId, at, lines });
}

/** What the order credits to people, and is in no payout yet, waits while its payment is contested. */
export async function holdDisputedCredits(tx: Tx, orderId: string, at: Date): Promise<void> {
  for (const one of await listPendingPayouts(tx, orderId)) await holdCredits(tx, one, at);
}

export async function releaseDisputedCredits(tx: Tx, orderId: string, at: Date): Promise<void> {
  for (const one of await listPendingPayouts(tx, orderId)) await releaseCredits(tx, one, at);
}

async function listPendingPayouts(tx: Tx, orderId: string): Promise<PendingPayout[]> {
  const earners = await listEarnersOf(tx, orderId);
  return earners.map((earner) => ({ ...earner, orderId, reason: 'chargeback' }));
}
