import type { DeliveryExceptionAnswer } from '../../contract/exceptions.ts';
import { failureOfNeed, NOT_WITH_YOU } from '../../contract/failures.ts';
import type { Role } from '../../domain/accounts.ts';
import type { DeliveryExceptionAction } from '../../domain/deliveries.ts';
import { DELIVERY_NEEDS, type DeliveryFacts } from '../../domain/needs.ts';
import { distanceInMeters } from '../../domain/places.ts';
import { exactPlace, type PhonePlace } from '../../domain/positions.ts';
import { type Cause, DELIVERY_EXCEPTION_ROWS, DELIVERY_EXCEPTIONS } from '../../domain/process/delivery.ts';
import { type ChosenRow, chooseRow } from '../../domain/workflow.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { type Tx, transactStep, violatedConstraint, withConnection } from '../db/database.ts';
import { attachFiles } from '../files/files.ts';
import { checkProof, type ProofReport } from '../handovers/proofs.ts';
import type { DuberCaller, StepHandover } from '../handovers/stepHandover.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { checkReason } from '../process/checkReason.ts';
import { findAnswer, type KeyedRequest, keepAnswer } from '../process/requests.ts';
import { checkTakenAt } from './deliveries.ts';
import {
  changeDelivery,
  type DeliveryWithHistory,
  type ExceptionAction,
  lockDelivery,
  readDeliveryWithHistory,
  type StepActor,
  type StepRecord,
} from './deliveryExceptions.sql.ts';
import { countsFrom, doorOf, isFailureProven } from './evidence.ts';
import { changeOf, type ExceptionRow, isCarriedByDuber, isRelayed } from './exceptionChange.ts';
import { applyExceptionEffects } from './exceptionEffects.ts';

export type { ExceptionAction } from './deliveryExceptions.sql.ts';

type ExceptionCalls = Pick<Handlers, DeliveryExceptionAction>;

/** The request for an exception. */
export type ExceptionRequest = {
  readonly id: string;
  readonly action: ExceptionAction;
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
  readonly fileIds?: readonly string[] | undefined;
  readonly place?: PhonePlace | undefined;
  readonly takenAt?: Date | null | undefined;
  readonly requestKey?: Buffer | null | undefined;
  /** What proves that the laundry was handed over, for `brought-back`. */
  readonly handover?: StepHandover | undefined;
  /** Who caused that the order ended, for `call-off`. */
  readonly cause?: Cause | undefined;
};

type CallInput = {
  caller: { id: string; role: Extract<Role, 'Bud' | 'Duber'> };
  params: { id: string };
  body: Pick<ExceptionRequest, 'reason' | 'words' | 'fileIds' | 'place'> & ProofReport;
  takenAt: Date | undefined;
  idempotencyKey: string | undefined;
};

export function deliveryExceptionHandlers(context: Context): ExceptionCalls {
  return Object.fromEntries(
    DELIVERY_EXCEPTION_ROWS.map(({ action }) => [
      action,
      async ({ caller, params: { id }, body, takenAt, idempotencyKey }: CallInput) => {
        const { reason, words, fileIds, place } = body;
        const requestKey = requestKeyOf(caller.id, idempotencyKey);
        return takeDeliveryException(context, caller, {
          ...{ id, action, reason, words, fileIds, place },
          takenAt: checkTakenAt(takenAt, context.now()),
          requestKey,
          handover:
            action === 'brought-back' && caller.role === 'Duber'
              ? await checkProof(context, caller as DuberCaller, { deliveryId: id, action, report: body, requestKey })
              : undefined,
        });
      },
    ]),
  ) as unknown as ExceptionCalls;
}

/** Another request may be faster. After so many tries this one is refused. */
const MAX_TRIES = 3;
const ONCE_AN_ATTEMPT = 'delivery_steps_once_an_attempt';
const ONE_ACTIVE = 'deliveries_once_active';
/** Violated when a step that keeps the status, e.g. an arrival, took the same place in the history first. */
const ONE_PLACE = 'delivery_steps_pkey';

