import type { Custody, Handover } from '../../contract/handovers.ts';
import type { Caller } from '../../domain/accounts.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import { listBags } from './bags.sql.ts';
import { countBags } from './countBags.ts';
import {
  type CustodyOrder,
  findCustodyOrder,
  type HandoverRow,
  listArrivingDeliveries,
  listHandovers,
} from './handovers.sql.ts';
import { findOrMakePin } from './pins.ts';
import type { NewHandover } from './recordHandover.ts';

type Party = Exclude<Caller, { role: 'Duber' }>;

/** Who has the laundry of an order, as the caller sees it. Refuses with 404 when they take no part in it. */
export async function readCustody(tx: Tx, caller: Caller, orderId: string, now: Date): Promise<Custody> {
  const order = orNotFound(await findCustodyOrder(tx, caller, orderId, now));
  const handovers = await listHandovers(tx, caller, orderId, now);
  const last = handovers.at(-1);
  return {
    orderId,
    holder: last ? takerOf(last) : { role: 'Bud', id: order.budId, fullname: order.budName },
    since: last ? (last.takenAt ?? last.at).toISOString() : null,
    bags: countBags(handovers),
    handovers: handovers.map(toAnswer),
    leaveAtDoor: order.leaveAtDoor,
    isPinBlocked: false,
    ...(caller.role === 'Duber'
      ? { canConfirm: false, pin: null, tags: [] }
      : await readOwnPart(tx, caller, { order, last }, now)),
  };
}

type OwnPart = { readonly order: CustodyOrder; readonly last: HandoverRow | undefined };

/** What only the Bud and the Scrub see: a Duber proves by the PIN and the codes that they know them from somebody else. */
async function readOwnPart(tx: Tx, caller: Party, { order, last }: OwnPart, now: Date) {
  const hasNext = await findNextHandover(tx, caller, { order, last });
  const isOwn = last?.takerId === caller.id && last.takesBack === null;
  const isWaiting = isOwn && last.confirmedAt === null && last.proof !== 'taker-pressed';
  // Two Dubers may have laundry of one order: who has it last is not always the one who brings it here.
  const mayNeedPin = needsPin(order, caller) || (await listArrivingDeliveries(tx, caller, order.id)).length > 0;
  const pin = mayNeedPin ? await findOrMakePin(tx, order.id, caller.role, now) : undefined;
  return {
    canConfirm: isWaiting || hasNext !== undefined,
    pin: pin && !pin.isBlocked ? pin.pin : null,
    isPinBlocked: pin?.isBlocked ?? false,
    tags: (await listBags(tx, order.id)).map(({ code, n }) => ({ code, n })),
  };
}

/** Each has a PIN to say while a Duber has the laundry, or will bring it to them later. */
function needsPin(
  { status, holderRole: holder, isBroughtByBud, isFetchedByBud, isBroughtHome }: CustodyOrder,
  { role }: Party,
): boolean {
  if (holder === 'Duber' || (isBroughtHome && role === 'Bud')) return true;
  if (role === 'Scrub') return holder === 'Bud' && !isBroughtByBud && IS_WITH_SCRUB.includes(status);
  return !isFetchedByBud && (holder === 'Scrub' || IS_WITH_SCRUB.includes(status));
}

/** The hand-over that the caller can make by saying that they have the laundry; undefined when nobody brings it now. */
export async function findNextHandover(
  tx: Tx,
  caller: Party,
  { order, last }: OwnPart,
): Promise<NewHandover | undefined> {
  const recipient = { role: caller.role, id: caller.id };
  const holder = order.holderRole;
  // A Duber whose delivery was called off on the way may still bring it.
  const isStranded = holder === 'Duber' && !order.isCarried;
  const comesFrom = (giver: Party['role']) => holder === giver || isStranded;
  if (caller.role === 'Scrub' && comesFrom('Bud') && order.isBroughtByBud && IS_WITH_SCRUB.includes(order.status))
    return { orderId: order.id, recipient };
  if (caller.role === 'Bud' && comesFrom('Scrub') && order.isFetchedByBud && order.status === 'Completed')
    return { orderId: order.id, recipient };
  // The Bud of a cancelled order fetches the laundry from the person who has it, if no Duber brings it.
  if (caller.role === 'Bud' && holder !== 'Bud' && order.status === 'Cancelled' && !order.isBroughtHome)
    return { orderId: order.id, recipient };
  if (holder !== 'Duber') return undefined;
  const arriving = await listArrivingDeliveries(tx, caller, order.id);
  const delivery = arriving.find(({ duberId }) => duberId === last?.takerId);
  return delivery && { orderId: order.id, delivery, recipient };
}

const IS_WITH_SCRUB: readonly OrderStatus[] = ['Accepted', 'In_Progress'];

const takerOf = ({ takerRole, takerId, takerName }: HandoverRow) => ({
  role: takerRole,
  id: takerId,
  fullname: takerName,
});

function toAnswer(row: HandoverRow): Handover {
  const { position, giverRole, giverId, giverName, deliveryId, bags, proof, takesBack, fileIds, takenAt, at } = row;
  const { confirmedBags, confirmedAt } = row;
  return {
    position,
    giver: { role: giverRole, id: giverId, fullname: giverName },
    taker: takerOf(row),
    deliveryId,
    ...{ bags, proof, takesBack, fileIds },
    confirmed:
      confirmedBags !== null && confirmedAt !== null ? { bags: confirmedBags, at: confirmedAt.toISOString() } : null,
    takenAt: takenAt?.toISOString() ?? null,
    at: at.toISOString(),
  };
}
