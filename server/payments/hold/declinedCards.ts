import type { Context } from '../../context.ts';
import type { Refusal } from '../../http/refusals.ts';
import type { Declined, Hold } from '../card/cards.ts';
import { markDeclined } from './declines.sql.ts';
import { countCardDecline, countDecline, isCardBlocked, type Placer, refuseBlockedCard } from './orderLimits.ts';
import { releaseUnwantedHold } from './payments.sql.ts';

export { findDeclineReason } from './declines.sql.ts';

// What ends an intent, which is about to hold an amount on a card, because of declined cards.

/** Ends an intent that has reached a limit, and throws why. Another request with the same key may have held the amount. */
export async function endIfLimited({ db, now }: Context, id: string, limit: Refusal | undefined): Promise<void> {
  if (!limit) return;
  await releaseUnwantedHold(db, id, undefined, now());
  throw limit;
}

/** Ends an intent whose card was declined. Of parallel requests with one key, one counts the decline. */
export async function recordDecline(
  context: Context,
  { id, placing, declined }: { readonly id: string; readonly placing: Placer; readonly declined: Declined },
): Promise<void> {
  const { db, now } = context;
  const { reason, cardFingerprint } = declined;
  if (!(await markDeclined(db, id, reason, now()))) return;
  await countDecline(context, placing);
  if (cardFingerprint && !(await countCardDecline(context, cardFingerprint)))
    await refuseBlockedCard(context, cardFingerprint);
}

/**
 * Ends an intent whose card was declined too often elsewhere. The card network tells which card a token stands for only with its
 * answer, so this check comes after the hold.
 */
export async function refuseIfCardBlocked(context: Context, id: string, hold: Hold): Promise<void> {
  const { db, now, wake } = context;
  const { cardFingerprint } = hold;
  if (!cardFingerprint || !(await isCardBlocked(context, cardFingerprint))) return;
  if (!(await releaseUnwantedHold(db, id, hold, now()))) return;
  wake('payments');
  await refuseBlockedCard(context, cardFingerprint);
}