/** Takes one step of DELIVERY_EXCEPTIONS, with all that it causes, in one transaction. */
export async function takeDeliveryException(
  context: Pick<Context, 'db' | 'now' | 'wake'>,
  actor: StepActor,
  request: ExceptionRequest,
): Promise<DeliveryExceptionAnswer> {
  checkReport(actor, request);
  const answer = await withConnection(context.db, async (db) => {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const taken = await tryException(db, actor, request, context.now()).catch((error: unknown) =>
        explainViolation(db, actor, request, error),
      );
      if (taken) return taken;
    }
    refuse('wrongStatus');
  });
  context.wake('events', 'payments');
  return answer;
}

/** The rules for the body: a reason from the list, words where they are needed. */
function checkReport({ role }: StepActor, { action, reason, words, place }: ExceptionRequest): void {
  const rows = DELIVERY_EXCEPTIONS.filter((row) => row.action === action && row.by === role);
  const needs = rows.flatMap((row) => ('needs' in row ? [...row.needs] : []));
  if (needs.includes('reason')) {
    checkReason(action, { reason, words });
    if (reason === undefined) refuseProperty('reason', 'isNotEmpty', 'reason must say why');
  }
  if (words === undefined && needs.includes('words'))
    refuseProperty('words', 'isNotEmpty', 'words must say what happened');
  if (place === undefined && action === 'relay')
    refuseProperty('place', 'isNotEmpty', 'place must say where the laundry is');
}

/** A second step of the same kind, or a second active delivery. A repeated request gets the first answer again. */
async function explainViolation(
  db: Tx,
  actor: StepActor,
  request: ExceptionRequest,
  error: unknown,
): Promise<DeliveryExceptionAnswer | undefined> {
  const constraint = violatedConstraint(error);
  if (constraint === ONE_ACTIVE) refuse('alreadyBusy', { message: 'The Duber already has another active delivery' });
  if (constraint === ONE_PLACE) return undefined;
  if (constraint !== ONCE_AN_ATTEMPT) throw error;
  const answer = await findAnswer<DeliveryExceptionAnswer>(db, keyedRequest(actor, request));
  return answer ?? refuse('wrongStatus', { message: 'This was already said' });
}

/**
 * Undefined when somebody else was faster. The order is locked first, from wherever the step is asked for: a completed order whose last
 * delivery is called off is closed later, what the Scrub does with the laundry is not beside the step that takes it back, and nobody says
 * that they have the laundry beside the step that says nobody took it, or that it is lost.
 */
function tryException(
  db: Tx,
  actor: StepActor,
  request: ExceptionRequest,
  at: Date,
): Promise<DeliveryExceptionAnswer | undefined> {
  return transactStep(db, async (tx) => {
    await lockDelivery(tx, request.id);
    // After the wait, another try may have taken the step.
    const keyed = keyedRequest(actor, request);
    const repeated = await findAnswer<DeliveryExceptionAnswer>(tx, keyed);
    if (repeated) return repeated;
    const delivery = (await readDeliveryWithHistory(tx, actor, request.id)) ?? refuse('notFound');
    const answer = await takeExceptionRow(tx, actor, delivery, request, at);
    if (answer) await keepAnswer(tx, keyed, answer, at);
    return answer;
  });
}

const keyedRequest = (actor: StepActor, { id, action, requestKey }: ExceptionRequest): KeyedRequest => ({
  ...{ actorId: actor.id, requestKey, call: action, subjectId: id },
});

/** Takes the row that fits a delivery as it was read. Refuses when none does. */
export async function takeExceptionRow(
  tx: Tx,
  actor: StepActor,
  delivery: DeliveryWithHistory,
  request: ExceptionRequest,
  now: Date,
): Promise<DeliveryExceptionAnswer | undefined> {
  // `now` was read before the step waited for its turn: a history goes forward.
  const at = now < delivery.lastStepAt ? delivery.lastStepAt : now;
  const place = exactPlace(request.place);
  const { id, action, fileIds = [], reason = null, words = null, cause = 'platform', handover } = request;
  // The photos of a hand-over are bound to it once it is written.
  const photos = actor.id === null || handover ? 0 : new Set(fileIds).size;
  const chosen = chooseException(actor, delivery, request, at, photos);
  const row = chosen.ok ? chosen.row : refuseException(actor, delivery, chosen);
  // After that: the photos of a step that a request at the same time has taken are part of it.
  if (actor.id !== null && photos > 0)
    await attachFiles(tx, { owner: actor.id, fileIds, aboutKind: 'delivery', aboutId: id });
  if (row.to === 'Called_Off' && isRelayed(delivery) && words === null)
    refuseProperty('words', 'isNotEmpty', 'words must say how the laundry, which an earlier Duber has, goes on');
  const takenAt = believedTime(request.takenAt, delivery);
  const change = changeOf(row, delivery, { place, at });
  const found = await findEvidence(tx, delivery, action, { photos, at: takenAt ?? at });
  const record = { action, actor, reason, words, takenAt, fileIds, ...found };
  const answer = await changeDelivery(tx, delivery, change, record, at);
  if (answer) await applyExceptionEffects(tx, { row, delivery, change, record, place, cause, handover, at });
  return answer;
}

