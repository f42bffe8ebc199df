import { TAKEN_AT_HEADER } from '../../contract/call.ts';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import { ACCEPTED_BY_YOU, DELIVERY_CALLED_OFF } from '../../contract/failures.ts';
import type { Caller, DuberId, Role } from '../../domain/accounts.ts';
import type { DeliveryAction, DeliveryStatus, DeliveryType } from '../../domain/deliveries.ts';
import { DUBER_SEARCH_RADIUS_M } from '../../domain/places.ts';
import { DELIVERY_CALL_ROWS, DELIVERY_FLOW } from '../../domain/process/delivery.ts';
import { checkTransition } from '../../domain/workflow.ts';
import { refuseHeldWork } from '../auth/holds.sql.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import type { DeliveryRow } from '../db/columns.sql.ts';
import { type Tx, transactStep, violatedConstraint, withConnection } from '../db/database.ts';
import { refuseNull } from '../db/query.sql.ts';
import { publishNewDelivery } from '../events/publish.ts';
import { applyHandoverEffects, attachHandoverFiles } from '../handovers/handoverEffects.ts';
import { usePin } from '../handovers/pins.ts';
import { refuseUnproven } from '../handovers/proofs.ts';
import { isHandoverConflict } from '../handovers/recordHandover.ts';
import type { DuberCaller, StepHandover } from '../handovers/stepHandover.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { onLaundryDelivered } from '../orders/laundryEvents.ts';
import { findAnswer, isRepeat } from '../process/requests.ts';
import {
  findDeliveriesNearby,
  findDelivery,
  findDeliveryStatus,
  insertDelivery,
  listDeliveries,
  type NewDelivery,
  readDeliveryJson,
} from './deliveries.sql.ts';
import { type DeliveryTransition, type MovedDelivery, moveDelivery, mustLetOthersFirst } from './deliverySteps.sql.ts';
import { payForStep } from './payForStep.ts';

type StepInput = {
  caller: DuberCaller;
  params: { id: string };
  takenAt: Date | undefined;
  idempotencyKey: string | undefined;
};
export type RequestedStep = {
  readonly id: string;
  readonly action: DeliveryAction;
  readonly takenAt: Date | null;
  readonly requestKey: Buffer | null;
  /** The proof of a step that hands the laundry over. */
  readonly report?: StepHandover | undefined;
};
type DeliveryCalls = Pick<Handlers, 'listDeliveries' | 'findDeliveriesNearby' | 'readDelivery' | DeliveryAction>;

const INCOMPLETE_POINT_MESSAGE = 'latitude and longitude go together';
const FAR_POINT_MESSAGE = `Search within ${DUBER_SEARCH_RADIUS_M / 1000} km of your address`;

export function deliveryHandlers(context: Context): DeliveryCalls {
  const { now } = context;
  const steps = Object.fromEntries(
    DELIVERY_CALL_ROWS.map(({ action }) => [
      action,
      ({ caller, params, takenAt, idempotencyKey }: StepInput) =>
        takeDeliveryStep(context, caller, {
          id: params.id,
          action,
          takenAt: checkTakenAt(takenAt, now()),
          requestKey: requestKeyOf(caller.id, idempotencyKey),
        }),
    ]),
  ) as unknown as Pick<Handlers, DeliveryAction>;
  return {
    ...steps,
    listDeliveries: ({ caller, query }) => listDeliveries(caller, query, now()),
    findDeliveriesNearby: ({ caller, query }) => {
      const { latitude, longitude } = query;
      if (latitude === undefined && longitude !== undefined)
        refuseProperty('latitude', 'isPair', INCOMPLETE_POINT_MESSAGE);
      if (latitude !== undefined && longitude === undefined)
        refuseProperty('longitude', 'isPair', INCOMPLETE_POINT_MESSAGE);
      const point = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
      const { addressId, maxDistanceMeters: radius, fields } = query;
      const search = findDeliveriesNearby(caller.id, { addressId, point, radius, fields }, now());
      return refuseNull(search, () => refuseProperty('latitude', 'isNear', FAR_POINT_MESSAGE));
    },
    readDelivery: ({ caller, params }) => readDeliveryJson(caller, params.id, now()),
  };
}

/** A delivery that the caller may read. Refuses with 404 when there is none. */
export async function getDelivery(tx: Tx, caller: Caller, id: string): Promise<DeliveryRow> {
  return orNotFound(await findDelivery(tx, caller, id));
}

/** Opens a delivery, and notifies its Bud, its Scrub and the Dubers nearby. */
export async function openDelivery(tx: Tx, delivery: NewDelivery, now: Date): Promise<void> {
  await insertDelivery(tx, delivery, now);
  const step = { deliveryId: delivery.id, status: 'Pending', createdAt: now.toISOString() } as const;
  await publishNewDelivery(tx, step, delivery.pickup);
}

const MAX_STEP_AGE_MS = 24 * 60 * 60 * 1000;
/** Device clocks are a little off. */
const MAX_CLOCK_SKEW_MS = 5 * 60 * 1000;

/** When a device took a step that it sends later: not more than a day ago, and not in the future. */
export function checkTakenAt(takenAt: Date | undefined, now: Date): Date | null {
  if (takenAt === undefined) return null;
  const agoMs = now.getTime() - takenAt.getTime();
  if (agoMs < -MAX_CLOCK_SKEW_MS)
    refuseProperty(TAKEN_AT_HEADER, 'isPast', `${TAKEN_AT_HEADER} must not lie in the future`);
  if (agoMs > MAX_STEP_AGE_MS)
    refuseProperty(TAKEN_AT_HEADER, 'isRecent', `${TAKEN_AT_HEADER} must not be more than 24 hours ago`);
  return agoMs < 0 ? now : takenAt;
}

