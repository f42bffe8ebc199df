import { TAKEN_AT_HEADER } from '../../contract/call.ts';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { Caller, DuberId } from '../../domain/accounts.ts';
import { DELIVERY_FLOW, type DeliveryAction } from '../../domain/deliveries.ts';
import { linesOfDelivery } from '../../domain/ledger.ts';
import { checkTransition } from '../../domain/workflow.ts';
import type { Context } from '../context.ts';
import type { DeliveryRow } from '../db/columns.sql.ts';
import { transact, violatedConstraint } from '../db/database.ts';
import { notifyDelivered } from '../events/publish.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { writeLedgerEntry } from '../payments/ledger.sql.ts';
import {
  type DeliveryTransition,
  deliveryExists,
  findDeliveriesNearby,
  findDelivery,
  listDeliveries,
  type MovedDelivery,
  moveDelivery,
  readDeliveryJson,
} from './deliveries.sql.ts';

type DuberCaller = Extract<Caller, { role: 'Duber' }>;
type StepInput = { caller: DuberCaller; params: { id: string }; takenAt: Date | undefined };
type RequestedStep = { readonly id: string; readonly action: DeliveryAction; readonly takenAt: Date | null };
type DeliveryCalls = Pick<Handlers, 'listDeliveries' | 'findDeliveriesNearby' | 'readDelivery' | DeliveryAction>;

const INCOMPLETE_POINT_MESSAGE = 'latitude and longitude go together';

export function deliveryHandlers(deps: Context): DeliveryCalls {
  const { now } = deps;
  const steps = Object.fromEntries(
    DELIVERY_FLOW.map(({ action }) => [
      action,
      ({ caller, params, takenAt }: StepInput) =>
        takeDeliveryStep(deps, caller, { id: params.id, action, takenAt: checkTakenAt(takenAt, now()) }),
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
      const { addressId, maxDistanceMeters: radius } = query;
      return findDeliveriesNearby(caller.id, { addressId, point, radius }, now());
    },
    readDelivery: ({ caller, params }) => readDeliveryJson(caller, params.id, now()),
  };
}

const MAX_STEP_AGE_MS = 24 * 60 * 60 * 1000;
/** Clocks of devices are a little wrong. */
const MAX_CLOCK_SKEW_MS = 5 * 60 * 1000;

/** When a device took a step that it sends only now: at most a day ago, and never in the future. */
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
 * One step of DELIVERY_FLOW. All five share it; only taking a pending delivery has refusals of its own. The step is tried
 * first, and only one that was not taken is asked why: hardly any is.
 */
async function takeDeliveryStep(
  deps: Context,
  caller: DuberCaller,
  { id, action, takenAt }: RequestedStep,
): Promise<DeliveryStep> {
  const { from, to } = orNotFound(DELIVERY_FLOW.find((row) => row.action === action));
  const moved = await tryMove(deps, caller.id, { id, from, to, takenAt });
  if (!moved) return refuseStep(deps, caller, id, action);
  deps.wake('events');
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
      const { orderId, price } = moved;
      await notifyDelivered(tx, moved.step);
      const lines = linesOfDelivery({ duberId, price });
      await writeLedgerEntry(tx, { kind: 'delivered', orderId, deliveryId: step.id, at, lines });
      return moved;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'deliveries_one_active') refuse('alreadyBusy');
    throw error;
  }
}

async function refuseStep(deps: Context, caller: DuberCaller, id: string, action: DeliveryAction): Promise<never> {
  const taking = action === 'accept-delivery';
  const delivery = await findDelivery(deps.db, caller, id);
  if (!delivery) return refuseUnreadable(deps, id, taking);
  const verdict = checkTransition(DELIVERY_FLOW, action, delivery.status, caller.role);
  // It still waits, so it was this Duber who could not take it.
  if (taking && verdict.ok) refuse('alreadyBusy');
  return refuseWrongStatus(delivery, taking);
}

// Somebody else's delivery and none at all read the same, except to a Duber who came too late for it.
async function refuseUnreadable({ db }: Context, id: string, taking: boolean): Promise<never> {
  if (taking && (await deliveryExists(db, id))) refuse('alreadyAccepted');
  refuse('notFound');
}

function refuseWrongStatus({ status }: DeliveryRow, taking: boolean): never {
  if (taking) refuse('alreadyAccepted');
  refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
}
