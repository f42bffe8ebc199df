import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { CardNetworkUnavailableError } from '../payments/card/cards.ts';
import { addMs, retryDelayMs } from '../payments/earnings/disputeMoney.ts';
import { type DisputeRow, dropCall, postponeCall, startWarning, takeDueCall } from './disputes.sql.ts';
import { pollDisputes, recordDispute } from './disputes.ts';

/** Tells the card network what operators have decided about one chargeback; false when nothing was due. */
export async function processDueDisputeCall(context: Context): Promise<boolean> {
  const { db, now, log } = context;
  const dispute = await takeDueCall(db, now());
  if (!dispute) return false;
  try {
    await callCardNetwork(context, dispute);
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    const delayMs = retryDelayMs(dispute.tries);
    log.warn(
      { dispute: dispute.id, delayMs },
      'the card network is unavailable, the chargeback will be answered later',
    );
    await postponeCall(db, dispute.id, addMs(now(), delayMs), error.message);
  }
  return true;
}

async function callCardNetwork(context: Context, dispute: DisputeRow): Promise<void> {
  const { db, cards, log } = context;
  const { id, squareId, call, evidence } = dispute;
  const outcome =
    call === 'send'
      ? await cards.disputes.sendEvidence(squareId, evidence ?? [])
      : await cards.disputes.accept(squareId);
  if (!('kind' in outcome)) return recordDispute(context, outcome);
  log.error({ dispute: id, reason: outcome.reason }, 'a chargeback needs a person');
  await transact(db, async (tx) => {
    await dropCall(tx, id, outcome.reason);
    // The warning may have been due while the network was told.
    if (dispute.dueAt) await startWarning(tx, id, dispute.dueAt);
  });
}

/** Answers chargebacks and looks for new ones; false when nothing was due. */
export async function runDisputeJobs(context: Context): Promise<boolean> {
  const done = [await processDueDisputeCall(context), await pollDisputes(context)];
  return done.includes(true);
}
