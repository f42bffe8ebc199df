import type { BudId } from '../../../domain/accounts.ts';
import type { Cents } from '../../../domain/payments.ts';
import type { Context } from '../../context.ts';
import { transact, violatedConstraint } from '../../db/database.ts';
import { CardNetworkUnavailableError, type Declined, type Hold } from '../card/cards.ts';
import { ABANDONED_AFTER_MS, addMs } from '../card/retry.ts';
import { lockPayment } from '../ledger/orderLedger.sql.ts';
import { holdOnCard, resolveSource } from '../saved/savedCards.ts';
import { endIfLimited, recordDecline, refuseIfCardBlocked } from './declinedCards.ts';
import { findDeclineLimit, runInTurn } from './orderLimits.ts';
import {
  extendIntentDeadline,
  findPaymentByKey,
  type PaymentRow,
  releaseLateHold,
  releaseUnwantedHold,
} from './payments.sql.ts';
import {
  findEndedIntent,
  hasHoldToReplace,
  lockOrderOfPayment,
  takeNewHold,
  writeReplacementIntent,
} from './weighedPayments.sql.ts';

export type HoldReplacement = {
  readonly orderId: string;
  readonly bud: BudId;
  /** The IP address of the request. Declined cards are counted as when an order is placed. */
  readonly from: string;
  /** What the card pays of the order's new price. */
  readonly amount: Cents;
  /** A token of the card form, or the id of a saved card. */
  readonly paymentSourceId: string;
  readonly verificationToken: string | null;
  /** The same for each try of one request: it resumes where the earlier one failed. Null for a request of its own. */
  readonly key: string | null;
};

/** `gone`: the earlier hold was charged or released meanwhile. The new one is released, and nothing has changed. */
export type HoldReplacementOutcome = { readonly kind: 'held' } | { readonly kind: 'gone' } | Declined;

type WhenHeld = (tx: Context['db'], at: Date) => Promise<void>;
type Intent = Pick<
  PaymentRow,
  'orderId' | 'state' | 'amount' | 'sourceId' | 'customerId' | 'verificationToken' | 'replaces'
>;

/**
 * Holds an order's new price on a card, and then releases the earlier hold: commit the intent, hold, commit the exchange.
 * `whenHeld` runs in the transaction that takes the new hold, with the order locked, once: write the new price and call
 * `captureFinalPrice` there. When it throws, the new hold is released. Throws CardNetworkUnavailableError: the caller may
 * repeat the request with the same key.
 */
export async function replaceHold(
  context: Context,
  replacement: HoldReplacement,
  whenHeld: WhenHeld,
): Promise<HoldReplacementOutcome> {
  const intent = (await findIntent(context, replacement)) ?? (await createIntent(context, replacement));
  if (!intent) return { kind: 'gone' };
  if (intent.state !== 'holding') return { kind: 'held' };
  return runInTurn(replacement.bud, () => holdInTurn(context, replacement, intent, whenHeld), 'cardNetworkAway');
}

/** The key of a payment is the Bud's, and this is no order. Another amount is another request. */
const keyOf = ({ orderId, amount }: HoldReplacement, key: string) => `hold ${orderId} ${amount} ${key}`;

/** An earlier try of the same request. Its row has no key any more when it was declined, or abandoned. */
async function findIntent({ db }: Context, replacement: HoldReplacement): Promise<Intent | undefined> {
  const { orderId, bud, key } = replacement;
  const intent = key === null ? undefined : await findPaymentByKey(db, bud, keyOf(replacement, key));
  return intent?.replaces === orderId ? intent : undefined;
}

async function createIntent(context: Context, replacement: HoldReplacement): Promise<Intent | undefined> {
  const { db, now, newId } = context;
  const { orderId: replaces, bud, from, amount, paymentSourceId, verificationToken, key } = replacement;
  const limit = await findDeclineLimit(context, { bud, from });
  if (limit) throw limit;
  const source = await resolveSource(db, bud, paymentSourceId);
  const id = newId();
  const at = now();
  try {
    const written = await writeReplacementIntent(
      db,
      { ...replacement, ...source, id, key: keyOf(replacement, key ?? id), abandonedAt: addMs(at, ABANDONED_AFTER_MS) },
      at,
    );
    return written ? { orderId: id, state: 'holding', amount, ...source, verificationToken, replaces } : undefined;
  } catch (error) {
    // A parallel request with the same key was first: both finish its intent.
    if (violatedConstraint(error) !== 'payments_idempotency') throw error;
    return findIntent(context, replacement);
  }
}

