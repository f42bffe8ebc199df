import type { Point } from '../../domain/places.ts';
import { type Cause, caseOfStep, type ExceptionRow, keeperOf } from '../../domain/process/delivery.ts';
import type { Told } from '../../domain/process/row.ts';
import { closeTakenBack, openCase } from '../cases/openCase.ts';
import type { Tx } from '../db/database.ts';
import { publishReOffer } from '../events/publish.ts';
import { applyHandoverEffects, attachHandoverFiles } from '../handovers/handoverEffects.ts';
import { refuseMissingProof } from '../handovers/missingProof.ts';
import { usePin } from '../handovers/pins.ts';
import { isProofMissing } from '../handovers/proofs.ts';
import { hasMovedOn, recordHandover, takeBackHandover } from '../handovers/recordHandover.ts';
import type { StepHandover } from '../handovers/stepHandover.ts';
import { deleteNotices, queueExceptionNotice, takeBackDelivered } from '../notifications/queueNotifications.sql.ts';
import { onDeliveryCalledOff, onLaundryDelivered } from '../orders/laundryEvents.ts';
import { holdCredits, lockPayment, settleOrder, undoPays } from '../payments/pays.ts';
import type { DeliveryChange, DeliveryWithHistory, StepRecord } from './deliveryExceptions.sql.ts';
import { armSilenceTimer } from './deliveryTimers.sql.ts';
import { isOnTheWay } from './evidence.ts';
import { payForStep } from './payForStep.ts';

export type DeliveryExceptionStep = {
  readonly row: ExceptionRow;
  readonly delivery: DeliveryWithHistory;
  readonly change: DeliveryChange;
  readonly record: StepRecord;
  /** Where the laundry is, for `relay`. */
  readonly place: Point | undefined;
  readonly cause: Cause;
  /** What proves a hand-over, for `brought-back`. */
  readonly handover: StepHandover | undefined;
  readonly at: Date;
};

/** What a step causes besides the change, as its row says: pays, notices, cases, timers. In the transaction of the step. */
export async function applyExceptionEffects(tx: Tx, step: DeliveryExceptionStep): Promise<void> {
  const { delivery, change, at } = step;
  await closeCaseOf(tx, step);
  await takeBack(tx, step);
  await handOver(tx, step);
  // Before money is locked: what is paid for a failure waits for its case.
  const caseId = await openCaseOf(tx, step);
  await applyPays(tx, step, caseId);
  await queueNotice(tx, step);
  if (change.to === 'Pending') await publishReOffer(tx, delivery.id, change.pickup, at);
  if (change.to === 'Way_To_Pick' && delivery.status !== change.to) await armSilenceTimer(tx, delivery.id, at);
  if (change.to === 'Called_Off') await endWay(tx, delivery.orderId, at);
  if (change.to === 'Delivered') await onLaundryDelivered(tx, delivery.orderId, at);
}

/** Refunds unearned money, and starts the timer that closes the order. */
async function endWay(tx: Tx, orderId: string, at: Date): Promise<void> {
  await settleOrder(tx, orderId, at);
  await onDeliveryCalledOff(tx, orderId, at);
}

async function applyPays(tx: Tx, step: DeliveryExceptionStep, caseId: string | undefined): Promise<void> {
  const { row, delivery, record, cause, place, at } = step;
  const { id: deliveryId, attempt, orderId, duberId } = delivery;
  if (row.undoes === 'pays') await undoPays(tx, { deliveryId, attempt }, at);
  const taken = { delivery, reason: record.reason, cause, place };
  const borneBy = row.pays?.borneBy(taken);
  if (duberId && row.pays && borneBy) {
    await lockPayment(tx, orderId);
    const evidence = { caseId, isProven: await isPayProven(tx, step) };
    const cents = row.pays.cents?.(taken) ?? delivery.price;
    await payForStep(tx, { deliveryId, orderId, attempt, duberId, kind: row.pays.kind, cents, borneBy, evidence }, at);
  }
  if (duberId && row.holds)
    await holdCredits(tx, { orderId, account: 'duber', userId: duberId, reason: row.holds }, at);
}

/** A hand-over was a mistake. Before the pays, because the Scrub's credit waits again when nobody has seen the laundry. */
async function takeBack(tx: Tx, { row, delivery, at }: DeliveryExceptionStep): Promise<void> {
  const { id: deliveryId, attempt, orderId } = delivery;
  if (!row.takesBack) return;
  await takeBackHandover(
    tx,
    { orderId, deliveryId, ...(row.takesBack === 'handover-of-attempt' ? { attempt } : {}) },
    at,
  );
}

