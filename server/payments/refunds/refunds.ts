import { LIABLE_PARTIES, type LiableParty, taxesInRefund } from '../../../domain/ledger.ts';
import { balanceOf, linesOfRefund } from '../../../domain/orderBalance.ts';
import { type Cents, formatDollars } from '../../../domain/payments.ts';
import { codeShareOf, discountBeside, paidInTwo } from '../../../domain/promos.ts';
import { linesOfPlannedRefund } from '../../../domain/refundPlan.ts';
import type { Context } from '../../context.ts';
import { type Tx, transact } from '../../db/database.ts';
import { CardNetworkUnavailableError } from '../card/cards.ts';
import { addMs, pendingDelayMs, retryDelayMs } from '../card/retry.ts';
import { writeLedgerEntry } from '../ledger/ledger.sql.ts';
import { lockPayment, readOrderLedger } from '../ledger/orderLedger.sql.ts';
import {
  countRefundRequest,
  findRefundable,
  insertRefund,
  leftOf,
  lockRefundable,
  markRefunded,
  type Refundable,
  type RefundRow,
  readPaymentOfRefund,
  recordRefundAttempt,
  takeDueRefund,
} from './refunds.sql.ts';

export { readClaimCaps } from '../prices/prices.sql.ts';
export { findRefundableCents, leftOf } from './refunds.sql.ts';

export type RefundTerms = {
  readonly orderId: string;
  /** Cents; everything that is left when missing. */
  readonly amount?: number;
  readonly liable: LiableParty;
  /** The delivery whose Duber is liable. Needed when two Dubers carried the order. */
  readonly deliveryId?: string;
  /** Who is liable, when it is known: a case is about a person, and the delivery may have another Duber by now. */
  readonly liableUser?: string;
  /** The amount left when somebody decided on the refund. The refund is refused when other money has gone back since. */
  readonly left?: Cents;
};
export type RefundRequest = RefundTerms & {
  readonly reason: string;
  /** It compensates the Bud: a liable Scrub or Duber pays what goes back to the card, and nothing of a promo code's share. */
  readonly isCompensation?: boolean;
};

export type RefundResult =
  | {
      readonly ok: true;
      readonly id: string;
      readonly amount: number;
      readonly taxes: number;
      readonly isWhole: boolean;
      readonly liableUser: string | null;
    }
  | Refused;
type Refused = { readonly ok: false; readonly why: string; readonly isOutdated?: true };

/** Records a refund to a card. The payment worker sends it to the card network under the refund's own key. */
export function requestRefund(
  { db, now, newId }: Pick<Context, 'db' | 'now' | 'newId'>,
  request: RefundRequest,
): Promise<RefundResult> {
  return transact(db, (tx) => recordRefund(tx, { id: newId(), ...request }, now()));
}

/** Records a refund in the transaction of the step that causes it. */
export async function recordRefund(
  tx: Tx,
  { id, ...request }: RefundRequest & { readonly id: string },
  at: Date,
): Promise<RefundResult> {
  const { orderId, liable, reason, isCompensation = false } = request;
  const plan = planOf(await lockRefundable(tx, orderId), request);
  if (!plan.ok) return plan;
  const { amount, discount, taxes, liableUser, left } = plan;
  const forgiven = isCompensation && liableUser !== null ? codeShareOf(plan) : 0;
  await insertRefund(tx, { id, orderId, amount, discount, taxes, liable, liableUser, reason, forgiven }, at);
  return { ok: true, id, amount, taxes, isWhole: amount === left, liableUser };
}

type Plan = {
  readonly ok: true;
  readonly amount: Cents;
  readonly discount: Cents;
  readonly taxes: Cents;
  readonly liableUser: string | null;
  /** The amount left before this refund. */
  readonly left: Cents;
};

function planOf(order: Refundable | undefined, request: RefundTerms): Plan | Refused {
  if (!order) return { ok: false, why: `there is no order ${request.orderId} with a payment` };
  const left = leftOf(order);
  const amount = request.amount ?? left;
  const why = findRefundProblem(order, request, amount, left);
  if (why !== undefined) return { ok: false, why };
  if (request.left !== undefined && request.left !== left)
    return { ok: false, why: 'money was given back since', isOutdated: true };
  const discount = discountBeside(amount, paidInTwo(order));
  const released = order.released + order.discountReleased;
  const before = { refunded: order.refunded + order.discountRefunded - released, taxes: order.refundedTaxes };
  const total = order.amount + order.discount - released;
  const taxes = taxesInRefund({ total, taxes: order.taxes }, before, amount + discount);
  return { ok: true, amount, discount, taxes, liableUser: findLiableUser(order, request), left };
}

type RefundCheck = { readonly ok: true; readonly atStake: Cents } | (Refused & { readonly isKnown: boolean });

/** What a refund puts at stake, or why it is not possible. `isKnown` tells whether there is such an order. Nothing is locked. */
export async function checkRefund(tx: Tx, terms: RefundTerms): Promise<RefundCheck> {
  const order = await findRefundable(tx, terms.orderId);
  const plan = planOf(order, terms);
  return plan.ok ? { ok: true, atStake: atStakeOf(plan) } : { ...plan, isKnown: order !== undefined };
}

/** A Scrub or a Duber bears what a promo code has paid, too. It goes back to the platform, so the platform bears only the rest. */
const atStakeOf = ({ amount, discount, liableUser }: Plan): Cents => (liableUser === null ? amount : amount + discount);

/**
 * What a refund would be, if no other one is asked for before it is made. Nothing is written, and nothing is locked.
 */
