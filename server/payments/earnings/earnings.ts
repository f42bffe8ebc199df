import {
  centsToRefund,
  type EarningEvidence,
  type EarningKind,
  type EarningRisk,
  linesOfDuberEarning,
  orderShareOfEarning,
  PROVEN_EARNING_WAITS_MS,
  waitOfEarning,
} from '../../../domain/earnings.ts';
import { credit, debit, dropZeroLines, type LedgerLine, reversalOf } from '../../../domain/ledger.ts';
import { linesOfRepayment } from '../../../domain/orderAdjustment.ts';
import { balanceOf } from '../../../domain/orderBalance.ts';
import type { Cents } from '../../../domain/payments.ts';
import { divideGivenBack, paidInTwo } from '../../../domain/promos.ts';
import type { Tx } from '../../db/database.ts';
import { releaseStuckHold, scheduleVoid } from '../hold/payments.sql.ts';
import { captureInstead } from '../hold/weighedPayments.sql.ts';
import { insertAdjustment } from '../ledger/adjustments.sql.ts';
import { writeLedgerEntry } from '../ledger/ledger.sql.ts';
import { lockPayment, readOrderLedger } from '../ledger/orderLedger.sql.ts';
import { endLost, endUnseenLaundry, holdUnseenAgain, limitUnseenLaundry } from '../ledger/pendingPayouts.sql.ts';
import { refundUnearned } from '../refunds/unearnedRefunds.ts';
import {
  adoptEarlierDelivery,
  type EarningFacts,
  type EarningToUndo,
  findOrderOf,
  findPaidWayHome,
  findSettlement,
  listEarningsOf,
  listEntryLines,
  markUndone,
  readEarningFacts,
  readFeeLeft,
  type Settlement,
  settleWhenCaptured,
  writeEarning,
} from './earnings.sql.ts';
import { endWays } from './offerCover.sql.ts';
import {
  endPendingEarning,
  insertPendingEarning,
  listTripsOfCase,
  lockOpenCase,
  readEarningRisk,
} from './pendingEarnings.sql.ts';

export type { EarningKind } from '../../../domain/earnings.ts';
export { lockPayment } from '../ledger/orderLedger.sql.ts';
export { endUnseenByHandover, holdCredits, type PendingPayout, releaseCredits } from '../ledger/pendingPayouts.sql.ts';
export { holdForCase, keepEarningsOfCase, releaseEarningsOfCase, sumTripsOfCase } from './pendingEarnings.sql.ts';

export type Earning = {
  readonly deliveryId: string;
  readonly orderId: string;
  readonly attempt: number;
  readonly duberId: string;
  readonly kind: EarningKind;
  readonly cents: number;
  /** `order`: up to what is left of the Bud's fee for this delivery, then the platform. Otherwise that party alone. */
  readonly borneBy: 'order' | 'platform' | 'scrub';
  /** What says that the Duber did it. Without it another person of the order does, who gave or took the laundry. */
  readonly evidence?: EarningEvidence;
};

/** An earning that waits for the town, and for which no case is open yet. */
export type EarningForTown = { readonly entryId: string; readonly isProven: boolean };

/** Pays a Duber, in the transaction of the step, which has locked the order's payment. Each kind once an attempt. */
export async function payUnderLock(tx: Tx, asked: Earning, at: Date): Promise<EarningForTown | undefined> {
  const facts = await readEarningFacts(tx, asked);
  const earning = { ...asked, cents: withoutRelay(asked, facts) };
  const { orderId, kind, borneBy, cents, duberId } = earning;
  if (facts.isPaid) return undefined;
  const balance = facts.hasRefunds ? balanceOf(await readOrderLedger(tx, orderId)) : undefined;
  // Nobody is charged for a way from what went back to the card of an order that is not done.
  const inOrder = facts.isUndone && balance ? Math.min(facts.order, balance.free) : facts.order;
  const fromOrder = borneBy === 'order' ? orderShareOfEarning(cents, { fee: facts.fee, order: inOrder }) : 0;
  const row = { ...earning, fromOrder, bearerId: borneBy === 'scrub' ? facts.scrubId : null };
  const risk = await readEarningRisk(tx, { orderId, duberId, bearerId: row.bearerId, rest: cents - fromOrder }, at);
  const entryId = await writeEarning(tx, row, linesOfDuberEarning(row, balance), at);
  const forTown = entryId === null ? undefined : await holdEarning(tx, { earning, entryId, risk, facts }, at);
  if (facts.isHeld && kind === 'leg') await endUnseenLaundry(tx, orderId, at);
  if (facts.isLost && (kind === 'leg' || kind === 'return')) await endLost(tx, earning, at);
  if (facts.hasExceptions) await settleOrder(tx, orderId, at);
  return forTown;
}

