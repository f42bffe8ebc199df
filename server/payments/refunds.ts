import { LIABLE_PARTIES, type LiableParty, linesOfRefund, taxesInRefund } from '../../domain/ledger.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { paymentRetryDelayS } from './captures.ts';
import { CardNetworkUnavailableError } from './cards.ts';
import { writeLedgerEntry } from './ledger.sql.ts';
import {
  insertRefund,
  lockRefundable,
  markRefunded,
  type Refundable,
  type RefundRow,
  recordRefundAttempt,
  takeDueRefund,
} from './refunds.sql.ts';

export type RefundRequest = {
  readonly orderId: string;
  /** Cents; without it, all that is left. */
  readonly amount?: number;
  readonly liable: LiableParty;
  /** The leg whose Duber is liable, when the order has had two. */
  readonly deliveryId?: string;
  readonly reason: string;
};

export type RefundResult =
  | { readonly ok: true; readonly id: string; readonly amount: number; readonly taxes: number }
  | { readonly ok: false; readonly why: string };

/** Writes down that money is to go back to a card. The worker asks the card network, under the refund's own key. */
export function requestRefund({ db, now, newId }: Pick<Context, 'db' | 'now' | 'newId'>, wish: RefundRequest) {
  return transact(db, async (tx): Promise<RefundResult> => {
    const order = await lockRefundable(tx, wish.orderId);
    if (!order) return { ok: false, why: `there is no order ${wish.orderId} with a payment` };
    const left = order.amount - order.refunded;
    const amount = wish.amount ?? left;
    const why = findRefundProblem(order, wish, amount, left);
    if (why !== undefined) return { ok: false, why };
    const before = { refunded: order.refunded, taxes: order.refundedTaxes };
    const taxes = taxesInRefund({ total: order.amount, taxes: order.taxes }, before, amount);
    const id = newId();
    const { orderId, liable, reason } = wish;
    await insertRefund(
      tx,
      { id, orderId, amount, taxes, liable, liableUser: liableUserOf(order, wish), reason },
      now(),
    );
    return { ok: true, id, amount, taxes };
  });
}

function findRefundProblem(order: Refundable, wish: RefundRequest, amount: number, left: number): string | undefined {
  if (order.state !== 'captured') return `its payment is ${order.state}: only what was captured can be given back`;
  if (!LIABLE_PARTIES.includes(wish.liable)) return `liable must be one of ${LIABLE_PARTIES.join(', ')}`;
  if (left === 0) return 'all of it was given back already';
  if (!Number.isInteger(amount) || amount < 1 || amount > left) return `the amount must be from 1 to ${left} cents`;
  if (wish.liable === 'duber' && liableUserOf(order, wish) === null) {
    return order.legs.length === 0 ? 'no Duber carried it' : 'say which leg: --delivery and its id';
  }
  return undefined;
}

function liableUserOf({ scrubId, legs }: Refundable, { liable, deliveryId }: RefundRequest): string | null {
  if (liable === 'platform') return null;
  if (liable === 'scrub') return scrubId;
  const dubers = new Set(legs.filter((leg) => deliveryId === undefined || leg.id === deliveryId).map((l) => l.duberId));
  return dubers.size === 1 ? ([...dubers][0] ?? null) : null;
}

const LEASE_S = 20;
const PENDING_WAIT_MS = 60_000;

/** Takes one refund that is due and brings it on; false when there was none. */
export async function processDueRefund(deps: Context): Promise<boolean> {
  const { db, now, log } = deps;
  const refund = await takeDueRefund(db, now(), LEASE_S);
  if (!refund) return false;
  const later = (ms: number) => new Date(now().getTime() + ms);
  try {
    await processRefund(deps, refund, later);
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    const wait = paymentRetryDelayS(refund.tries);
    log.warn({ refund: refund.id, wait }, 'the card network is away; trying the refund again');
    const state = refund.squareRefundId ? 'pending' : 'asking';
    await recordRefundAttempt(db, refund.id, { state, failure: error.message, dueAt: later(wait * 1000) }, now());
  }
  return true;
}

async function processRefund(
  { db, now, cards, log }: Context,
  refund: RefundRow,
  later: (ms: number) => Date,
): Promise<void> {
  const outcome = await cards.refund({ ...refund, refundId: refund.id });
  if (outcome.kind === 'refused') {
    log.error({ refund: refund.id, reason: outcome.reason }, 'a refund needs a person');
    await recordRefundAttempt(db, refund.id, { state: 'stuck', failure: outcome.reason, dueAt: null }, now());
    return;
  }
  const { squareRefundId } = outcome;
  if (outcome.kind === 'pending') {
    const note = { state: 'pending' as const, squareRefundId, failure: null, dueAt: later(PENDING_WAIT_MS) };
    await recordRefundAttempt(db, refund.id, note, now());
    return;
  }
  await transact(db, async (tx) => {
    const at = now();
    if (!(await markRefunded(tx, refund, squareRefundId, at))) return;
    const { orderId, id: refundId } = refund;
    await writeLedgerEntry(tx, { kind: 'refunded', orderId, refundId, at, lines: linesOfRefund(refund) });
  });
}
