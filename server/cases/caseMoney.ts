import { v7 as newUuid } from 'uuid';
import { caseNumber } from '../../domain/cases.ts';
import type { Share } from '../../domain/decisions.ts';
import type { LiableParty } from '../../domain/ledger.ts';
import type { Tx } from '../db/database.ts';
import { lockOfferCover, type OfferCover, readOfferCover, reserveWays } from '../payments/earnings/offerCover.ts';
import { forgiveRefund } from '../payments/refunds/forgiveRefund.ts';
import {
  findRefundableCents,
  lockRefundableCents,
  previewRefund,
  type RefundRequest,
  recordRefund,
} from '../payments/refunds/refunds.ts';
import { type CaseRow, listRefundsOf } from './cases.sql.ts';
import { releasePayouts } from './claimedPayouts.ts';

/** What can still be refunded of the order of a case, in cents. Undefined without an order. */
export const findLeft = async (tx: Tx, { orderId }: Pick<CaseRow, 'orderId'>): Promise<number | undefined> =>
  orderId === null ? undefined : findRefundableCents(tx, orderId);

const ABOUT_NO_ORDER = { ok: false, why: 'the case is about no order' } as const;

const liableOf = ({ aboutRole }: CaseRow): LiableParty =>
  aboutRole === null ? 'platform' : aboutRole === 'Scrub' ? 'scrub' : 'duber';

/** The refund of a share. A decision names the delivery of the Duber who bears it, or it is the person whom the case is about. */
function requestOf(row: CaseRow, orderId: string, { liable, cents, deliveryId: named }: Share): RefundRequest {
  const deliveryId = named ?? row.deliveryId ?? undefined;
  const isOfCase = named === undefined && row.aboutUser !== null && liable === liableOf(row);
  return {
    ...{ orderId, amount: cents, liable, reason: `Case ${caseNumber(row.no)}`, isCompensation: true },
    ...(liable === 'duber' && deliveryId !== undefined ? { deliveryId } : {}),
    ...(isOfCase && row.aboutUser !== null ? { liableUser: row.aboutUser } : {}),
  };
}

type Bearer = { readonly ok: true; readonly userId: string | null } | { readonly ok: false; readonly why: string };

/** The person who would bear a share, or why it cannot be refunded. Nothing is written. */
export async function findBearer(tx: Tx, row: CaseRow, share: Share): Promise<Bearer> {
  if (row.orderId === null) return ABOUT_NO_ORDER;
  const refund = await previewRefund(tx, requestOf(row, row.orderId, share));
  return refund.ok ? { ok: true, userId: refund.liableUser } : { ok: false, why: refund.why };
}

/**
 * Refunds the shares of a case to the card, each paid by its liable side. Call it in the transaction of the step: its position
 * makes each refund happen once. Returns why not, when one of them is not possible.
 */
export async function refundShares(
  tx: Tx,
  at: Date,
  row: CaseRow,
  shares: readonly Share[],
): Promise<string | undefined> {
  for (const share of shares) {
    if (share.cents === 0) continue;
    if (row.orderId === null) return ABOUT_NO_ORDER.why;
    const refund = await recordRefund(tx, { id: newUuid(), ...requestOf(row, row.orderId, share) }, at);
    if (!refund.ok) return refund.why;
    await tx
      .insertInto('case_refunds')
      .values({ case_id: row.id, position: row.steps, liable: share.liable, refund_id: refund.id })
      .execute();
  }
  return undefined;
}

/**
 * Moves these parts of the liability from the sides to the platform. Call it in the transaction of the step. The refund to the
 * card stays.
 */
export async function forgiveShares(tx: Tx, at: Date, row: CaseRow, shares: readonly Share[]): Promise<void> {
  const { id: caseId, orderId, no } = row;
  if (orderId === null) return;
  for (const { liable, cents } of shares) {
    let left = cents;
    for (const { position, refundId, amount, forgiven } of await listRefundsOf(tx, caseId, liable)) {
      const part = Math.min(left, amount - forgiven);
      if (part === 0) continue;
      const reason = `Case ${caseNumber(no)} was contested`;
      await forgiveRefund(tx, { orderId, refundId, cents: forgiven + part, reason }, at);
      await tx
        .updateTable('case_refunds')
        .set({ forgiven: forgiven + part })
        .where('case_id', '=', caseId)
        .where('position', '=', position)
        .where('liable', '=', liable)
        .execute();
      left -= part;
    }
  }
}

