import { v4 as newKey } from 'uuid';
import { CallFailed } from '../../../contract/callClient.ts';
import { DAY_MS } from '../../../domain/durations.ts';
import type { Random } from '../../../sandbox/city/random.ts';
import { drawOrder, isTimeToOrder } from './bud.ts';
import { TIMES } from './times.ts';
import {
  isPlayedByVisitor,
  isSkipped,
  type Neighbour,
  type Resident,
  receive,
  skipForAWhile,
  type Town,
  tryStep,
} from './town.ts';

// Square's test token for a card that is accepted.
const CARD = 'cnon:card-nonce-ok';
const OPEN = JSON.stringify([{ field: 'status', operator: 'in', value: ['Requested', 'Accepted', 'In_Progress'] }]);
const AT_THE_DOOR = JSON.stringify([
  { field: 'status', operator: 'eq', value: 'Way_To_Drop' },
  { field: 'deliveryType', operator: 'eq', value: 'Scrub_To_Bud' },
]);

export type BudTurnOptions = {
  readonly random: Random;
  readonly buds: readonly Neighbour[];
  /** Whom they order from. */
  readonly scrubs: readonly Neighbour[];
  readonly signIn: (neighbour: Neighbour) => Promise<Resident>;
};

/** The Buds among the neighbours place an order now and then. Returns in how many milliseconds to take the next turn. */
export function createBudTurn(options: BudTurnOptions): (town: Town) => Promise<number> {
  const { buds } = options;
  let placedAt: number[] = [];

  async function takeTurn(town: Town): Promise<number> {
    const pause = TIMES.poll.Bud / town.pace;
    const now = town.now();
    await receiveAll(buds, town);
    placedAt = placedAt.filter((at) => now - at < DAY_MS);
    const sight = { now, pace: town.pace, visitedAt: town.visits.lastActAt(), placedAt };
    // Before asking the server, which knows what is open.
    if (!isTimeToOrder({ ...sight, openSince: [] })) return pause;
    if (!isTimeToOrder({ ...sight, openSince: await listOpen(buds, town) })) return pause;
    const order = await prepareOrder(options, town);
    if (!order) return pause;
    placedAt.push(now);
    await order.api.placeOrder({ body: order.body, idempotencyKey: newKey() });
    return pause;
  }

  return (town) =>
    takeTurn(town).catch((error: unknown) => {
      // A Bud whose session has ended signs in again for the next order.
      if (error instanceof CallFailed && error.statusCode === 401) for (const bud of buds) bud.resident = undefined;
      throw error;
    });
}

/** Confirms deliveries that the Duber may not complete alone. */
async function receiveAll(buds: readonly Neighbour[], town: Town): Promise<void> {
  for (const { resident } of buds) {
    if (!resident || isPlayedByVisitor(town, resident)) continue;
    const query = { filters: AT_THE_DOOR, pageSize: '1', fields: ['orderId', 'duberId', 'statusHistory'] as const };
    const [delivery] = (await resident.api.listDeliveries({ query })).data.items;
    const at = Date.parse(delivery?.statusHistory.at(-1)?.createdAt ?? '');
    if (!delivery?.duberId || !town.isNeighbour(delivery.duberId) || isSkipped(town, delivery.orderId)) continue;
    if (town.now() < at + TIMES.receive.to / town.pace) continue;
    await tryStep(town, delivery.orderId, () => receive(resident, delivery.orderId));
    skipForAWhile(town, delivery.orderId);
  }
}

/** When the open orders of the Buds were placed. */
async function listOpen(buds: readonly Neighbour[], town: Town): Promise<number[]> {
  const open: number[] = [];
  // Only those who were here: the others have no order that is open since this start.
  for (const { resident } of buds) {
    if (!resident) continue;
    const query = { filters: OPEN, pageSize: '10', fields: ['createdAt'] as const };
    const { items } = (await resident.api.listOrders({ query })).data;
    open.push(...items.map(({ createdAt }) => Date.parse(createdAt)).filter((at) => at >= town.since));
  }
  return open;
}

/** Draws an order and signs its Bud in. Undefined when there is nobody who can order or be ordered from. */
async function prepareOrder({ random, buds, scrubs, signIn }: BudTurnOptions, town: Town) {
  const free = scrubs.filter(({ resident }) => resident && !isPlayedByVisitor(town, resident));
  const draft = drawOrder(
    random,
    buds.map(({ person }) => person.email),
    free.map(({ person }) => person.email),
  );
  const bud = draft && findByEmail(buds, draft.bud);
  const scrub = draft && findByEmail(free, draft.scrub)?.resident;
  if (!draft || !bud || !scrub) return undefined;
  const { id, home, api } = await signIn(bud);
  if (town.visits.isHere(id)) return undefined;
  const { loadSize, orderInstructions } = draft;
  const body = {
    ...{ budAddressId: home.id, scrubId: scrub.id, loadSize, paymentSourceId: CARD },
    ...(orderInstructions ? { orderInstructions } : {}),
  };
  return { api, body };
}

const findByEmail = (neighbours: readonly Neighbour[], email: string) =>
  neighbours.find(({ person }) => person.email === email);
