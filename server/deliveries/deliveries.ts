import { TAKEN_AT_HEADER } from '../../contract/call.ts';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import type { Caller } from '../../domain/accounts.ts';
import type { DeliveryAction, DeliveryExceptionAction } from '../../domain/deliveries.ts';
import { DUBER_SEARCH_RADIUS_M } from '../../domain/places.ts';
import { DELIVERY_CALL_ROWS, DELIVERY_EXCEPTION_ROWS } from '../../domain/process/delivery.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import type { DeliveryRow } from '../db/columns.sql.ts';
import { type Tx, withConnection } from '../db/database.ts';
import { refuseNull } from '../db/query.sql.ts';
import { publishNewDelivery } from '../events/publish.ts';
import { checkProof, type ProofReport } from '../handovers/proofs.ts';
import type { DuberCaller } from '../handovers/stepHandover.ts';
import { orNotFound, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { findAnswer } from '../process/requests.ts';
import { keyedStep } from '../process/takeStep.ts';
import {
  findDeliveriesNearby,
  findDelivery,
  insertDelivery,
  listDeliveries,
  type NewDelivery,
  readDeliveryJson,
} from './deliveries.sql.ts';
import type { DeliveryStepRequest, TakenDeliveryStep } from './facts.ts';
import { takeDeliveryStep } from './steps.ts';

type StepInput = {
  caller: { id: string; role: 'Bud' | 'Duber' };
  params: { id: string };
  /** Only of steps that are not planned. */
  body?: Pick<DeliveryStepRequest, 'reason' | 'words' | 'fileIds' | 'place'> & ProofReport;
  takenAt: Date | undefined;
  idempotencyKey: string | undefined;
};
type ProofInput = {
  caller: DuberCaller;
  params: { id: string };
  body: ProofReport;
  takenAt: Date | undefined;
  idempotencyKey: string | undefined;
};
type StepAction = DeliveryAction | DeliveryExceptionAction;
type DeliveryCalls = Pick<
  Handlers,
  'listDeliveries' | 'findDeliveriesNearby' | 'readDelivery' | 'collectWithProof' | 'deliverWithProof' | StepAction
>;

const INCOMPLETE_POINT_MESSAGE = 'latitude and longitude go together';
const FAR_POINT_MESSAGE = `Search within ${DUBER_SEARCH_RADIUS_M / 1000} km of your address`;

export function deliveryHandlers(context: Context): DeliveryCalls {
  const { now } = context;
  const planned = DELIVERY_CALL_ROWS.map(({ action }) => [
    action,
    async (input: StepInput) => toStep(await takeCalledStep(context, action, input)),
  ]);
  const exceptions = DELIVERY_EXCEPTION_ROWS.map(({ action }) => [
    action,
    async (input: StepInput) => {
      const { takenAt: _takenAt, ...answer } = await takeCalledStep(context, action, input);
      return answer;
    },
  ]);
  const steps = Object.fromEntries([...planned, ...exceptions]) as unknown as Pick<Handlers, StepAction>;
  return {
    ...steps,
    collectWithProof: (input) => takeStepWithProof(context, 'collected', input),
    deliverWithProof: (input) => takeStepWithProof(context, 'delivered', input),
    listDeliveries: ({ caller, query }) => listDeliveries(caller, query, now()),
    findDeliveriesNearby: ({ caller, query }) => {
      const { latitude, longitude } = query;
      if (latitude === undefined && longitude !== undefined)
        refuseProperty('latitude', 'isPair', INCOMPLETE_POINT_MESSAGE);
      if (latitude !== undefined && longitude === undefined)
        refuseProperty('longitude', 'isPair', INCOMPLETE_POINT_MESSAGE);
      const point = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
      const { addressId, maxDistanceMeters: radius, limit, fields } = query;
      const search = findDeliveriesNearby(caller.id, { addressId, point, radius, limit, fields }, now());
      return refuseNull(search, () => refuseProperty('latitude', 'isNear', FAR_POINT_MESSAGE));
    },
    readDelivery: ({ caller, params }) => readDeliveryJson(caller, params.id, now()),
  };
}

/** Takes the step of a call. */
async function takeCalledStep(
  context: Context,
  action: StepAction,
  { caller, params: { id }, body = {}, takenAt, idempotencyKey }: StepInput,
): Promise<TakenDeliveryStep> {
  const { reason, words, fileIds, place } = body;
  const requestKey = requestKeyOf(caller.id, idempotencyKey);
  return takeDeliveryStep(context, caller, {
    ...{ id, action, reason, words, fileIds, place, requestKey },
    takenAt: checkTakenAt(takenAt, context.now()),
    handover:
      action === 'brought-back' && caller.role === 'Duber'
        ? await checkProof(context, caller as DuberCaller, { deliveryId: id, action, report: body, requestKey })
        : undefined,
  });
}

/** The answer to a planned step. */
export const toStep = ({ status, createdAt, takenAt, deliveryId }: TakenDeliveryStep): DeliveryStep => ({
  ...{ status, createdAt, takenAt, deliveryId },
});

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

/** Takes the step with its proof. A step that is not open now gets the answer that it has without a proof. */
function takeStepWithProof(
  context: Context,
  action: 'collected' | 'delivered',
  { caller, params: { id }, body, takenAt, idempotencyKey }: ProofInput,
): Promise<DeliveryStep> {
  const { db, now } = context;
  return withConnection(db, async (connected) => {
    const connectedContext = { ...context, db: connected };
    const requestKey = requestKeyOf(caller.id, idempotencyKey);
    // Its PIN has been replaced since, so it is not judged again.
    const before = await findAnswer<TakenDeliveryStep>(connected, keyedStep(caller, { id, action, requestKey }));
    if (before) return toStep(before);
    const sentLater = checkTakenAt(takenAt, now());
    const handover = await checkProof(connectedContext, caller, { deliveryId: id, action, report: body, requestKey });
    const step = { id, action, requestKey, takenAt: sentLater, handover };
    return toStep(await takeDeliveryStep(connectedContext, caller, step));
  });
}
