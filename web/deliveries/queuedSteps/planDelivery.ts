import type { Delivery, DeliveryDetails } from '../../../contract/deliveries.ts';
import { FAILURES, failureOfNeed } from '../../../contract/failures.ts';
import { DELIVERY_NEEDS, type DeliveryFacts } from '../../../domain/needs.ts';
import { distanceInMeters } from '../../../domain/places.ts';
import { exactPlace } from '../../../domain/positions.ts';
import { DELIVERY_EXCEPTIONS, DELIVERY_FLOW } from '../../../domain/process/delivery.ts';
import { chooseRow } from '../../../domain/workflow.ts';
import { isLost, withSituation } from '../../handovers/situation.ts';
import { RefusedHere } from '../../ui/errorMessage.ts';
import { pickupAndDropOf } from '../pickupAndDrop.ts';
import { arrivedAt, collectedAt, formatCountdown, waitLeftMs } from '../problemSteps.ts';
import { appendStep } from '../steps.ts';
import type { QueuedStep } from './queuedStepStore.ts';
import { isNormalStep, type WaitingAction, type WaitingProblem } from './waitingSteps.ts';

const ROWS = [...DELIVERY_FLOW, ...DELIVERY_EXCEPTIONS];

/** The steps after which the Duber has the laundry, or no longer. The others leave it as it is. */
const HAS_LAUNDRY_AFTER: Partial<Record<WaitingAction, boolean>> = {
  collected: true,
  delivered: false,
  'brought-back': false,
};

/** The delivery as it will be once all queued steps are sent. */
export const planDelivery = (delivery: DeliveryDetails, waiting: readonly QueuedStep[]): DeliveryDetails =>
  waiting.filter(({ problem }) => problem === undefined).reduce(planStep, delivery);

function planStep(delivery: DeliveryDetails, { action, takenAt, userId, report }: QueuedStep): DeliveryDetails {
  const row = ROWS.find((one) => one.action === action && one.by === 'Duber' && one.from === delivery.status);
  // It happened on another device, or no longer can: the server will say which.
  if (!row) return delivery;
  // It is sent, and removed from this device in a moment.
  const done = delivery.doneSteps ?? [];
  if (row.from === row.to && done.includes(action)) return delivery;
  const { reason = null, words = null } = report ?? {};
  const step = { status: row.to, createdAt: takenAt, takenAt, deliveryId: delivery.id };
  const told = isNormalStep(action) ? step : { ...step, action, reason };
  const moved = row.from === row.to ? delivery : appendStep(delivery, told, userId);
  const doneSteps = 'startsOver' in row ? [action] : [...done, action];
  const after = { ...moved, doneSteps, hasLaundry: HAS_LAUNDRY_AFTER[action] ?? delivery.hasLaundry };
  if (isNormalStep(action)) return withSituation(after);
  const exception = {
    ...step,
    action,
    attempt: delivery.attempt,
    by: 'Duber' as const,
    reason,
    words,
    fileIds: [],
    countsFrom: null,
  };
  const attempt = delivery.attempt + ('startsOver' in row ? 1 : 0);
  return withSituation({ ...after, attempt, exceptions: [...delivery.exceptions, exception] });
}

/** A problem step that somebody takes now. */
type NewProblem = { readonly action: WaitingProblem } & Pick<QueuedStep, 'report'>;

/**
 * Refuses a problem step, as the server would, that the planned delivery does not allow yet: so that a Duber without a network
 * hears it at the door and not an hour later. At another status it is the server's to say.
 */
export function checkNeeds(planned: Delivery, step: NewProblem, now: Date): void {
  const asked = { action: step.action, status: planned.status, by: 'Duber' };
  const chosen = chooseRow(DELIVERY_EXCEPTIONS, asked, DELIVERY_NEEDS, factsOf(planned, step, now));
  const code = chosen.ok || chosen.why !== 'need' ? undefined : failureOfNeed(chosen.need);
  if (chosen.ok || chosen.why !== 'need' || !code) return;
  const left = waitLeftMs(planned, now) ?? 0;
  const [, message] = FAILURES[code];
  throw new RefusedHere(chosen.need === 'waited' ? `${message}: ${formatCountdown(left)} to go` : message, code);
}

function factsOf(planned: Delivery, { report = {} }: NewProblem, now: Date): DeliveryFacts {
  const { pickup, drop } = pickupAndDropOf(planned, 'Duber');
  const place = exactPlace(report.place);
  const { point } = planned.status === 'Way_To_Drop' ? drop : pickup;
  return {
    reason: report.reason ?? undefined,
    photos: report.fileIds?.length ?? 0,
    metersAway: place && (point ? distanceInMeters(place, point) : 0),
    hasLaundry: planned.hasLaundry,
    isLost: isLost(planned),
    arrivedAt: arrivedAt(planned),
    collectedAt: collectedAt(planned),
    ...{ takenAt: now, now },
    // No step that waits needs these, or only the server knows them.
    ...{
      isRelayed: false,
      isCarriedByDuber: false,
      isConfirmed: false,
      isTaken: false,
      isSettled: false,
      isByOperator: false,
      reOffers: 0,
      corrections: 0,
      lastStepAt: now,
    },
  };
}
