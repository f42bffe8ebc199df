import type { Point } from '../../domain/places.ts';
import { closeTakenBack, type FoundProblem, openCase } from '../cases/openCase.ts';
import type { Tx } from '../db/database.ts';
import { publishReOffer } from '../events/publish.ts';
import { applyHandoverEffects, attachHandoverFiles } from '../handovers/handoverEffects.ts';
import { refuseMissingProof } from '../handovers/missingProof.ts';
import { usePin } from '../handovers/pins.ts';
import { isProofMissing } from '../handovers/proofs.ts';
import { hasMovedOn, recordHandover, takeBackHandover } from '../handovers/recordHandover.ts';
import type { StepHandover } from '../handovers/stepHandover.ts';
import {
  deleteNotices,
  type ExceptionNotice,
  queueExceptionNotice,
  takeBackDelivered,
} from '../notifications/queueNotifications.sql.ts';
import { onDeliveryCalledOff, onLaundryDelivered } from '../orders/laundryEvents.ts';
import { holdCredits, type Pay, payDuber, settleOrder, undoPays } from '../payments/pays.ts';
import type { DeliveryChange, DeliveryWithHistory, StepRecord } from './deliveryExceptions.sql.ts';
import { armSilenceTimer } from './deliveryTimers.sql.ts';
import { isCarriedByDuber, keeperOf, splitTripPrice } from './exceptionChange.ts';

/** Who caused that an order ended: its Bud, or the town. It decides who bears what a Duber on the way is paid. */
export type Cause = 'bud' | 'platform';

