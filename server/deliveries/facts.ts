import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { DeliveryExceptionAnswer } from '../../contract/exceptions.ts';
import type { DeliveryAction, DeliveryExceptionAction, DeliveryTownAction } from '../../domain/deliveries.ts';
import type { DeliveryFacts } from '../../domain/needs.ts';
import { distanceInMeters } from '../../domain/places.ts';
import { exactPlace, type PhonePlace } from '../../domain/positions.ts';
import { type DeliveryRow, type DeliveryTaken, isPlannedAction } from '../../domain/process/delivery.ts';
import { isRelayed } from '../../domain/process/holder.ts';
import type { EndedBy } from '../../domain/process/row.ts';
import type { Tx } from '../db/database.ts';
import type { StepHandover } from '../handovers/stepHandover.ts';
import type { Asked, StepActor, StepTaken } from '../process/takeStep.ts';
import { doorOf } from './evidence.ts';
import { type DeliveryRecord, readDeliveryFacts } from './facts.sql.ts';

export type DeliveryStepRequest = {
  readonly id: string;
  readonly action: DeliveryAction | DeliveryExceptionAction | DeliveryTownAction;
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
  readonly fileIds?: readonly string[] | undefined;
  readonly place?: PhonePlace | undefined;
  /** When the device took a step that it sends later. */
  readonly takenAt?: Date | null | undefined;
  readonly requestKey?: Buffer | null | undefined;
  /** The proof of the hand-over. */
  readonly handover?: StepHandover | undefined;
  /** Who caused that the order ended, for `call-off`. */
  readonly cause?: EndedBy | undefined;
};

/** A step that was taken, and the attempt that the delivery has since. */
export type TakenDeliveryStep = DeliveryStep & Pick<DeliveryExceptionAnswer, 'attempt'>;

export type DeliveryKind = {
  readonly actor: StepActor;
  readonly row: DeliveryRow;
  readonly request: DeliveryStepRequest;
  readonly locked: unknown;
  readonly facts: DeliveryRecord;
  readonly needed: DeliveryFacts;
  readonly answer: TakenDeliveryStep;
};
export type DeliveryStepTaken = StepTaken<DeliveryKind>;

/** The facts, if the actor may know that there is such a delivery. */
export async function readFacts(tx: Tx, { actor, request }: Asked<DeliveryKind>, now: Date) {
  const facts = await readDeliveryFacts(tx, actor, request, now);
  if (!facts || !isKnownTo(actor, request, facts)) return undefined;
  // `now` was read before the step waited for its turn: a history goes forward.
  const at = now < facts.lastStepAt ? facts.lastStepAt : now;
  return { facts, at, needed: neededFacts(actor, request, facts, at) };
}

const isOwn = ({ role, id }: StepActor, { duberId, budId }: DeliveryRecord): boolean =>
  role === 'Duber' ? duberId === id : role !== 'Bud' || budId === id;

/** A Duber who asks for a planned step may also know a delivery that waits, and one whose laundry they still have. */
function isKnownTo(actor: StepActor, { action }: DeliveryStepRequest, facts: DeliveryRecord): boolean {
  if (isOwn(actor, facts)) return true;
  const isHolder = isRelayed(facts) && facts.carrierId === actor.id;
  return isPlannedAction(action) && (facts.status === 'Pending' || isHolder);
}

/**
 * When a step that is sent late was taken, as the device says, but not before the previous step. So a device cannot claim
 * a wait that is longer than the time since the server last heard of the delivery.
 */
export function believedTime(
  { action, takenAt }: Pick<DeliveryStepRequest, 'action' | 'takenAt'>,
  { lastTakenAt }: DeliveryRecord,
): Date | null {
  if (!takenAt) return null;
  return !isPlannedAction(action) && takenAt < lastTakenAt ? lastTakenAt : takenAt;
}

/** The photos of a step that is no hand-over: those are bound to the hand-over once it is written. */
export const photosOf = ({ id }: StepActor, { fileIds = [], handover }: DeliveryStepRequest): readonly string[] =>
  id === null || handover ? [] : [...new Set(fileIds)];

/** The facts as the needs of the domain read them. */
export function neededFacts(
  actor: StepActor,
  request: DeliveryStepRequest,
  facts: DeliveryRecord,
  now: Date,
): DeliveryFacts {
  const { status, lostAt, duberId, collectedAt, arrivedAt, needsNoProof, isOrderCancelled, hasScrubGoneOn } = facts;
  const { reason, words, handover } = request;
  const place = exactPlace(request.place);
  return {
    ...facts,
    ...{ reason, words, photos: photosOf(actor, request).length, now },
    metersAway: place && distanceInMeters(place, doorOf(facts)),
    isLost: lostAt !== null,
    isRelayed: isRelayed(facts),
    isCarriedByDuber: isRelayed(facts) && facts.carrierId === duberId,
    arrivedAt: arrivedAt ?? undefined,
    isSettled: status === 'Delivered' && (isOrderCancelled || hasScrubGoneOn),
    collectedAt: collectedAt ?? undefined,
    isByOperator: actor.role === 'Operator',
    takenAt: believedTime(request, facts) ?? now,
    isOwn: isOwn(actor, facts),
    isProven: handover !== undefined || needsNoProof !== false,
  };
}

/** A step as the functions in the rows read it. */
export const takenOf = ({ actor, request, facts, at }: DeliveryStepTaken): DeliveryTaken => ({
  delivery: facts,
  actorId: actor.id,
  at,
  reason: request.reason ?? null,
  cause: request.cause ?? 'platform',
  place: exactPlace(request.place),
});
