import { pointAlong } from '../../../city/driving.ts';
import { ACTIVE_STATUSES } from '../../../domain/deliveries.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import type { Point } from '../../../domain/places.ts';
import { type DuberAct, type DuberDelivery, planDelivery, planOffer } from './duber.ts';
import { TIMES } from './times.ts';
import { type DuberRoute, isPlayedByVisitor, isSkipped, type Resident, type Town, tryStep } from './town.ts';

const ACTIVE = JSON.stringify([{ field: 'status', operator: 'in', value: ACTIVE_STATUSES }]);
const DELIVERY_FIELDS = ['status', 'statusHistory.createdAt', 'order.loadSize'] as const;
const OFFER_FIELDS = ['delivery.id', 'delivery.statusHistory.createdAt', 'scrubId'] as const;
const BAGS: Partial<Record<OrderSize, number>> = { Small: 1, Medium: 2 };
const MANY_BAGS = 3;

type OwnDelivery = DuberDelivery & { readonly order: { readonly loadSize: OrderSize } };

/** The turns of a Duber, which remember their position. Returns in how many milliseconds to take the next turn. */
export function createDuberTurn(): (duber: Resident, town: Town) => Promise<number> {
  let place: Point | undefined;
  let way: DuberRoute | undefined;
  let isFree = false;

  async function findOwnDelivery({ api }: Resident): Promise<OwnDelivery | undefined> {
    const query = { filters: ACTIVE, pageSize: '1', fields: DELIVERY_FIELDS };
    return (await api.listDeliveries({ query })).data.items[0];
  }

  async function findOffer(duber: Resident, town: Town): Promise<number> {
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
    isFree = false;
    await tryStep(town, next.deliveryId, () => duber.api['accept-delivery']({ params: { id: next.deliveryId } }));
    return 0;
  }

  const share = ({ api }: Resident, { id }: DuberDelivery, { latitude, longitude }: Point) => {
    place = { latitude, longitude };
    return api.sharePosition({ params: { id }, body: { latitude, longitude } });
  };

  async function setOff(duber: Resident, town: Town, delivery: OwnDelivery): Promise<void> {
    const line = await chooseLine(duber, delivery);
    await share(duber, delivery, line[0]);
    way = { deliveryId: delivery.id, status: delivery.status, startedAt: town.now(), line };
  }

  async function chooseLine(duber: Resident, delivery: OwnDelivery): Promise<DuberRoute['line']> {
    const params = { id: delivery.id };
    const { leg, ahead } = await duber.api.readRoute({ params });
    const isBack = delivery.status !== 'Way_To_Drop';
    // After a restart they go on from where they were seen last.
    if (!place && ahead) return toLine(ahead.line);
    if (!isBack) return toLine(leg.line);
    const from = place ?? duber.home;
    await share(duber, delivery, from);
    const route = await duber.api.readRoute({ params });
    return toLine(route.ahead?.line ?? [from, ...leg.line.slice(0, 1)]);
  }

  async function act(duber: Resident, delivery: OwnDelivery, step: DuberAct): Promise<void> {
    const { api } = duber;
    const params = { id: delivery.id };
    const end = way?.line.at(-1);
    // Once they have arrived, they share no position.
    if (way?.deliveryId === delivery.id && end) await share(duber, delivery, end);
    way = undefined;
    const bags = BAGS[delivery.order.loadSize] ?? MANY_BAGS;
    if (step === 'collect') await api.collectWithProof({ params, body: { bags } });
    else if (step === 'deliver') await api.delivered({ params });
    else await api[step]({ params });
  }

  return async (duber, town) => {
    const pause = TIMES.poll.Duber / town.pace;
    if (isPlayedByVisitor(town, duber)) {
      isFree = false;
      return pause;
    }
    const delivery = isFree ? undefined : await findOwnDelivery(duber);
    isFree = delivery === undefined;
    if (!delivery) return findOffer(duber, town);
    if (isSkipped(town, delivery.id)) return pause;
    const plan = planDelivery(delivery, way, { now: town.now(), pace: town.pace });
    if (!plan) return pause;
    if (plan.act === 'set-off') {
      await setOff(duber, town, delivery);
      return TIMES.position / town.pace;
    }
    if (plan.act === 'drive') {
      if (way) await share(duber, delivery, pointAlong(way.line, plan.fraction));
      return TIMES.position / town.pace;
    }
    const wait = plan.at - town.now();
    if (wait > 0) return Math.min(pause, wait);
    await tryStep(town, delivery.id, () => act(duber, delivery, plan.act));
    return 0;
  };
}

function toLine(points: readonly Point[]): DuberRoute['line'] {
  const [first, ...rest] = points;
  if (!first) throw new Error('a route has no point');
  return [first, ...rest];
}
