import { pointAlong } from '../../../city/driving.ts';
import { ACTIVE_STATUSES, isAhead, MAX_AHEAD } from '../../../domain/deliveries.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import type { Point } from '../../../domain/places.ts';
import { type DuberAct, type DuberDelivery, planDelivery, planOffer } from './duber.ts';
import { TIMES } from './times.ts';
import { type DuberRoute, isPlayedByVisitor, isSkipped, type Resident, type Town, tryStep } from './town.ts';

const ACTIVE = JSON.stringify([{ field: 'status', operator: 'in', value: ACTIVE_STATUSES }]);
const DELIVERY_FIELDS = ['status', 'statusHistory.createdAt', 'order.loadSize', 'window'] as const;
const OFFER_FIELDS = ['delivery.id', 'delivery.statusHistory.createdAt', 'scrubId'] as const;
const BAGS: Partial<Record<OrderSize, number>> = { Small: 1, Medium: 2 };
const MANY_BAGS = 3;

type OwnDelivery = DuberDelivery & {
  readonly order: { readonly loadSize: OrderSize };
  readonly window?: { readonly from: string } | undefined;
};

/** What a Duber remembers from turn to turn. */
type Memory = { place: Point | undefined; way: DuberRoute | undefined; isFree: boolean };
type Turn = { readonly duber: Resident; readonly town: Town; readonly memory: Memory };

/** The turns of a Duber, which remember their position. Returns in how many milliseconds to take the next turn. */
export function createDuberTurn(): (duber: Resident, town: Town) => Promise<number> {
  const memory: Memory = { place: undefined, way: undefined, isFree: false };
  return (duber, town) => takeTurn({ duber, town, memory });
}

async function takeTurn(turn: Turn): Promise<number> {
  const { duber, town, memory } = turn;
  const pause = TIMES.poll.Duber / town.pace;
  if (isPlayedByVisitor(town, duber)) {
    memory.isFree = false;
    return pause;
  }
  const own = memory.isFree ? [] : await listOwnDeliveries(duber);
  memory.isFree = own.length === 0;
  const delivery = own.find((one) => !isAhead(one)) ?? own.find((one) => isDue(one, town.now()));
  if (!delivery) return takeOffer(turn);
  if (isSkipped(town, delivery.id)) return pause;
  const plan = planDelivery(delivery, memory.way, { now: town.now(), pace: town.pace });
  if (!plan) return pause;
  if (plan.act === 'set-off') {
    await setOff(turn, delivery);
    return TIMES.position / town.pace;
  }
  if (plan.act === 'drive') {
    if (memory.way) await share(turn, delivery, pointAlong(memory.way.line, plan.fraction));
    return TIMES.position / town.pace;
  }
  const wait = plan.at - town.now();
  if (wait > 0) return Math.min(pause, wait);
  await tryStep(town, delivery.id, () => act(turn, delivery, plan.act));
  return 0;
}

async function listOwnDeliveries({ api }: Resident): Promise<readonly OwnDelivery[]> {
  const query = { filters: ACTIVE, pageSize: String(MAX_AHEAD + 1), fields: DELIVERY_FIELDS };
  return (await api.listDeliveries({ query })).data.items;
}

/** Whether the window of a delivery that was accepted ahead has begun. */
const isDue = ({ window }: OwnDelivery, now: number) => window !== undefined && Date.parse(window.from) <= now;

async function takeOffer({ duber, town, memory }: Turn): Promise<number> {
  const pause = TIMES.poll.Duber / town.pace;
  const query = { addressId: duber.home.id, fields: OFFER_FIELDS };
  const offers = (await duber.api.findDeliveriesNearby({ query })).map(({ delivery, scrubId }) => ({
    ...delivery,
    scrubId,
  }));
  const next = planOffer(
    offers.filter(({ id }) => !isSkipped(town, id)),
    duber.id,
    town,
  );
  if (!next) return pause;
  const wait = next.at - town.now();
  if (wait > 0) return Math.min(pause, wait);
  memory.isFree = false;
  await tryStep(town, next.deliveryId, () => duber.api['accept-delivery']({ params: { id: next.deliveryId } }));
  return 0;
}

function share({ duber, memory }: Turn, { id }: DuberDelivery, { latitude, longitude }: Point) {
  memory.place = { latitude, longitude };
  return duber.api.sharePosition({ params: { id }, body: { latitude, longitude } });
}

async function setOff(turn: Turn, delivery: OwnDelivery): Promise<void> {
  const line = await chooseLine(turn, delivery);
  await share(turn, delivery, line[0]);
  turn.memory.way = { deliveryId: delivery.id, status: delivery.status, startedAt: turn.town.now(), line };
}

async function chooseLine(turn: Turn, delivery: OwnDelivery): Promise<DuberRoute['line']> {
  const { duber, memory } = turn;
  const params = { id: delivery.id };
  const { leg, ahead } = await duber.api.readRoute({ params });
  const isBack = delivery.status !== 'Way_To_Drop';
  // After a restart they go on from where they were seen last.
  if (!memory.place && ahead) return toLine(ahead.line);
  if (!isBack) return toLine(leg.line);
  const from = memory.place ?? duber.home;
  await share(turn, delivery, from);
  const route = await duber.api.readRoute({ params });
  return toLine(route.ahead?.line ?? [from, ...leg.line.slice(0, 1)]);
}

async function act(turn: Turn, delivery: OwnDelivery, step: DuberAct): Promise<void> {
  const { duber, memory } = turn;
  const { api } = duber;
  const params = { id: delivery.id };
  const end = memory.way?.line.at(-1);
  // Once they have arrived, they share no position.
  if (memory.way?.deliveryId === delivery.id && end) await share(turn, delivery, end);
  memory.way = undefined;
  const bags = BAGS[delivery.order.loadSize] ?? MANY_BAGS;
  if (step === 'collect') await api.collectWithProof({ params, body: { bags } });
  else if (step === 'deliver') await api.delivered({ params });
  else await api[step]({ params });
}

function toLine(points: readonly Point[]): DuberRoute['line'] {
  const [first, ...rest] = points;
  if (!first) throw new Error('a route has no point');
  return [first, ...rest];
}