/**
 * Takes one step of DELIVERY_FLOW. Nearly all steps succeed, so it tries the step first and finds out why not only when
 * it fails. Accepting a pending delivery has refusals that the other steps do not have.
 */
export function takeDeliveryStep(context: Context, caller: DuberCaller, step: RequestedStep): Promise<DeliveryStep> {
  return withConnection(context.db, (db) => moveOrRepeat({ ...context, db }, caller, step));
}

async function moveOrRepeat(
  context: Context,
  caller: DuberCaller,
  { id, action, takenAt, requestKey, report }: RequestedStep,
): Promise<DeliveryStep> {
  const { from, to } = orNotFound(DELIVERY_CALL_ROWS.find((row) => row.action === action));
  const moved = await tryMove(context, caller.id, { id, action, from, to, takenAt, requestKey, report });
  if (!moved) {
    const repeated = { actorId: caller.id, requestKey, call: action, subjectId: id };
    return (await findAnswer<DeliveryStep>(context.db, repeated)) ?? refuseStep(context, caller, id, action);
  }
  context.wake('events');
  return moved.step;
}

type Move = DeliveryTransition & { readonly report?: StepHandover | undefined };

async function tryMove(context: Context, duberId: DuberId, step: Move): Promise<MovedDelivery | undefined> {
  const { db, now } = context;
  const at = now();
  try {
    if (step.to !== 'Delivered' && !step.report) return await moveDelivery(db, duberId, step, at);
    return await transactStep(db, async (tx) => {
      const moved = await moveDelivery(tx, duberId, step, at);
      if (moved) await applyMoveEffects(tx, duberId, { ...step, ...moved }, at);
      return moved;
    });
  } catch (error) {
    if (isRepeat(error)) return undefined;
    const constraint = violatedConstraint(error);
    if (constraint === 'deliveries_once_active') refuse('alreadyBusy');
    // An arrival that was faster leaves the status as it is, and has the place of this step in the history.
    if (constraint === 'delivery_steps_pkey' || isHandoverConflict(constraint)) return tryMove(context, duberId, step);
    return refuseHeldWork(error, 'worker');
  }
}

/** What a step causes besides its history and events: the Duber's pay, and what follows from the hand-over. */
async function applyMoveEffects(tx: Tx, duberId: DuberId, moved: Move & MovedDelivery, at: Date): Promise<void> {
  const { id, to, orderId, attempt, scrubId, deliveryType, price: cents, paidBy, handover, report } = moved;
  if (to === 'Delivered') {
    const borneBy = paidBy ?? 'order';
    await payForStep(tx, { deliveryId: id, orderId, attempt, duberId, kind: 'leg', cents, borneBy }, at);
    await onLaundryDelivered(tx, orderId, at);
  }
  if (report?.pin) await usePin(tx, report.pin, at);
  if (!handover) return;
  const taker = takerOf(to, deliveryType);
  const bags = report?.bags ?? null;
  const isSeen = to === 'Delivered';
  await applyHandoverEffects(tx, handover, { orderId, deliveryId: id, scrubId, taker, bags, isSeen }, at);
  if (report) await attachHandoverFiles(tx, { owner: duberId, fileIds: report.fileIds, handover });
}

const takerOf = (to: DeliveryStatus, type: DeliveryType): Role => {
  if (to === 'Collected') return 'Duber';
  return type === 'Bud_To_Scrub' ? 'Scrub' : 'Bud';
};

/** Whether a town can demand a proof for the step. */
const isHandover = (action: DeliveryAction): action is 'collected' | 'delivered' =>
  action === 'collected' || action === 'delivered';

async function refuseStep(context: Context, caller: DuberCaller, id: string, action: DeliveryAction): Promise<never> {
  const isAccepting = action === 'accept-delivery';
  const delivery = await findDelivery(context.db, caller, id);
  if (!delivery) return refuseUnreadable(context, id, isAccepting);
  const verdict = checkTransition(DELIVERY_FLOW, action, delivery.status, caller.role);
  // The delivery is still pending, so the reason is this Duber.
  if (isAccepting && verdict.ok) {
    if (await mustLetOthersFirst(context.db, caller.id, id, context.now())) refuse('letOthersFirst');
    refuse('alreadyBusy');
  }
  if (verdict.ok && isHandover(action)) return refuseUnproven(context, caller, { deliveryId: id, action });
  return refuseWrongStatus(delivery, isAccepting);
}

// Another Duber's delivery answers like an unknown one, except to a Duber who tries to accept it too late.
async function refuseUnreadable({ db }: Context, id: string, isAccepting: boolean): Promise<never> {
  const status = isAccepting ? await findDeliveryStatus(db, id) : undefined;
  if (status === 'Called_Off') refuse('alreadyAccepted', { message: DELIVERY_CALLED_OFF });
  if (status !== undefined) refuse('alreadyAccepted');
  refuse('notFound');
}

function refuseWrongStatus({ status }: DeliveryRow, isAccepting: boolean): never {
  if (isAccepting)
    refuse('alreadyAccepted', { message: status === 'Called_Off' ? DELIVERY_CALLED_OFF : ACCEPTED_BY_YOU });
  refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
}