/** A Duber who goes on after all with what they handed on earns no more than the whole way. */
const withoutRelay = ({ kind, cents }: Earning, { ownRelay, wholeFee }: EarningFacts): Cents =>
  kind === 'leg' && ownRelay > 0 ? Math.min(cents, Math.max(0, wholeFee - ownRelay)) : cents;

type WrittenEarning = {
  readonly earning: Earning;
  readonly entryId: string;
  readonly risk: Pick<EarningRisk, 'ofPlatform' | 'inWeek' | 'weekLimit'>;
  readonly facts: EarningFacts;
};

/**
 * What the platform pays waits (decision 121), and so does what an order pays while a case about it is open. Nothing but the
 * credit is held: the work goes on.
 */
async function holdEarning(
  tx: Tx,
  { earning, entryId, risk, facts }: WrittenEarning,
  at: Date,
): Promise<EarningForTown | undefined> {
  const { orderId, duberId, cents, evidence } = earning;
  const wrongPin = await lockOpenCase(tx, facts.wrongPinCase);
  const open = wrongPin ?? (await lockOpenCase(tx, evidence?.caseId ?? facts.failedDropCase));
  const caseId = open?.id;
  const isProven = wrongPin === undefined && (evidence?.isProven ?? true);
  const wait = waitOfEarning({ ...risk, isProven, caseId });
  if (wait === 'none') return undefined;
  const isForTown = wait !== 'while' || open?.isDenied;
  const until = isForTown ? null : new Date(at.getTime() + PROVEN_EARNING_WAITS_MS);
  const reason = risk.ofPlatform > 0 ? 'platform-pay' : 'trip';
  await insertPendingEarning(tx, { orderId, duberId, entryId, cents, reason, caseId: caseId ?? null, until }, at);
  return until === null && caseId === undefined ? { entryId, isProven } : undefined;
}

/** Reverses the earnings of an attempt with reversing entries, also after a payout. */
export async function reverseEarnings(
  tx: Tx,
  delivery: { deliveryId: string; attempt: number },
  at: Date,
): Promise<void> {
  const orderId = await findOrderOf(tx, delivery.deliveryId);
  await lockPayment(tx, orderId);
  await adoptEarlierDelivery(tx, delivery);
  const earnings = await listEarningsOf(tx, delivery);
  for (const earning of earnings) await reverseEarning(tx, { ...delivery, earning }, at);
  if (earnings.length > 0) await repayLiableParties(tx, orderId, at);
}

async function reverseEarning(
  tx: Tx,
  undone: { deliveryId: string; attempt: number; earning: EarningToUndo },
  at: Date,
): Promise<void> {
  const { deliveryId, earning } = undone;
  const { orderId, kind, entryId: paidBy } = earning;
  const lines = paidBy === null ? [] : reversalOf(await listEntryLines(tx, paidBy));
  const entryId = await writeLedgerEntry(tx, { kind: 'corrected', orderId, deliveryId, at, lines });
  await markUndone(tx, undone, entryId, at);
  if (paidBy !== null) await endPendingEarning(tx, paidBy, at);
  if (kind === 'leg') await holdUnseenAgain(tx, { orderId, deliveryId }, at);
}

/** The town does not pay the trips that wait for a case. What their orders have paid goes back to the cards. */
export async function takeBackTripsOfCase(tx: Tx, caseId: string, at: Date): Promise<void> {
  for (const { orderId, deliveryId, attempt } of await listTripsOfCase(tx, caseId)) {
    await reverseEarnings(tx, { deliveryId, attempt }, at);
    await settleOrder(tx, orderId, at);
  }
}

/** What a refund had to take from its liable party, although it is unearned now, goes back to them. */
async function repayLiableParties(tx: Tx, orderId: string, at: Date): Promise<void> {
  const lines = linesOfRepayment(await readOrderLedger(tx, orderId));
  await writeAdjustment(tx, { orderId, reason: 'a pay was taken back after a refund', lines }, at);
}