/** What the history keeps of an arrival and of a failure, because it decides later about a wait and a pay. */
async function findEvidence(
  tx: Tx,
  delivery: DeliveryWithHistory,
  action: ExceptionAction,
  { photos, at }: { photos: number; at: Date },
): Promise<Pick<StepRecord, 'countsFrom' | 'isProven'>> {
  const isArrival = action === 'arrived-at-pickup' || action === 'arrived-at-drop';
  const isFailure = action === 'pickup-failed' || action === 'drop-failed';
  return {
    countsFrom: isArrival ? await countsFrom(tx, delivery, at) : null,
    isProven: isFailure ? isFailureProven(delivery, photos) : null,
  };
}

/** The row that an actor takes with a request, or why there is none. */
export function chooseException(
  actor: StepActor,
  delivery: DeliveryWithHistory,
  request: ExceptionRequest,
  now: Date,
  photos = 0,
): ChosenRow<ExceptionRow> {
  const takenAt = believedTime(request.takenAt, delivery) ?? now;
  const facts = factsOf(actor, delivery, request, { photos, takenAt, now });
  const asked = { action: request.action, status: delivery.status, by: actor.role };
  return chooseRow<ExceptionRow, DeliveryFacts>(DELIVERY_EXCEPTIONS, asked, DELIVERY_NEEDS, facts);
}

function refuseException(
  { role }: StepActor,
  { status }: DeliveryWithHistory,
  chosen: Exclude<ChosenRow<ExceptionRow>, { ok: true }>,
): never {
  const failure = chosen.why === 'need' ? failureOfNeed(chosen.need) : undefined;
  if (failure) refuse(failure, failure === 'laundryNotOnBoard' && role === 'Duber' ? { message: NOT_WITH_YOU } : {});
  refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
}

/**
 * When a step that is sent late was taken, as the device says, but not before the previous step. So a device cannot claim
 * a wait that is longer than the time since the server last heard of the delivery.
 */
function believedTime(takenAt: Date | null | undefined, { lastTakenAt }: DeliveryWithHistory): Date | null {
  if (!takenAt) return null;
  return takenAt < lastTakenAt ? lastTakenAt : takenAt;
}

function factsOf(
  actor: StepActor,
  delivery: DeliveryWithHistory,
  { reason, words, place: told }: ExceptionRequest,
  { photos, takenAt, now }: { photos: number; takenAt: Date; now: Date },
): DeliveryFacts {
  const { status, hasLaundry } = delivery;
  const place = exactPlace(told);
  return {
    reason,
    words,
    photos,
    metersAway: place && distanceInMeters(place, doorOf(delivery)),
    hasLaundry,
    isLost: status === 'Failed' && delivery.lastAction === 'report-lost',
    isRelayed: isRelayed(delivery),
    isCarriedByDuber: isCarriedByDuber(delivery),
    arrivedAt: delivery.arrivedAt ?? undefined,
    lastStepAt: delivery.lastStepAt,
    isSettled: status === 'Delivered' && (delivery.isOrderCancelled || delivery.hasScrubGoneOn),
    isConfirmed: delivery.isConfirmed,
    isTaken: delivery.isTaken,
    collectedAt: delivery.collectedAt ?? undefined,
    isByOperator: actor.role === 'Operator',
    reOffers: delivery.reOffers,
    corrections: delivery.corrections,
    takenAt,
    now,
  };
}
