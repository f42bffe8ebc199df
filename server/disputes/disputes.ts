import { readNetworkState, stepOfNetworkState } from '../../domain/disputes.ts';
import { FOUND } from '../../domain/process/dispute.ts';
import type { Context } from '../context.ts';
import { type Tx, transactStep } from '../db/database.ts';
import { type CardNetworkDispute, CardNetworkUnavailableError } from '../payments/card/cards.ts';
import {
  findOrderOfPayment,
  holdDisputedCredits,
  lockDisputedPayment,
  writeDisputed,
} from '../payments/earnings/disputeMoney.ts';
import {
  type DisputeRow,
  findOrderOfDispute,
  finishPoll,
  insertDispute,
  lockDisputeOf,
  lockOrderOfDispute,
  markDebited,
  startWarning,
  takePoll,
  updateFound,
} from './disputes.sql.ts';
import { openDisputeCase, tryDisputeStep } from './steps.ts';

type Found = Pick<Context, 'db' | 'now' | 'newId'>;

/** More than a town will ever have. */
const MAX_PAGES = 500;

/** Asks the card network for its chargebacks when it is time; false when it is not. */
export async function pollDisputes(context: Context): Promise<boolean> {
  const { db, now, cards, log } = context;
  const leasedUntil = await takePoll(db, now());
  if (!leasedUntil) return false;
  try {
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const page = await cards.disputes.list(cursor);
      for (const found of page.disputes) await recordDispute(context, found);
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
    await finishPoll(db, leasedUntil, now());
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    log.warn({}, 'the card network is unavailable, its chargebacks will be read later');
  }
  return true;
}

/** Applies the card network's state of a chargeback; a repeat changes nothing. Ignores payments that are not ours. */
export async function recordDispute({ db, now, newId }: Found, found: CardNetworkDispute): Promise<void> {
  await transactStep(db, async (tx) => {
    const { squareId, paymentId } = found;
    const orderId = (await findOrderOfDispute(tx, squareId)) ?? (await findOrderOfPayment(tx, paymentId));
    if (orderId === undefined) return;
    // One at a time for an order: the other one then finds the row.
    await lockOrderOfDispute(tx, orderId);
    const budId = await lockDisputedPayment(tx, orderId);
    const at = now();
    const row = (await lockDisputeOf(tx, squareId)) ?? (await open(tx, { id: newId(), orderId, found }, at));
    // A list may have been read before the answer to a call.
    if (row.endedAt !== null || found.version < row.networkVersion) return;
    await updateFound(tx, row.id, found);
    // The bank waits longer, or less long.
    if (found.dueAt && found.dueAt.getTime() !== row.dueAt?.getTime()) await startWarning(tx, row.id, found.dueAt);
    const debitEntry = row.debitEntry ?? (await debit(tx, { row, budId, found }, at));
    const action = stepOfNetworkState(found.state);
    if (action) await tryDisputeStep(tx, { ...row, debitEntry }, action, at);
  });
}

async function open(
  tx: Tx,
  dispute: { id: string; orderId: string; found: CardNetworkDispute },
  at: Date,
): Promise<DisputeRow> {
  const { id, orderId, found } = dispute;
  await insertDispute(tx, { ...dispute, status: FOUND.to }, at);
  const row = (await lockDisputeOf(tx, found.squareId)) as DisputeRow;
  if (readNetworkState(found.state).outcome !== null) return row;
  await holdDisputedCredits(tx, orderId, at);
  await openDisputeCase(tx, row, at);
  if (found.dueAt) await startWarning(tx, id, found.dueAt);
  return row;
}

/** Writes down that the bank has taken the money. Returns the ledger entry; null when no money was taken. */
async function debit(
  tx: Tx,
  { row, budId, found }: { row: DisputeRow; budId: string; found: CardNetworkDispute },
  at: Date,
): Promise<string | null> {
  if (!readNetworkState(found.state).isTaken) return null;
  const entry = await writeDisputed(tx, { orderId: row.orderId, budId, amount: row.cents }, at);
  if (entry !== undefined) await markDebited(tx, row.id, entry);
  return entry ?? null;
}
