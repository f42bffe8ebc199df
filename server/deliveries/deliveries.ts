import { TAKEN_AT_HEADER } from '../../contract/call.ts';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { Caller, DuberId } from '../../domain/accounts.ts';
import { DELIVERY_FLOW, type DeliveryAction } from '../../domain/deliveries.ts';
import { linesOfDelivery } from '../../domain/ledger.ts';
import { decide } from '../../domain/workflow.ts';
import type { Deps } from '../context.ts';
import type { DeliveryRow } from '../db/columns.sql.ts';
import { brokenConstraint, transact } from '../db/database.ts';
import { announceArrival } from '../events/publish.ts';
import { found, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { writeEntry } from '../payments/ledger.sql.ts';
import {
  deliveriesNearby,
  deliveryExists,
  findDelivery,
  listDeliveries,
  type Move,
  type Moved,
  moveDelivery,
  showDelivery,
} from './deliveries.sql.ts';

type Duber = Extract<Caller, { role: 'Duber' }>;
type StepAsked = { caller: Duber; params: { id: string }; takenAt: Date | undefined };
type Wanted = { readonly id: string; readonly action: DeliveryAction; readonly takenAt: Date | null };
type DeliveryCalls = Pick<Handlers, 'listDeliveries' | 'findDeliveriesNearby' | 'readDelivery' | DeliveryAction>;

const HALF_A_PLACE = 'latitude and longitude go together';

export function deliveryHandlers(deps: Deps): DeliveryCalls {
  const { now } = deps;
  const steps = Object.fromEntries(
    DELIVERY_FLOW.map(({ action }) => [
      action,
      ({ caller, params, takenAt }: StepAsked) =>
        takeStep(deps, caller, { id: params.id, action, takenAt: checkTakenAt(takenAt, now()) }),
    ]),
  ) as unknown as Pick<Handlers, DeliveryAction>;
  return {
    ...steps,
    listDeliveries: ({ caller, query }) => listDeliveries(caller, query, now()),
    findDeliveriesNearby: ({ caller, query }) => {
      const { latitude, longitude } = query;
      if (latitude === undefined && longitude !== undefined) refuseProperty('latitude', 'isPair', HALF_A_PLACE);
      if (latitude !== undefined && longitude === undefined) refuseProperty('longitude', 'isPair', HALF_A_PLACE);
      const point = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
      const { addressId, maxDistanceMeters: radius } = query;
      return deliveriesNearby(caller.id, { addressId, point, radius }, now());
    },
    readDelivery: ({ caller, params }) => showDelivery(caller, params.id, now()),
  };
}

const TAKEN_AT_MOST_MS = 24 * 60 * 60 * 1000;
/** Clocks of devices are a little wrong. */
const CLOCKS_DIFFER_MS = 5 * 60 * 1000;

/** When a device took a step that it sends only now: at most a day ago, and never in the future. */
function checkTakenAt(takenAt: Date | undefined, now: Date): Date | null {
  if (takenAt === undefined) return null;
  const agoMs = now.getTime() - takenAt.getTime();
  if (agoMs < -CLOCKS_DIFFER_MS)
    refuseProperty(TAKEN_AT_HEADER, 'isPast', `${TAKEN_AT_HEADER} must not lie in the future`);
  if (agoMs > TAKEN_AT_MOST_MS)
    refuseProperty(TAKEN_AT_HEADER, 'isRecent', `${TAKEN_AT_HEADER} must not be more than 24 hours ago`);
  return agoMs < 0 ? now : takenAt;
}

/**
 * One step of DELIVERY_FLOW. All five share it; only taking a pending delivery has refusals of its own. The step is tried
 * first, and only one that was not taken is asked why: hardly any is.
 */
async function takeStep(deps: Deps, caller: Duber, { id, action, takenAt }: Wanted): Promise<DeliveryStep> {
  const { from, to } = found(DELIVERY_FLOW.find((row) => row.action === action));
  const moved = await move(deps, caller.id, { id, from, to, takenAt });
  if (!moved) return refuseStep(deps, caller, id, action);
  deps.nudge('events');
  return moved.step;
}

async function move({ db, now }: Deps, duberId: DuberId, step: Move): Promise<Moved | undefined> {
  const at = now();
  try {
    if (step.to !== 'Delivered') return await moveDelivery(db, duberId, step, at);
    return await transact(db, async (tx) => {
      const moved = await moveDelivery(tx, duberId, step, at);
      if (!moved) return undefined;
      const { orderId, price } = moved;
      await announceArrival(tx, moved.step);
      const lines = linesOfDelivery({ duberId, price });
      await writeEntry(tx, { kind: 'delivered', orderId, deliveryId: step.id, at, lines });
      return moved;
    });
  } catch (error) {
    if (brokenConstraint(error) === 'deliveries_one_active') refuse('alreadyBusy');
    throw error;
  }
}

async function refuseStep(deps: Deps, caller: Duber, id: string, action: DeliveryAction): Promise<never> {
  const taking = action === 'accept-delivery';
  const delivery = await findDelivery(deps.db, caller, id);
  if (!delivery) return refuseUnread(deps, id, taking);
  const verdict = decide(DELIVERY_FLOW, action, delivery.status, caller.role);
  // It still waits, so it was this Duber who could not take it.
  if (taking && verdict.ok) refuse('alreadyBusy');
  return refuseStatus(delivery, taking);
}

// Somebody else's delivery and none at all read the same, except to a Duber who came too late for it.
async function refuseUnread({ db }: Deps, id: string, taking: boolean): Promise<never> {
  if (taking && (await deliveryExists(db, id))) refuse('alreadyAccepted');
  refuse('notFound');
}

function refuseStatus({ status }: DeliveryRow, taking: boolean): never {
  if (taking) refuse('alreadyAccepted');
  refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
}