async function writeAdjustment(
  tx: Tx,
  { orderId, reason, lines }: { orderId: string; reason: string; lines: readonly LedgerLine[] },
  at: Date,
): Promise<void> {
  const entryId = await writeLedgerEntry(tx, { kind: 'adjusted', orderId, at, lines });
  if (entryId !== undefined) await insertAdjustment(tx, { entryId, orderId, reason, setBy: 'Rubadub' });
}

/**
 * Once an order and all its deliveries have ended: gives back to the card what nobody has earned. Call it in the transaction
 * of every step that may be the last one, after its earnings. Does nothing while something is open, and when it was done before.
 */
export async function settleOrder(tx: Tx, orderId: string, at: Date): Promise<void> {
  await lockPayment(tx, orderId);
  const settlement = await findSettlement(tx, orderId);
  if (!settlement?.hasEnded) return;
  await limitUnseenLaundry(tx, orderId, at);
  await endWays(tx, orderId, at);
  await giveBack(tx, orderId, settlement, at);
}

/**
 * An order ends without being done: releases the hold, or gives back what was captured, less what the order has paid to
 * Dubers, and what its Bud pays for the way home. Call it in the transaction of the step, after the earnings of the deliveries that
 * end with it.
 */
export async function releaseOrder(tx: Tx, orderId: string, at: Date): Promise<void> {
  await lockPayment(tx, orderId);
  // Of a hold that is released nothing would be left.
  const kept = await readKeptForWayHome(tx, orderId);
  if (await scheduleVoid(tx, orderId, at)) return endUncharged(tx, { orderId, kept }, at);
  const settlement = await findSettlement(tx, orderId);
  if (!settlement?.isUndone) return;
  if (settlement.hasEnded) await endWays(tx, orderId, at);
  if (!settlement.isStuck) return giveBack(tx, orderId, settlement, at);
  await releaseStuckHold(tx, orderId, at);
  await writeOffUncharged(tx, { orderId, unearned: await readUnearned(tx, orderId) }, at);
}

type Uncharged = { readonly orderId: string; readonly kept: Cents };

/** Nothing is charged yet: of an order that is weighed what Dubers were paid or will be, of another one nothing. */
async function endUncharged(tx: Tx, { orderId, kept }: Uncharged, at: Date): Promise<void> {
  const unearned = await readUnearned(tx, orderId);
  const charged = kept - unearned;
  if (charged > 0 && (await captureInstead(tx, orderId, charged, at))) return;
  await writeOffUncharged(tx, { orderId, unearned }, at);
}

/** The part of an ended order's price that is not given back: its Bud pays the Duber who still brings the laundry home. */
async function readKeptForWayHome(tx: Tx, orderId: string): Promise<Cents> {
  const way = await findPaidWayHome(tx, orderId);
  return way ? orderShareOfEarning(way.price, await readFeeLeft(tx, way.id)) : 0;
}

const readUnearned = async (tx: Tx, orderId: string): Promise<Cents> =>
  balanceOf(await readOrderLedger(tx, orderId)).unearned;

/** The card will not be charged: the platform bears what Dubers were paid. */
async function writeOffUncharged(
  tx: Tx,
  { orderId, unearned }: { readonly orderId: string; readonly unearned: Cents },
  at: Date,
): Promise<void> {
  const lines = dropZeroLines([debit('refund-costs', -unearned), credit('unearned', -unearned)]);
  await writeAdjustment(tx, { orderId, reason: 'the card was never charged', lines }, at);
}

async function giveBack(tx: Tx, orderId: string, settlement: Settlement, at: Date): Promise<void> {
  // The worker that captures it gives back what is too much.
  if (!settlement.isCaptured) return settleWhenCaptured(tx, orderId);
  const cents = centsToRefund(settlement) - (await readKeptForWayHome(tx, orderId));
  if (cents <= 0) return;
  const { card: amount, discount } = divideGivenBack(cents, paidInTwo(settlement.charged));
  const reason = settlement.isUndone ? 'the order was called off' : 'a part of the price was not needed';
  await refundUnearned(tx, { orderId, amount, discount, reason }, at);
}
