import type { Deps } from '../context.ts';
import { CardNetworkAway, type Seen } from './cards.ts';
import { endLook, type Looked, releaseAgain, takeDueLook } from './reconciliation.sql.ts';

const LOOK_AGAIN_MS = 60_000;
// What was under way while we looked is over by then, and a person's mending shows.
const CONCERN_LOOK_MS = 10 * 60_000;

/** Looks at one payment that is due for it, and notes what differs from our books; false when there was none. */
export async function lookAtDuePayment({ db, now, cards, log }: Deps): Promise<boolean> {
  const until = new Date(now().getTime() + LOOK_AGAIN_MS);
  const payment = await takeDueLook(db, now(), until);
  if (!payment) return false;
  try {
    const seen = await cards.look(payment.squareId);
    if (payment.asking) return true;
    if (payment.state === 'voided' && seen?.status === 'APPROVED') await releaseAgain(db, payment.orderId, now());
    const concern = concernAbout(payment, seen);
    if (concern !== null) log.error({ order: payment.orderId, concern }, 'the card network tells another story');
    const lookAt = new Date(now().getTime() + CONCERN_LOOK_MS);
    await endLook(db, payment.orderId, until, concern === null ? null : { concern, lookAt });
  } catch (error) {
    if (!(error instanceof CardNetworkAway)) throw error;
    log.warn({ order: payment.orderId }, 'the card network is away; looking again');
  }
  return true;
}

/** What a person should know of how a payment stands at the card network, or null when it is as our books say. */
export function concernAbout(payment: Looked, seen: Seen | undefined): string | null {
  const { state, amount, refunded } = payment;
  if (!seen) return 'the card network knows no such payment';
  if (state === 'held' && seen.status !== 'APPROVED') return `the hold is ${seen.status} at the card network`;
  if (state === 'voided' && seen.status === 'COMPLETED') return 'it was captured although its order is off: refund it';
  if (state !== 'captured') return null;
  if (seen.status !== 'COMPLETED') return `it is captured here and ${seen.status} at the card network`;
  if (seen.amount !== amount) return `${seen.amount} cents were captured instead of ${amount}`;
  if (seen.refunded === refunded) return null;
  return `the card network gave ${seen.refunded} cents back, our refunds add up to ${refunded}`;
}