async function holdInTurn(
  context: Context,
  replacement: HoldReplacement,
  intent: Intent,
  whenHeld: WhenHeld,
): Promise<HoldReplacementOutcome> {
  const { db, now, log } = context;
  const { orderId: id, amount, sourceId, customerId, verificationToken } = intent;
  // Others of the Bud's requests may have reached a limit while this one waited for its turn.
  await endIfLimited(context, id, await findDeclineLimit(context, replacement));
  // It must not expire while the card network may still answer.
  if (!(await extendIntentDeadline(db, id, addMs(now(), ABANDONED_AFTER_MS), now())))
    return findOutcome(context, { id, orderId: replacement.orderId });
  if (!sourceId) throw new Error(`the hold ${id} has no card token`);
  const paysFor = replacement.orderId;
  // The order may have ended, or its Bud answered otherwise, while this one waited for its turn.
  if (!(await hasHoldToReplace(db, paysFor))) return endUnheld(context, { id, orderId: paysFor });
  const request = { orderId: id, paysFor, amount, sourceId, customerId, verificationToken };
  const outcome = await holdOnCard(context, request);
  if (outcome.kind === 'declined') {
    log.info({ hold: id, code: outcome.code }, 'a card was declined');
    await recordDecline(context, { id, placing: replacement, declined: outcome });
    return outcome;
  }
  await refuseIfCardBlocked(context, id, outcome);
  return exchange(context, { id, orderId: paysFor, hold: outcome }, whenHeld);
}

/** Without having asked for a hold. What an earlier try may have asked for is released. */
async function endUnheld(
  context: Context,
  { id, orderId }: { readonly id: string; readonly orderId: string },
): Promise<HoldReplacementOutcome> {
  const { db, now, wake } = context;
  if (!(await releaseUnwantedHold(db, id, undefined, now()))) return findOutcome(context, { id, orderId });
  wake('payments');
  return { kind: 'gone' };
}

type NewHold = { readonly id: string; readonly orderId: string; readonly hold: Hold };

async function exchange(
  context: Context,
  { id, orderId, hold }: NewHold,
  whenHeld: WhenHeld,
): Promise<HoldReplacementOutcome> {
  const { db, now, wake } = context;
  try {
    const isTaken = await transact(db, async (tx) => {
      const at = now();
      await lockOrderOfPayment(tx, orderId);
      await lockPayment(tx, orderId);
      if (!(await takeNewHold(tx, { id, orderId, hold }, at))) return false;
      await whenHeld(tx, at);
      return true;
    });
    if (isTaken) return { kind: 'held' };
    // The order has ended, or was charged; or another try of this request was faster, or it came too late.
    if (await releaseUnwantedHold(db, id, hold, now())) return { kind: 'gone' };
    await releaseLateHold(db, id, hold, now());
    return await findOutcome(context, { id, orderId });
  } catch (error) {
    await releaseUnwantedHold(db, id, hold, now());
    throw error;
  } finally {
    wake('payments');
  }
}

/** What became of a request that this one did not end. */
async function findOutcome(
  { db }: Context,
  { id, orderId }: Pick<NewHold, 'id' | 'orderId'>,
): Promise<HoldReplacementOutcome> {
  const ended = await findEndedIntent(db, { id, orderId });
  if (ended?.isTaken) return { kind: 'held' };
  if (ended?.state === 'declined')
    return { kind: 'declined', reason: ended.failure ?? '', code: 'DECLINED_BEFORE', cardFingerprint: null };
  if (ended?.isOrderHeld !== true) return { kind: 'gone' };
  throw new CardNetworkUnavailableError(new Error('the request was abandoned meanwhile'));
}
