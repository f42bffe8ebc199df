import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallFailed } from '../../contract/client.ts';
import type { Order } from '../../contract/orders.ts';
import { DELIVERY_FLOW, type DeliveryStatus, isActiveStatus, legFor } from '../../domain/deliveries.ts';
import { ORDER_FLOW, type OrderStatus } from '../../domain/orders.ts';
import { createParticipants, orderBody, type Participants, REVIEW } from '../../testing/orderSteps.ts';
import { propertyRuns } from '../../testing/propertyRuns.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';

const MAX_ORDERS = 3;

/**
 * What one person tries: the indexes are taken modulo whatever there is. A keen one is the rightful person at the next
 * open row, as most people are; the others try anything.
 */
type Attempt =
  | { readonly do: 'place'; readonly bud: number; readonly scrub: number; readonly self: readonly [boolean, boolean] }
  | { readonly do: 'order'; readonly keen: boolean; readonly who: number; readonly order: number; readonly row: number }
  | {
      readonly do: 'delivery';
      readonly keen: boolean;
      readonly who: number;
      readonly order: number;
      readonly leg: number;
      readonly row: number;
    }
  | {
      readonly do: 'review';
      readonly keen: boolean;
      readonly who: number;
      readonly order: number;
      readonly leg: number;
    };

/** The model: what must be true, kept by the tables alone. */
type Leg = { id: string; type: string; status: DeliveryStatus; duber: TestUser | undefined; reviews: Set<string> };
type OrderModel = {
  id: string;
  bud: TestUser;
  scrub: TestUser;
  status: OrderStatus;
  history: OrderStatus[];
  self: { selfDelivery: boolean; selfPickup: boolean };
  legs: Leg[];
  reviews: Set<string>;
};

const smallIndex = fc.nat({ max: 11 });
const mostlyPlausible = fc.integer({ min: 0, max: 4 }).map((one) => one > 0);
const attempts: fc.Arbitrary<Attempt> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      bud: smallIndex,
      scrub: smallIndex,
      self: fc.tuple(fc.boolean(), fc.boolean()),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      keen: mostlyPlausible,
      who: smallIndex,
      order: smallIndex,
      row: smallIndex,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('delivery' as const),
      keen: mostlyPlausible,
      who: smallIndex,
      order: smallIndex,
      leg: smallIndex,
      row: smallIndex,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('review' as const),
      keen: mostlyPlausible,
      who: smallIndex,
      order: smallIndex,
      leg: smallIndex,
    }),
  },
);

const pick = <T>(list: readonly T[], place: number): T => list[place % list.length] as T;