export async function previewRefund(tx: Tx, request: RefundTerms) {
  const order = await findRefundable(tx, request.orderId);
  const plan = planOf(order, request);
  if (!plan.ok || !order) return { ok: false as const, why: plan.ok ? '' : plan.why, order };
  const ledger = await readOrderLedger(tx, request.orderId);
  const whole = { ...plan, amount: plan.amount + plan.discount, liable: request.liable };
  const lines = linesOfPlannedRefund(whole, order.budId, ledger);
  return { ...plan, atStake: atStakeOf(plan), order, lines };
}

/** What of an order's payment has not gone back yet. Undefined unless it is captured. Locks the payment. */
export async function lockRefundableCents(tx: Tx, orderId: string): Promise<{ left: Cents; why: string } | undefined> {
  const order = await lockRefundable(tx, orderId);
  return order?.state === 'captured' ? { left: leftOf(order), why: whyNotMore(order) } : undefined;
}

/** The end of a sentence that says what is left. */
const whyNotMore = ({ takenByBank }: Refundable) =>
  takenByBank === 0 ? '' : `: the bank has taken ${formatDollars(takenByBank)} of it back`;

function findRefundProblem(order: Refundable, request: RefundTerms, amount: number, left: number): string | undefined {
  if (order.state !== 'captured') return `its payment is ${order.state}: only a captured payment can be refunded`;
  if (!LIABLE_PARTIES.includes(request.liable)) return `liable must be one of ${LIABLE_PARTIES.join(', ')}`;
  if (request.liable !== 'duber' && request.deliveryId !== undefined)
    return 'name a delivery only where its Duber bears it';
  const more = whyNotMore(order);
  if (left === 0) return more === '' ? 'all of it is refunded already' : `nothing of it is left${more}`;
  if (!Number.isInteger(amount) || amount < 1 || amount > left)
    return `the amount must be from 1 to ${left} cents${amount > left ? more : ''}`;
  if (request.liable === 'duber' && findLiableUser(order, request) === null) {
    return order.deliveries.length === 0 ? 'no Duber carried it' : 'say which Duber bears it';
  }
  return undefined;
}

function findLiableUser({ scrubId, deliveries }: Refundable, terms: RefundTerms): string | null {
  const { liable, deliveryId, liableUser } = terms;
  if (liable === 'platform') return null;
  if (liableUser !== undefined) return liableUser;
  if (liable === 'scrub') return scrubId;
  const dubers = new Set(
    deliveries.filter(({ id }) => deliveryId === undefined || id === deliveryId).map((l) => l.duberId),
  );
  return dubers.size === 1 ? ([...dubers][0] ?? null) : null;
}

/** Sends one due refund to the card network; false when none was due. */
export async function processDueRefund(context: Context): Promise<boolean> {
  const { db, now, log } = context;
  const refund = await takeDueRefund(db, now());
  if (!refund) return false;
  try {
    await processRefund(context, refund);
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    const delayMs = retryDelayMs(refund.tries + 1);
    log.warn({ refund: refund.id, delayMs }, 'the card network is unavailable, the refund will be retried');
    const state = refund.squareRefundId ? 'pending' : 'asking';
    const dueAt = addMs(now(), delayMs);
    await recordRefundAttempt(db, refund.id, { state, failure: error.message, dueAt }, now());
  }
  return true;
}

async function processRefund({ db, now, cards, log }: Context, refund: RefundRow): Promise<void> {
  // A part that is so small that it is all the platform's.
  if (refund.amount === 0) return finishRefund({ db, now }, refund, null);
  const needPerson = async (reason: string) => {
    log.error({ refund: refund.id, reason }, 'a refund needs a person');
    await recordRefundAttempt(db, refund.id, { state: 'stuck', failure: reason, dueAt: null }, now());
  };
  const taken = await findTaken(db, refund);
  if (taken !== undefined) return needPerson(taken);
  if (!(await countRefundRequest(db, refund.id))) return;
  const outcome = await cards.refund({ ...refund, refundId: refund.id });
  if (outcome.kind === 'refused') return needPerson(outcome.reason);
  const { squareRefundId } = outcome;
  if (outcome.kind === 'pending') {
    const dueAt = addMs(now(), pendingDelayMs(refund.tries + 1));
    await recordRefundAttempt(db, refund.id, { state: 'pending', squareRefundId, failure: null, dueAt }, now());
    return;
  }
  await finishRefund({ db, now }, refund, squareRefundId);
}

/**
 * Why a refund cannot be made: a bank has taken the money back. The card network refuses that only while the chargeback is open. A
 * refund that may be on its way already is asked for again.
 */
async function findTaken(tx: Tx, { id, amount, tries }: RefundRow): Promise<string | undefined> {
  if (tries > 0) return undefined;
  const payment = await readPaymentOfRefund(tx, id);
  const { takenByBank } = payment;
  if (takenByBank === 0 || amount <= leftOf(payment)) return undefined;
  return `The bank has taken ${formatDollars(takenByBank)} of the payment back, so ${formatDollars(amount)} is not left`;
}

async function finishRefund({ db, now }: Pick<Context, 'db' | 'now'>, refund: RefundRow, squareId: string | null) {
  await transact(db, async (tx) => {
    const at = now();
    // Before the refund, as everybody does who changes the refunds of an order: otherwise each could wait for the other.
    await lockPayment(tx, refund.orderId);
    if (!(await markRefunded(tx, refund, squareId, at))) return;
    const { orderId, id: refundId, amount, discount } = refund;
    const lines = linesOfRefund(
      { ...refund, amount: amount + discount },
      balanceOf(await readOrderLedger(tx, orderId)),
    );
    await writeLedgerEntry(tx, { kind: 'refunded', orderId, refundId, at, lines });
  });
}
