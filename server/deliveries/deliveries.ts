import { TAKEN_AT_HEADER } from '../../contract/call.ts';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { Caller, DuberId } from '../../domain/accounts.ts';
import { DELIVERY_CALL_ROWS, DELIVERY_FLOW, type DeliveryAction } from '../../domain/deliveries.ts';
import { DUBER_REACH_M } from '../../domain/places.ts';
import { checkTransition } from '../../domain/workflow.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import type { DeliveryRow } from '../db/columns.sql.ts';
import { type Tx, transact, violatedConstraint, withConnection } from '../db/database.ts';
import { refuseNull } from '../db/query.sql.ts';
import { notifyDelivered, publishNewDelivery } from '../events/publish.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { laundryDelivered } from '../orders/laundryMoves.ts';
import { payDuber } from '../payments/pays.ts';
import {
  deliveryExists,
  findDeliveriesNearby,
  findDelivery,
  insertDelivery,
  listDeliveries,
  type NewDelivery,
  readDeliveryJson,
} from './deliveries.sql.ts';
import {
  type DeliveryTransition,
  findDeliveryStepByKey,
  type MovedDelivery,
  moveDelivery,
} from './deliverySteps.sql.ts';

type DuberCaller = Extract<Caller, { role: 'Duber' }>;
type StepInput = {
  caller: DuberCaller;
  params: { id: string };
  takenAt: Date | undefined;
  idempotencyKey: string | undefined;
};
type RequestedStep = {
  readonly id: string;
  readonly action: DeliveryAction;
  readonly takenAt: Date | null;
  readonly requestKey: Buffer | null;
};
type DeliveryCalls = Pick<Handlers, 'listDeliveries' | 'findDeliveriesNearby' | 'readDelivery' | DeliveryAction>;

const INCOMPLETE_POINT_MESSAGE = 'latitude and longitude go together';
const FAR_POINT_MESSAGE = `Search within ${DUBER_REACH_M / 1000} km of your address`;

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
function checkTakenAt(takenAt: Date | undefined, now: Date): Date | null {
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
async function takeDeliveryStep(context: Context, caller: DuberCaller, step: RequestedStep): Promise<DeliveryStep> {
  return withConnection(context.db, (db) => moveOrRepeat({ ...context, db }, caller, step));
}

async function moveOrRepeat(
  context: Context,
  caller: DuberCaller,
  { id, action, takenAt, requestKey }: RequestedStep,
): Promise<DeliveryStep> {
  const { from, to } = orNotFound(DELIVERY_CALL_ROWS.find((row) => row.action === action));
  const moved = await tryMove(context, caller.id, { id, action, from, to, takenAt, requestKey });
  // A repeated request with the same key gets the first answer again.
  if (!moved) {
    return (await findDeliveryStepByKey(context.db, { id, to, requestKey })) ?? refuseStep(context, caller, id, action);
  }
  context.wake('events');
  return moved.step;
}

async function tryMove(
  { db, now }: Context,
  duberId: DuberId,
  step: DeliveryTransition,
): Promise<MovedDelivery | undefined> {
  const at = now();
  try {
    if (step.to !== 'Delivered') return await moveDelivery(db, duberId, step, at);
    return await transact(db, async (tx) => {
      const moved = await moveDelivery(tx, duberId, step, at);
      if (!moved) return undefined;
      await notifyDelivered(tx, moved.step);
      const { orderId, attempt, price: cents, paidBy } = moved;
      const pay = {
        deliveryId: step.id,
        orderId,
        attempt,
        duberId,
        kind: 'leg',
        cents,
        bornBy: paidBy ?? 'order',
      } as const;
      await payDuber(tx, pay, at);
      await laundryDelivered(tx, orderId, at);
      return moved;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'deliveries_once_active') refuse('alreadyBusy');
    throw error;
  }
}

async function refuseStep(context: Context, caller: DuberCaller, id: string, action: DeliveryAction): Promise<never> {
  const isAccepting = action === 'accept-delivery';
  const delivery = await findDelivery(context.db, caller, id);
  if (!delivery) return refuseUnreadable(context, id, isAccepting);
  const verdict = checkTransition(DELIVERY_FLOW, action, delivery.status, caller.role);
  // The delivery is still pending, so the reason is this Duber.
  if (isAccepting && verdict.ok) refuse('alreadyBusy');
  return refuseWrongStatus(delivery, isAccepting);
}

// Another Duber's delivery answers like an unknown one, except to a Duber who tries to accept it too late.
async function refuseUnreadable({ db }: Context, id: string, isAccepting: boolean): Promise<never> {
  if (isAccepting && (await deliveryExists(db, id))) refuse('alreadyAccepted');
  refuse('notFound');
}

function refuseWrongStatus({ status }: DeliveryRow, isAccepting: boolean): never {
  if (isAccepting) refuse('alreadyAccepted');
  refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
}
