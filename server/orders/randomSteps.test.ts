import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DUBER_DASHBOARD_FIELDS } from '../../contract/screenFields.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { captureOutcome } from '../../promises/callOutcome.ts';
import {
  type Actor,
  applyDeliveryStep,
  applyOrderStep,
  DELIVERY_ACTIONS,
  type Delivery,
  type DeliveryAction,
  isUnderWay,
  type Model,
  nextDeliveryAction,
  nextOrderStep,
  ORDER_ACTIONS,
  type OrderAction,
  predictDeliveryStep,
  predictOrderStep,
} from '../../promises/workflowModel.ts';
import { createOperator } from '../../testing/operators.ts';
import { createParticipants, firstAddressId, placeOrder, REVIEW } from '../../testing/orderSteps.ts';
import { TEST_PLAN } from '../../testing/orderTimes.ts';
import { propertyRuns } from '../../testing/propertyRuns.ts';
import { openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';

const ACTORS: readonly Actor[] = ['bud', 'scrub', 'duber', 'otherBud', 'otherScrub', 'otherDuber'];
const ORDERS_PER_RUN = 2;
const PLAN = {
  ...TEST_PLAN,
  pickup: [...TEST_PLAN.pickup],
  return: [...TEST_PLAN.return],
  places: 1_000,
  placesIn: {},
};

/** The reviewers of each order and each delivery, by id. */
type Reviews = Map<string, Set<Actor>>;
type Orders = readonly Model[];

/** What one person tries. Indexes are taken modulo the number of choices. */
type Attempt = {
  readonly kind: 'order' | 'delivery' | 'review';
  /** Whether the right person takes the next step, as in most real requests, or anybody tries anything. */
  readonly isPlausible: boolean;
  readonly actor: number;
  readonly order: number;
  readonly delivery: number;
  readonly action: number;
};

const index = fc.nat({ max: 11 });
const attempts: fc.Arbitrary<Attempt> = fc.record({
  kind: fc.constantFrom('order', 'order', 'delivery', 'delivery', 'delivery', 'review'),
  isPlausible: fc.integer({ min: 0, max: 4 }).map((number) => number > 0),
  actor: index,
  order: index,
  delivery: index,
  action: index,
});

const pick = <T>(list: readonly T[], place: number): T => list[place % list.length] as T;
const reviewersOf = (reviews: Reviews, id: string) => reviews.get(id) ?? new Set<Actor>();

const allowedOrderSteps = (model: Model): readonly (readonly [OrderAction, 'bud' | 'scrub'])[] =>
  ORDER_ACTIONS.flatMap((action) =>
    (['bud', 'scrub'] as const)
      .filter((actor) => predictOrderStep(model, actor, action) === 200)
      .map((actor) => [action, actor] as const),
  );

// promises/workflowModel.test.ts does this on PostgreSQL with parallel requests. This adds the embedded database, reviews,
// and Dubers who are busy with another order.
describe('random steps by anybody, on the embedded database', () => {
  let server: TestServer;
  let users: Record<Actor, TestUser>;
  beforeAll(async () => {
    server = await openTestServer('embedded');
    const [own, other] = [await createParticipants(server), await createParticipants(server)];
    users = { ...own, otherBud: other.bud, otherScrub: other.scrub, otherDuber: other.duber };
    const { api: operator } = await createOperator(server);
    await operator.setWindows({ body: { before: null, plan: PLAN, reason: 'Windows for everybody' } });
  });
  afterAll(() => server?.close());

  /** The first windows that fit each other. */
  async function chooseTimes(): Promise<{ pickupFrom: string; returnFrom: string }> {
    const { pickup, return: back } = await users.bud.api.listWindows({
      query: { budAddressId: firstAddressId(users.bud) },
    });
    const pickupFrom = pickup[0]?.from ?? expect.fail('no window');
    const isLater = ({ from }: { from: string }) => Date.parse(from) > Date.parse(pickupFrom) + DAY_MS;
    return { pickupFrom, returnFrom: back.find(isLater)?.from ?? expect.fail('no window to return') };
  }

  async function stepOrder(model: Model, actor: Actor, action: OrderAction): Promise<void> {
    const expected = predictOrderStep(model, actor, action);
    const params = { id: model.id };
    const { status } = await captureOutcome(() => users[actor].api[action]({ params }));
    expect(status, `${actor} ${action} at ${model.status}`).toBe(expected);
    const type = status === 200 ? applyOrderStep(model, action) : undefined;
    if (type === undefined) return;
    const { deliveries } = await users.bud.api.readOrder({ params });
    const delivery = deliveries.find(({ deliveryType }) => deliveryType === type);
    const id = delivery?.id ?? expect.fail(`no ${type}`);
    const isForLater = delivery?.window !== undefined;
    model.deliveries.push({ id, type, status: 'Pending', duber: undefined, isForLater });
  }

  async function stepDelivery(orders: Orders, delivery: Delivery, actor: Actor, action: DeliveryAction): Promise<void> {
    const isBusy = orders.some(({ deliveries }) =>
      deliveries.some((other) => other !== delivery && other.duber === actor && isUnderWay(other)),
    );
    const expected = predictDeliveryStep(delivery, actor, action, isBusy);
    const { status } = await captureOutcome(() => users[actor].api[action]({ params: { id: delivery.id } }));
    expect(status, `${actor} ${action} at ${delivery.status}`).toBe(expected);
    if (status === 200) applyDeliveryStep(delivery, actor, action);
  }

  async function review(reviews: Reviews, model: Model, delivery: Delivery | undefined, actor: Actor): Promise<void> {
    const { api, user } = users[actor];
    const { id } = delivery ?? model;
    const isRipe = delivery ? delivery.status === 'Delivered' : model.status === 'Completed';
    const { status } = await captureOutcome((): Promise<unknown> => {
      const params = { id };
      const duberId = users[delivery?.duber ?? 'duber'].user.id;
      if (delivery) return api.reviewToDuber({ params, body: { ...REVIEW, duberId } });
      if (user.role === 'Bud') return api.reviewToScrub({ params, body: { ...REVIEW, scrubId: users.scrub.user.id } });
      return api.reviewToBud({ params, body: { ...REVIEW, budId: users.bud.user.id } });
    });
    const words = `${actor} reviews ${delivery ? `a ${delivery.status} delivery` : `a ${model.status} order`}`;
    if (user.role === 'Duber') expect(status, words).toBe(403);
    else if (actor !== 'bud' && actor !== 'scrub') expect(status, words).toBe(404);
    else if (!isRipe || reviewersOf(reviews, id).has(actor)) expect(status, words).toBe(409);
    else {
      expect(status, words).toBe(200);
      reviews.set(id, reviewersOf(reviews, id).add(actor));
    }
  }

  async function attempt(orders: Orders, reviews: Reviews, given: Attempt): Promise<void> {
    const { kind, isPlausible, action } = given;
    const anybody = pick(ACTORS, given.actor);
    const model = pick(orders, given.order);
    const delivery: Delivery | undefined = model.deliveries[given.delivery % Math.max(1, model.deliveries.length)];
    if (kind === 'order' && isPlausible) {
      const [next, actor] = (action % 4 > 0 ? nextOrderStep(model) : pick(allowedOrderSteps(model), action / 4)) ?? [];
      if (next && actor) await stepOrder(model, actor, next);
    } else if (kind === 'order') {
      await stepOrder(model, anybody, pick(ORDER_ACTIONS, action));
    } else if (kind === 'review') {
      const reviewer = isPlausible ? pick(['bud', 'scrub'] as const, given.actor) : anybody;
      await review(reviews, model, action % 3 > 0 ? delivery : undefined, reviewer);
    } else if (delivery && isPlausible) {
      const next = nextDeliveryAction(delivery);
      const duber = delivery.duber ?? pick(['duber', 'otherDuber'] as const, given.actor);
      if (next) await stepDelivery(orders, delivery, duber, next);
    } else if (delivery) {
      await stepDelivery(orders, delivery, anybody, pick(DELIVERY_ACTIONS, action));
    }
  }

  async function compare(model: Model, reviews: Reviews): Promise<void> {
    const ids = [model.id, ...model.deliveries.map(({ id }) => id)];
    const reviewCount = ids.reduce((sum, id) => sum + reviewersOf(reviews, id).size, 0);
    for (const { api } of [users.bud, users.scrub]) {
      const order = await api.readOrder({ params: { id: model.id } });
      expect(order.status).toBe(model.status);
      expect(order.statusHistory.map(({ status }) => status)).toEqual(model.history);
      const times = order.statusHistory.map(({ createdAt }) => createdAt);
      expect(times).toEqual(times.toSorted());
      expect(
        order.deliveries.map((delivery) => [delivery.id, delivery.deliveryType, delivery.status, delivery.duberId]),
      ).toEqual(
        model.deliveries.map(({ id, type, status, duber }) => [id, type, status, duber ? users[duber].user.id : null]),
      );
      for (const delivery of order.deliveries) expect(delivery.statusHistory.at(-1)?.status).toBe(delivery.status);
      expect(order.reviews).toHaveLength(reviewCount);
      expect(new Set(order.reviews.map(({ type, deliveryId }) => `${type} ${deliveryId}`)).size).toBe(reviewCount);
    }
  }

  /** Delivers each active delivery, and cancels what waits for its Scrub, so that everybody is free for the next run. */
  async function deliverAll(orders: Orders): Promise<void> {
    for (const model of orders) if (model.status === 'Requested') await stepOrder(model, 'bud', 'cancel-order');
    const deliveries = orders.flatMap((model) => model.deliveries);
    for (const delivery of deliveries.toSorted((a, b) => Number(isUnderWay(b)) - Number(isUnderWay(a)))) {
      for (let next = nextDeliveryAction(delivery); delivery.duber && next; next = nextDeliveryAction(delivery)) {
        await stepDelivery(orders, delivery, delivery.duber, next);
      }
    }
  }

  async function createModel([isForLater, ...selfService]: [boolean, boolean, boolean]): Promise<Model> {
    const [selfDelivery, selfPickup] = selfService;
    const { id } = await placeOrder(users, { selfDelivery, selfPickup, ...(isForLater ? await chooseTimes() : {}) });
    return { id, status: 'Requested', history: ['Requested'], selfService, deliveries: [] };
  }

  test('orders, deliveries and reviews follow the rules, and a Duber has one delivery under way, besides those accepted ahead', async () => {
    const reached = new Set<string>();
    const selfServices = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), {
      minLength: ORDERS_PER_RUN,
      maxLength: ORDERS_PER_RUN,
    });
    const runs = fc.array(attempts, { minLength: 30, maxLength: 70 });
    await fc.assert(
      fc.asyncProperty(selfServices, runs, async (selves, given) => {
        const orders = await Promise.all(selves.map(createModel));
        const reviews: Reviews = new Map();
        for (const each of given) await attempt(orders, reviews, each);
        for (const model of orders) await compare(model, reviews);
        const deliveries = orders.flatMap((model) => model.deliveries);
        for (const duber of ['duber', 'otherDuber'] as const) {
          const own = deliveries.filter((delivery) => delivery.duber === duber && delivery.status !== 'Delivered');
          const underWay = own.filter(isUnderWay);
          expect(underWay.length).toBeLessThanOrEqual(1);
          const dashboard = await users[duber].api.duberDashboard({ query: { fields: DUBER_DASHBOARD_FIELDS } });
          expect(dashboard.activeDelivery?.id).toBe(underWay[0]?.id);
          const ahead = own.filter((delivery) => !isUnderWay(delivery)).map(({ id }) => id);
          expect(dashboard.aheadDeliveries?.map(({ id }) => id).toSorted()).toEqual(ahead.toSorted());
          if (ahead.length > 0) reached.add('ahead');
        }
        for (const model of orders) reached.add(model.status);
        for (const delivery of deliveries) reached.add(reviews.has(delivery.id) ? 'reviewed' : delivery.status);
        await deliverAll(orders);
      }),
      { ...propertyRuns(15), endOnFailure: true },
    );
    // The attempts led somewhere.
    expect([...reached]).toEqual(
      expect.arrayContaining(['Completed', 'Cancelled', 'Rejected', 'Delivered', 'reviewed', 'ahead']),
    );
  });
});
