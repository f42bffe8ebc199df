import { type Answer, TAKEN_AT_HEADER } from '../contract/call.ts';
import type { DeliveryStep, listDeliveries as listCall, NearbyDelivery } from '../contract/deliveries.ts';
import type { Caller, DuberId } from '../domain/accounts.ts';
import { DELIVERY_FLOW, type DeliveryAction } from '../domain/deliveries.ts';
import { linesOfDelivery } from '../domain/ledger.ts';
import { decide } from '../domain/workflow.ts';
import { brokenConstraint, transact } from './database.ts';
import {
  deliveriesNearby,
  deliveryExists,
  findDelivery,
  isBusy,
  listDeliveries,
  moveDelivery,
  showDelivery,
} from './deliveries.sql.ts';
import type { Deps } from './deps.ts';
import { announceDelivery } from './events/announce.ts';
import { writeEntry } from './payments/ledger.sql.ts';
import { found, refuse, refuseProperty } from './refuse.ts';
import type { DeliveryRow } from './rows.sql.ts';
import type { Handlers } from './serve.ts';

type Duber = Extract<Caller, { role: 'Duber' }>;
type StepAsked = { caller: Duber; params: { id: string }; takenAt: Date | undefined };
type Wanted = { readonly id: string; readonly action: DeliveryAction; readonly takenAt: Date | null };
type DeliveryCalls = Pick<Handlers, 'listDeliveries' | 'findDeliveriesNearby' | 'readDelivery' | DeliveryAction>;

const HALF_A_PLACE = 'latitude and longitude go together';

export function deliveryHandlers(deps: Deps): DeliveryCalls {
  const { db, now } = deps;
  const steps = Object.fromEntries(
    DELIVERY_FLOW.map(({ action }) => [
      action,
      ({ caller, params, takenAt }: StepAsked) =>
        takeStep(deps, caller, { id: params.id, action, takenAt: checkTakenAt(takenAt, now()) }),
    ]),
  ) as unknown as Pick<Handlers, DeliveryAction>;
  return {
    ...steps,
    listDeliveries: ({ caller, query }) => listDeliveries(db, caller, query, now()),
    findDeliveriesNearby: async ({ caller, query }) => {
      const { latitude, longitude } = query;
      if (latitude === undefined && longitude !== undefined) refuseProperty('latitude', 'isPair', HALF_A_PLACE);
      if (latitude !== undefined && longitude === undefined) refuseProperty('longitude', 'isPair', HALF_A_PLACE);
      const point = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
      const { addressId, maxDistanceMeters: radius } = query;
      return found(await deliveriesNearby(db, caller.id, { addressId, point, radius }, now()));
    },
    readDelivery: async ({ caller, params }) => found(await showDelivery(db, caller, params.id, now())),
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

/** One step of DELIVERY_FLOW. All five share it; only taking a pending delivery has refusals of its own. */
async function takeStep(deps: Deps, caller: Duber, { id, action, takenAt }: Wanted): Promise<DeliveryStep> {
  const { db } = deps;
  const taking = action === 'accept-delivery';
  const delivery = await findDelivery(db, caller, id);
  if (!delivery) return refuseUnread(deps, id, taking);
  const { status } = delivery;
  const verdict = decide(DELIVERY_FLOW, action, status, caller.role);
  if (!verdict.ok) return refuseStatus(delivery, taking);
  if (taking && (await isBusy(db, caller.id))) refuse('alreadyBusy');
  const step = await move(deps, caller.id, delivery, { id, from: status, to: verdict.to, takenAt });
  if (step) {
    deps.nudge('events');
    return step;
  }
  if (taking) refuse('alreadyAccepted');
  return refuseStatus(found(await findDelivery(db, caller, id)), taking);
}

type Move = Parameters<typeof moveDelivery>[2];

async function move({ db, now }: Deps, duberId: DuberId, delivery: DeliveryRow, step: Move) {
  const { orderId, id: deliveryId, price, pickup } = delivery;
  try {
    return await transact(db, async (tx) => {
      const at = now();
      const moved = await moveDelivery(tx, duberId, step, at);
      if (moved) await announceDelivery(tx, moved, step.from === 'Pending' ? pickup : undefined);
      if (moved && step.to === 'Delivered') {
        await writeEntry(tx, {
          kind: 'delivered',
          orderId,
          deliveryId,
          at,
          lines: linesOfDelivery({ duberId, price }),
        });
      }
      return moved;
    });
  } catch (error) {
    if (brokenConstraint(error) === 'deliveries_one_active') refuse('alreadyBusy');
    throw error;
  }
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