/** The laundry comes to the one to whom its Duber brings it: on the way back, the one who gave it. */
async function handOver(tx: Tx, step: DeliveryExceptionStep): Promise<void> {
  const { row, delivery, record, handover: report, at } = step;
  const { id, attempt, orderId, type, scrubId, duberId } = delivery;
  if (duberId === null || !row.handsOver) return;
  const isDelivered = row.handsOver === 'recipient';
  if (isDelivered && (await hasMovedOn(tx, id))) return;
  const role = (type === 'Bud_To_Scrub') === isDelivered ? 'Scrub' : 'Bud';
  const taker = { role, id: role === 'Bud' ? delivery.budId : scrubId } as const;
  // Operators ask the person who has it.
  const isUnproven = record.actor.role === 'Duber' && !report && (await isProofMissing(tx, duberId, id, at));
  if (isUnproven) refuseMissingProof('brought-back');
  const handover = await recordHandover(
    tx,
    { orderId, delivery: { id, attempt }, taker, takenAt: record.takenAt, ...(report ? { report } : {}) },
    at,
  );
  if (report?.pin) await usePin(tx, report.pin, at);
  if (!handover) return;
  const bags = report?.bags ?? null;
  const facts = { orderId, deliveryId: id, scrubId, taker: role, bags, isSeen: isDelivered } as const;
  await applyHandoverEffects(tx, handover, facts, at);
  if (report) await attachHandoverFiles(tx, { owner: duberId, fileIds: report.fileIds, handover });
}

/** Whether something besides the word of its Duber says that what is paid for happened. */
async function isPayProven(tx: Tx, { row, delivery, record }: DeliveryExceptionStep): Promise<boolean> {
  switch (row.pays?.provenBy) {
    case 'failure':
      return record.isProven === true;
    case 'failure-before':
      return delivery.isFailureProven ?? true;
    case 'on-the-way':
      return isOnTheWay(tx, delivery);
    // Another Duber has got the laundry, or an operator has asked.
    default:
      return true;
  }
}

async function openCaseOf(tx: Tx, { row, delivery, record, at }: DeliveryExceptionStep): Promise<string | undefined> {
  if (!row.opens) return undefined;
  const { id: deliveryId, orderId, duberId } = delivery;
  const { reason, words } = record;
  const about = row.opens.about && duberId ? { aboutUser: { userId: duberId, role: 'Duber' as const } } : {};
  return openCase(tx, { kind: row.opens.case, orderId, deliveryId, reason, words, ...about }, at);
}

/** A failure that was pressed by mistake is nothing that the town has to look at. */
async function closeCaseOf(tx: Tx, { row, delivery, at }: DeliveryExceptionStep): Promise<void> {
  const kind = row.closesCase && caseOfStep(delivery.lastAction);
  if (kind) await closeTakenBack(tx, { kind, deliveryId: delivery.id, stepAt: delivery.lastStepAt }, at);
}

async function queueNotice(tx: Tx, { row, delivery, at }: DeliveryExceptionStep): Promise<void> {
  if (row.unsays) {
    await deleteNotices(tx, delivery.id, row.unsays);
    await takeBackDelivered(tx, delivery.id, at);
  }
  const { notifies } = row;
  if (!notifies || (notifies.onlyAfterLoss && delivery.lastAction !== 'report-lost')) return;
  const { kind, to } = notifies;
  const told = to.map((one) => findTold(delivery, one));
  const people = told.flatMap((one) => ('role' in one ? one.role : []));
  const dubers = told.flatMap((one) => ('duber' in one ? one.duber : []));
  // A Duber who goes on with their own laundry waits for nobody.
  if (people.length === 0 && dubers.every((id) => id === null)) return;
  await queueExceptionNotice(tx, delivery.id, { kind, to: people, dubers }, at);
}

type FoundTold = { readonly role: 'Bud' | 'Scrub' } | { readonly duber: string | null };

/** The person of the order, or the Duber, who is told. */
function findTold(delivery: DeliveryWithHistory, told: Told): FoundTold {
  const [sender, recipient] =
    delivery.type === 'Bud_To_Scrub' ? (['Bud', 'Scrub'] as const) : (['Scrub', 'Bud'] as const);
  const keeper = keeperOf(delivery);
  switch (told) {
    case 'sender':
      return { role: sender };
    case 'recipient':
      return { role: recipient };
    case 'giver':
      return keeper === null ? { role: sender } : { duber: keeper === delivery.duberId ? null : keeper };
    case 'duber':
      return { duber: delivery.duberId };
    case 'keeper':
      return { duber: keeper };
    default:
      return { role: told };
  }
}
