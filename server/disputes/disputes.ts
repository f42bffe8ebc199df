import { disputeStatusAfter, readNetworkState } from '../../domain/disputes.ts';
import { formatDollars } from '../../domain/payments.ts';
import { openCase } from '../cases/openCase.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { type CardNetworkDispute, CardNetworkUnavailableError } from '../payments/card/cards.ts';
import {
  type DisputeBearer,
  findOrderOfPayment,
  holdDisputedCredits,
  lockDisputedPayment,
  releaseDisputedCredits,
  writeDisputed,
  writeDisputeEnd,
} from '../payments/earnings/disputeMoney.ts';
import {
  type DisputeRow,
  findOrderOfDispute,
  finishPoll,
  insertDispute,
  lockDisputeOf,
  markDebited,
  markEnded,
  markSent,
  startWarning,
  takePoll,
  updateFound,
} from './disputes.sql.ts';

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
  await transact(db, async (tx) => {
    const { squareId, paymentId } = found;
    const orderId = (await findOrderOfDispute(tx, squareId)) ?? (await findOrderOfPayment(tx, paymentId));
    if (orderId === undefined) return;
    // One at a time for an order: the other one then finds the row.
    const budId = await lockDisputedPayment(tx, orderId);
    const at = now();
    const row = (await lockDisputeOf(tx, squareId)) ?? (await open(tx, { id: newId(), orderId, found }, at));
    if (row.endedAt !== null) return;
    await applyState(tx, { row, budId, found }, at);
  });
}

async function open(
  tx: Tx,
  dispute: { id: string; orderId: string; found: CardNetworkDispute },
  at: Date,
): Promise<DisputeRow> {
  const { id, orderId, found } = dispute;
  await insertDispute(tx, dispute, at);
  const row = (await lockDisputeOf(tx, found.squareId)) as DisputeRow;
  if (readNetworkState(found.state).outcome !== null) return row;
  await holdDisputedCredits(tx, orderId, at);
  const until = found.dueAt ? ` The bank wants an answer by ${found.dueAt.toISOString().slice(0, 10)}.` : '';
  const words = `The card holder contests ${formatDollars(found.amount)} at their bank: ${found.reason}.${until}`;
  await openCase(tx, { kind: 'chargeback', orderId, reason: found.reason, words }, at);
  if (found.dueAt) await startWarning(tx, id, found.dueAt);
  return row;
}

async function applyState(
  tx: Tx,
  { row, budId, found }: { row: DisputeRow; budId: string; found: CardNetworkDispute },
  at: Date,
): Promise<void> {
  const { id, orderId, cents: amount, status } = row;
  const { isTaken, outcome } = readNetworkState(found.state);
  const money = { orderId, budId, amount };
  await updateFound(tx, id, found);
  let isDebited = row.debitEntry !== null;
  if (isTaken && !isDebited) {
    const entry = await writeDisputed(tx, money, at);
    if (entry !== undefined) await markDebited(tx, id, entry);
    isDebited = entry !== undefined;
  }
  if (outcome === null) {
    const hasEvidence = found.state === 'PROCESSING' || found.state === 'INQUIRY_PROCESSING';
    if (hasEvidence && disputeStatusAfter('answered', status)) await markSent(tx, id, at);
    return;
  }
  const bearer = bearerOf(row);
  const entry = isDebited ? await writeDisputeEnd(tx, money, { isWon: outcome === 'won', bearer }, at) : undefined;
  await markEnded(tx, id, { status: outcome, entry: entry ?? null }, at);
  await releaseDisputedCredits(tx, orderId, at);
}

const bearerOf = ({ liableAccount, liableUser }: DisputeRow): DisputeBearer =>
  liableAccount !== null && liableUser !== null ? { account: liableAccount, userId: liableUser } : null;