describe.each(DATABASE_KINDS)('any sequence of tries by anybody, on %s', (kind) => {
  let world: TestServer;
  let casts: readonly [Participants, Participants];
  let people: readonly TestUser[];
  beforeAll(async () => {
    world = await openTestServer(kind);
    casts = [await createParticipants(world), await createParticipants(world)];
    people = casts.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]);
  });
  afterAll(() => world?.close());

  const statusOf = (call: Promise<unknown>): Promise<number> =>
    call.then(
      () => 200,
      (error: unknown) => {
        if (error instanceof CallFailed) return error.statusCode;
        throw error;
      },
    );

  async function place(orders: OrderModel[], one: Extract<Attempt, { do: 'place' }>): Promise<void> {
    const { bud } = pick(casts, one.bud);
    const { scrub } = pick(casts, one.scrub);
    const self = { selfDelivery: one.self[0], selfPickup: one.self[1] };
    const { id } = await bud.api.placeOrder({ body: orderBody({ bud, scrub }, self) });
    orders.push({ id, bud, scrub, self, status: 'Requested', history: ['Requested'], legs: [], reviews: new Set() });
  }

  async function stepOrder(order: OrderModel, who: TestUser, place: number): Promise<void> {
    const row = pick(ORDER_FLOW, place);
    const status = await statusOf(who.api[row.action]({ params: { id: order.id } }));
    const owner = row.by === 'Bud' ? order.bud : order.scrub;
    if (who.user.role !== row.by) return expect(status).toBe(403) as never;
    if (who !== owner) return expect(status).toBe(404) as never;
    if (order.status !== row.from) return expect(status).toBe(409) as never;
    expect(status).toBe(200);
    order.status = row.to;
    order.history.push(row.to);
    const type = legFor(row.to, order.self);
    if (!type) return;
    const { deliveries } = await order.bud.api.readOrder({ params: { id: order.id } });
    const id = deliveries.find(({ deliveryType }) => deliveryType === type)?.id ?? expect.fail(`no ${type} delivery`);
    order.legs.push({ id, type, status: 'Pending', duber: undefined, reviews: new Set() });
  }

  async function stepDelivery(orders: readonly OrderModel[], leg: Leg, who: TestUser, place: number): Promise<void> {
    const row = pick(DELIVERY_FLOW, place);
    const status = await statusOf(who.api[row.action]({ params: { id: leg.id } }));
    if (who.user.role !== 'Duber') return expect(status).toBe(403) as never;
    const busy = orders.some(({ legs }) => legs.some((one) => one.duber === who && isActiveStatus(one.status)));
    const taking = row.from === 'Pending';
    if (!taking && leg.duber && leg.duber !== who) return expect(status).toBe(404) as never;
    if (leg.status !== row.from || (taking && busy)) return expect(status).toBe(409) as never;
    expect(status).toBe(200);
    Object.assign(leg, { status: row.to, duber: who });
  }

  async function reviewOrder(order: OrderModel, who: TestUser): Promise<void> {
    const params = { id: order.id };
    const call =
      who.user.role === 'Bud'
        ? who.api.reviewToScrub({ params, body: { ...REVIEW, scrubId: order.scrub.user.id } })
        : who.api.reviewToBud({ params, body: { ...REVIEW, budId: order.bud.user.id } });
    expectReview(await statusOf(call), order, order.reviews, who, order.status === 'Completed');
  }

  async function reviewLeg(order: OrderModel, leg: Leg, who: TestUser): Promise<void> {
    const duberId = (leg.duber ?? casts[0].duber).user.id;
    const status = await statusOf(who.api.reviewToDuber({ params: { id: leg.id }, body: { ...REVIEW, duberId } }));
    expectReview(status, order, leg.reviews, who, leg.status === 'Delivered');
  }

  function expectReview(status: number, order: OrderModel, reviews: Set<string>, who: TestUser, ripe: boolean): void {
    if (who.user.role === 'Duber') expect(status).toBe(403);
    else if (who !== order.bud && who !== order.scrub) expect(status).toBe(404);
    else if (!ripe || reviews.has(who.user.role)) expect(status).toBe(409);
    else {
      expect(status).toBe(200);
      reviews.add(who.user.role);
    }
  }

  async function attempt(orders: OrderModel[], one: Attempt): Promise<void> {
    if (one.do === 'place') return orders.length < MAX_ORDERS ? place(orders, one) : undefined;
    const order = pick(orders, one.order);
    const who = pick(people, one.who);
    if (one.do === 'order') return one.keen ? keenOnOrder(order, one.row) : stepOrder(order, who, one.row);
    const leg = order.legs.length > 0 ? pick(order.legs, one.leg) : undefined;
    if (one.do === 'delivery') {
      if (!leg) return;
      const duber = leg.duber ?? pick(casts, one.who).duber;
      return one.keen ? keenOnLeg(orders, leg, duber) : stepDelivery(orders, leg, who, one.row);
    }
    const reviewer = one.keen ? pick([order.bud, order.scrub], one.who) : who;
    return leg && one.leg % 3 > 0 ? reviewLeg(order, leg, reviewer) : reviewOrder(order, reviewer);
  }

  async function keenOnOrder(order: OrderModel, place: number): Promise<void> {
    const open = ORDER_FLOW.filter((row) => row.from === order.status);
    // Most requests are accepted.
    const row = place % 4 > 0 ? open.find(({ by }) => by === 'Scrub') : open.at(place % open.length || 0);
    if (row) await stepOrder(order, row.by === 'Bud' ? order.bud : order.scrub, ORDER_FLOW.indexOf(row));
  }

  async function keenOnLeg(orders: readonly OrderModel[], leg: Leg, duber: TestUser): Promise<void> {
    const row = DELIVERY_FLOW.find(({ from }) => from === leg.status);
    if (row) await stepDelivery(orders, leg, duber, DELIVERY_FLOW.indexOf(row));
  }

  /** What the server says of an order now is what the tables say. */
  async function compare(model: OrderModel): Promise<void> {
    const params = { id: model.id };
    const [asBud, asScrub] = await Promise.all([
      model.bud.api.readOrder({ params }),
      model.scrub.api.readOrder({ params }),
    ]);
    for (const order of [asBud, asScrub] satisfies Order[]) {
      expect(order.status).toBe(model.status);
      expect(order.statusHistory.map(({ status }) => status)).toEqual(model.history);
      const times = order.statusHistory.map(({ createdAt }) => createdAt);
      expect(times).toEqual(times.toSorted());
      expect(order.deliveries.map(({ id, status, duberId }) => [id, status, duberId])).toEqual(
        model.legs.map(({ id, status, duber }) => [id, status, duber?.user.id ?? null]),
      );
      for (const leg of order.deliveries) expect(leg.statusHistory.at(-1)?.status).toBe(leg.status);
      const written = model.reviews.size + model.legs.reduce((sum, { reviews }) => sum + reviews.size, 0);
      expect(order.reviews).toHaveLength(written);
      expect(new Set(order.reviews.map(({ type, deliveryId }) => `${type} ${deliveryId}`)).size).toBe(written);
    }
  }

  /** Each active delivery is brought home, so that the next run finds free Dubers. */
  async function settle(orders: readonly OrderModel[]): Promise<void> {
    for (const leg of orders.flatMap(({ legs }) => legs)) {
      for (const row of DELIVERY_FLOW) {
        if (leg.duber && leg.status === row.from)
          await stepDelivery(orders, leg, leg.duber, DELIVERY_FLOW.indexOf(row));
      }
    }
  }

  test('keeps to the tables: status and history, one active delivery a duber, one review a pair', async () => {
    const first: Attempt = { do: 'place', bud: 0, scrub: 0, self: [false, false] };
    const reached = new Set<string>();
    const run = fc.array(attempts, { minLength: 30, maxLength: 70 });
    await fc.assert(
      fc.asyncProperty(run, async (given) => {
        const orders: OrderModel[] = [];
        await attempt(orders, first);
        for (const one of given) await attempt(orders, one);
        for (const order of orders) await compare(order);
        for (const { duber } of casts) {
          const active = orders
            .flatMap(({ legs }) => legs)
            .filter((leg) => leg.duber === duber && isActiveStatus(leg.status));
          expect(active.length).toBeLessThanOrEqual(1);
          expect((await duber.api.duberDashboard()).activeDelivery?.id).toBe(active[0]?.id);
        }
        for (const order of orders) reached.add(order.status);
        for (const leg of orders.flatMap(({ legs }) => legs))
          reached.add(leg.reviews.size > 0 ? 'reviewed' : leg.status);
        await settle(orders);
      }),
      { ...propertyRuns(15), endOnFailure: true },
    );
    // The tries went somewhere.
    expect([...reached]).toEqual(
      expect.arrayContaining(['Completed', 'Cancelled', 'Rejected', 'Delivered', 'reviewed']),
    );
  });
});