export type DeliveryExceptionStep = {
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

/** The reasons for which the order pays a wasted trip. */
const BUDS_REASONS: readonly (string | null)[] = ['nobody-home', 'nothing-there', 'no-access', 'not-laundry'];

/** The steps that open a case for the town. */
const CASE_KINDS: Readonly<Record<string, FoundProblem['kind']>> = {
  'report-lost': 'lost',
  'pickup-failed': 'failed-pickup',
  'drop-failed': 'failed-drop',
};

/** What a step causes besides the change: pays, notices, cases, timers. In the transaction of the step. */
export async function applyExceptionEffects(tx: Tx, step: DeliveryExceptionStep): Promise<void> {
  const { delivery, change, at } = step;
  await closeCaseOf(tx, step);
  await takeBack(tx, step);
  await handOver(tx, step);
  await applyPays(tx, step);
  await queueNotice(tx, step);
  await openCaseOf(tx, step);
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

async function applyPays(tx: Tx, step: DeliveryExceptionStep): Promise<void> {
  const { delivery, record, at } = step;
  const { id: deliveryId, attempt, orderId, duberId } = delivery;
  if (record.action === 'correct') await undoPays(tx, { deliveryId, attempt }, at);
  const pay = payOf(step);
  if (duberId && pay) await payDuber(tx, { deliveryId, orderId, attempt, duberId, ...pay }, at);
  if (duberId && record.action === 'report-lost')
    await holdCredits(tx, { orderId, account: 'duber', userId: duberId, reason: 'lost' }, at);
}

/** A hand-over was a mistake. Before the pays, because the Scrub's credit waits again when nobody has seen the laundry. */
async function takeBack(tx: Tx, { delivery, record, at }: DeliveryExceptionStep): Promise<void> {
  const { id: deliveryId, attempt, orderId, status } = delivery;
  if (record.action !== 'correct' || status === 'Failed') return;
  await takeBackHandover(tx, { orderId, deliveryId, ...(status === 'Collected' ? { attempt } : {}) }, at);
}

/** The laundry comes to the one to whom its Duber brings it: on the way back, the one who gave it. */
async function handOver(tx: Tx, step: DeliveryExceptionStep): Promise<void> {
  const { delivery, change, record, handover: report, at } = step;
  const { id, attempt, orderId, type, scrubId, duberId } = delivery;
  const isDelivered = change.to === 'Delivered';
  if (duberId === null || !(isDelivered || change.to === 'Returned')) return;
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

async function openCaseOf(tx: Tx, { delivery, record, at }: DeliveryExceptionStep): Promise<void> {
  const kind = CASE_KINDS[record.action];
  if (!kind) return;
  const { id: deliveryId, orderId, duberId } = delivery;
  const { reason, words } = record;
  const about = kind === 'lost' && duberId ? { aboutUser: { userId: duberId, role: 'Duber' as const } } : {};
  await openCase(tx, { kind, orderId, deliveryId, reason, words, ...about }, at);
}

/** A failure that was pressed by mistake is nothing that the town has to look at. */
async function closeCaseOf(tx: Tx, { delivery, record, at }: DeliveryExceptionStep): Promise<void> {
  const kind = record.action === 'correct' ? CASE_KINDS[delivery.lastAction ?? ''] : undefined;
  if (kind) await closeTakenBack(tx, { kind, deliveryId: delivery.id, stepAt: delivery.lastStepAt }, at);
}

/** What a Duber earns with an exception, and who bears it. The deliveries of a re-clean have a fixed payer. */
function payOf({
  delivery,
  record,
  cause,
  place,
}: DeliveryExceptionStep): Pick<Pay, 'kind' | 'cents' | 'borneBy'> | undefined {
  const { price: cents, paidBy } = delivery;
  switch (record.action) {
    case 'pickup-failed': {
      // A Duber who left at once because it was not safe has been there only if they had said so.
      if (!delivery.arrivedAt) return undefined;
      // Relayed laundry waits with an earlier Duber, and not at the Bud's.
      const isAtBuds = delivery.type === 'Bud_To_Scrub' && delivery.carrierId === null;
      const isBuds = isAtBuds && BUDS_REASONS.includes(record.reason);
      return { kind: 'trip', cents, borneBy: paidBy ?? (isBuds ? 'order' : 'platform') };
    }
    case 'call-off':
      if (delivery.status !== 'Way_To_Pick' || isCarriedByDuber(delivery)) return undefined;
      return { kind: 'trip', cents, borneBy: paidBy ?? (cause === 'bud' ? 'order' : 'platform') };
    case 'mark-delivered':
      return { kind: 'leg', cents, borneBy: paidBy ?? 'order' };
    case 'brought-back':
      return { kind: 'return', cents, borneBy: paidBy ?? 'order' };
    case 'relay':
      return place && { kind: 'relay', cents: splitTripPrice(delivery, place).cents, borneBy: paidBy ?? 'order' };
    default:
      return undefined;
  }
}

async function queueNotice(tx: Tx, step: DeliveryExceptionStep): Promise<void> {
  const { delivery, record, at } = step;
  // A corrected step can send its notice again.
  if (record.action === 'correct') {
    await deleteNotices(tx, delivery.id, ['failed-pickup', 'failed-drop']);
    return takeBackDelivered(tx, delivery.id, at);
  }
  const notice = noticeOf(step);
  if (notice) await queueExceptionNotice(tx, delivery.id, notice, at);
}

/** Who could not go on waits for the next Duber. Who goes on with it after all waits for nobody. */
function arrivalNotice(delivery: DeliveryWithHistory, giver: 'Bud' | 'Scrub'): ExceptionNotice | undefined {
  const keeper = keeperOf(delivery);
  if (keeper === null) return { kind: 'arrived', to: [giver] };
  return keeper === delivery.duberId ? undefined : { kind: 'arrived', to: [], dubers: [keeper] };
}

function noticeOf({ delivery, record }: DeliveryExceptionStep): ExceptionNotice | undefined {
  const { type, duberId } = delivery;
  const [giver, taker] = type === 'Bud_To_Scrub' ? (['Bud', 'Scrub'] as const) : (['Scrub', 'Bud'] as const);
  switch (record.action) {
    case 'arrived-at-pickup':
      return arrivalNotice(delivery, giver);
    case 'arrived-at-drop':
      return { kind: 'arrived', to: [taker] };
    case 'pickup-failed':
      return { kind: 'failed-pickup', to: ['Bud', 'Scrub'] };
    case 'report-lost':
      return { kind: 'failed-drop', to: ['Bud', 'Scrub'], dubers: record.actor.role === 'Operator' ? [duberId] : [] };
    case 'drop-failed':
    case 'brought-back':
      return { kind: 'failed-drop', to: ['Bud', 'Scrub'] };
    case 'try-again':
    case 'bring-back':
      // Those who read that it is lost read that it is found.
      return delivery.lastAction === 'report-lost' ? { kind: 'failed-drop', to: ['Bud', 'Scrub'] } : undefined;
    case 'mark-delivered':
      return { kind: 'delivered', to: ['Bud', 'Scrub'] };
    case 'drop-delivery':
      return { kind: 'dropped', to: [giver] };
    case 'take-off':
    case 'silent':
    case 'relay':
      return { kind: 'dropped', to: [giver], dubers: [duberId] };
    case 'call-off':
      // The order's own notice informs its people.
      return {
        kind: 'called-off',
        to: record.actor.role === 'System' ? [] : ['Bud', 'Scrub'],
        dubers: [duberId, keeperOf(delivery)],
      };
    default:
      return undefined;
  }
}
