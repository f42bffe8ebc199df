import type { Caller } from '../../domain/accounts.ts';
import { endCaseOfDelivery } from '../cases/steps.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, transactStep, withConnection } from '../db/database.ts';
import { publishOrderUpdate } from '../events/publish.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { bagHandlers } from './bags.ts';
import { findNextHandover, readCustody } from './custody.ts';
import { applyHandoverEffects } from './handoverEffects.ts';
import {
  type CustodyOrder,
  findCustodyOrder,
  type HandoverRow,
  insertConfirmation,
  listHandovers,
  lockOrder,
  setLeaveAtDoor,
} from './handovers.sql.ts';
import { recordHandover } from './recordHandover.ts';

type HandoverCalls = Pick<
  Handlers,
  'readCustody' | 'confirmReceived' | 'chooseLeaveAtDoor' | 'makeBags' | 'readBag' | 'readOwnBag'
>;
type Party = Exclude<Caller, { role: 'Duber' }>;

export function handoverHandlers(context: Context): HandoverCalls {
  const { db, now, wake } = context;
  return {
    ...bagHandlers(context),
    readCustody: ({ caller, params }) =>
      withConnection(db, (connected) => readCustody(connected, caller, params.id, now())),
    confirmReceived: async ({ caller, params, body }) => {
      const custody = await transactStep(db, async (tx) => {
        await confirmReceived(tx, caller, { orderId: params.id, bags: body.bags }, now());
        return readCustody(tx, caller, params.id, now());
      });
      wake('events');
      return custody;
    },
    chooseLeaveAtDoor: async ({ caller, params, body }) => {
      const custody = await transact(db, async (tx) => {
        const order = orNotFound(await findCustodyOrder(tx, caller, params.id, now()));
        if (await setLeaveAtDoor(tx, order.id, body.leaveAtDoor)) await publish(tx, order.id, now());
        return readCustody(tx, caller, params.id, now());
      });
      wake('events');
      return custody;
    },
  };
}

async function confirmReceived(
  tx: Tx,
  caller: Party,
  { orderId, bags }: { orderId: string; bags: number },
  now: Date,
): Promise<void> {
  const { id } = orNotFound(await findCustodyOrder(tx, caller, orderId, now));
  // Before its hand-overs, as steps of the order do: otherwise each could wait for the other.
  await lockOrder(tx, id);
  const order = orNotFound(await findCustodyOrder(tx, caller, id, now));
  const taken = await confirmOrTake(tx, caller, { order, bags }, now);
  if (!taken) return;
  const { scrubId } = order;
  const { deliveryId, isConfirmation } = taken;
  const facts = { orderId, deliveryId, scrubId, recipient: caller.role, bags, isConfirmation };
  await applyHandoverEffects(tx, taken, facts, now);
  // Wrong PINs no longer matter, and what waits for their case is payable.
  if (deliveryId !== null) await endCaseOfDelivery(tx, { kind: 'wrong-pin', deliveryId }, 'confirmed', now);
  await publish(tx, order.id, now);
}

type Received = { readonly order: CustodyOrder; readonly bags: number };

/** Confirms the last hand-over if the caller received it; otherwise records the next one. Undefined if nothing changed. */
async function confirmOrTake(tx: Tx, caller: Party, { order, bags }: Received, now: Date) {
  const last = (await listHandovers(tx, caller, order.id, now)).at(-1);
  if (last?.takerId === caller.id) return confirm(tx, last, { order, bags, by: caller.id }, now);
  const next = await findNextHandover(tx, caller, { order, last });
  const report = { proof: 'taker-pressed', bags, place: null } as const;
  const handover = next && (await (await recordHandover(tx, { ...next, report }, now))());
  if (!next || !handover) return refuse('nothingHandedOver');
  return { ...handover, deliveryId: next.delivery?.id ?? null, isConfirmation: false };
}

async function confirm(
  tx: Tx,
  { position, deliveryId }: HandoverRow,
  { order, bags, by }: Received & { by: string },
  now: Date,
) {
  const isNew = await insertConfirmation(tx, { orderId: order.id, position, by, bags }, now);
  return isNew ? { position, deliveryId, isConfirmation: true } : undefined;
}

const publish = (tx: Tx, orderId: string, now: Date) =>
  publishOrderUpdate(tx, { orderId, createdAt: now.toISOString() });
