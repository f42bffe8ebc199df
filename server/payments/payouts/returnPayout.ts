import { linesOfReturnedPayout } from '../../../domain/ledger.ts';
import type { Cents } from '../../../domain/payments.ts';
import { type PayoutStatus, payoutStatusAfter } from '../../../domain/payouts.ts';
import type { Tx } from '../../db/database.ts';
import { orNotFound, refuse } from '../../http/refusals.ts';
import { writeLedgerEntry } from '../ledger/ledger.sql.ts';
import { lockPayout, setPayoutReturned } from './payouts.sql.ts';

/**
 * The bank has sent a payout back: the person is owed it again, so that their next payout has it. Lock the person before.
 * Refuses a payout that was not sent, or that came back already.
 */
export async function returnPayout(
  tx: Tx,
  { payoutId, userId, at }: { payoutId: string; userId: string; at: Date },
): Promise<{ batch: string | null; amount: Cents }> {
  const { role, amount, batch } = await lockSentPayout(tx, { payoutId, userId });
  const account = role === 'Scrub' ? 'scrub' : 'duber';
  const lines = linesOfReturnedPayout({ account, userId, amount });
  const entryId = await writeLedgerEntry(tx, { kind: 'payout-returned', at, lines });
  await setPayoutReturned(tx, payoutId, { entryId, at });
  return { batch, amount };
}

/** A payout of a person that can come back, locked until the transaction ends. */
export async function lockSentPayout(tx: Tx, { payoutId, userId }: { payoutId: string; userId: string }) {
  const payout = orNotFound(await lockPayout(tx, { id: payoutId, userId }));
  if (payoutStatusAfter('return', payout.state) === undefined)
    refuse('wrongStatus', { message: refusalOf(payout.state) });
  return payout;
}

const refusalOf = (state: PayoutStatus) =>
  state === 'returned' ? 'This payout has come back already' : 'This payout was not sent yet';