/** An offer that somebody makes, or has made. */
export type CaseOffer = Pick<CaseRow, 'offer' | 'offerCents'>;

/** What the one who is asked has for an offer, and what cleaning again costs them. Undefined when nobody is asked. */
export const findCover = async (
  tx: Tx,
  row: CaseRow,
  read: typeof readOfferCover = readOfferCover,
): Promise<OfferCover | undefined> => {
  const { id: caseId, orderId, aboutUser: userId } = row;
  const account = liableOf(row);
  return orderId === null || userId === null || account === 'platform'
    ? undefined
    : read(tx, { account, userId }, { caseId, orderId });
};

/** Whether the one who makes an offer has earned what it costs, and has not been paid it. */
export const isCovered = ({ offer, offerCents }: CaseOffer, { free, ways }: OfferCover): boolean =>
  free >= (offer === 'clean-again' ? ways : (offerCents ?? 0));

/** How an order is cleaned again at the cost of its Scrub, for an offer. The orders stand above the cases, so the caller passes them. */
export type CleaningAgain = {
  /** Locks the order and its deliveries. */
  readonly canBegin: (tx: Tx, orderId: string, at: Date) => Promise<boolean>;
  readonly begin: (tx: Tx, orderId: string, at: Date) => Promise<unknown>;
};

/** How an offer is carried out: what it refunds, and what the worker has for it. */
export type OfferPlan = { readonly cents: number; readonly cover?: OfferCover };

/**
 * How the last offer can be carried out now; what that reads is locked. Undefined when the card was not charged, the order cannot start
 * over (it is closed, or a delivery has not ended), or the one who made it has not earned what it costs: then the town decides.
 */
export async function planOffer(
  tx: Tx,
  row: CaseRow,
  cleaning: CleaningAgain,
  at: Date,
): Promise<OfferPlan | undefined> {
  const { orderId, offer } = row;
  if (offer === 'was-before') return { cents: 0 };
  if (orderId === null) return undefined;
  if (offer === 'clean-again') {
    const canBegin = await cleaning.canBegin(tx, orderId, at);
    const cover = await findCover(tx, row, lockOfferCover);
    return canBegin && cover && isCovered(row, cover) ? { cents: 0, cover } : undefined;
  }
  const refundable = await lockRefundableCents(tx, orderId);
  const cover = refundable && (await findCover(tx, row, lockOfferCover));
  if (!refundable || !cover) return undefined;
  // Other refunds may have been made since the offer, so it is capped at what is left.
  const cents = Math.min(refundable.left, row.offerCents ?? 0);
  if (!isCovered({ offer, offerCents: cents }, cover)) return undefined;
  const isRefundable = cents === 0 || (await findBearer(tx, row, { liable: liableOf(row), cents })).ok;
  return isRefundable ? { cents } : undefined;
}

/** Gives back what was offered, or starts the order over at the cost of the Scrub who offered it. */
export async function carryOutOffer(
  tx: Tx,
  row: CaseRow,
  { cents, cover }: OfferPlan,
  cleaning: CleaningAgain,
  at: Date,
): Promise<void> {
  const why = await refundShares(tx, at, row, [{ liable: liableOf(row), cents }]);
  if (why !== undefined) throw new Error(`an offer that was possible is not: ${why}`);
  const { id: caseId, orderId, aboutUser: userId } = row;
  if (!cover || orderId === null || userId === null) return;
  await cleaning.begin(tx, orderId, at);
  // The money kept for the claim is free for the deliveries.
  await releasePayouts(tx, row, at);
  await reserveWays(tx, { caseId, userId, cents: cover.ways }, at);
}
