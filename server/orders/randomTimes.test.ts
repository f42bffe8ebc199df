import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import * as model from '../../promises/windowModel.ts';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { planWindows, TEST_PLAN } from '../../testing/orderTimes.ts';
import { propertyRuns } from '../../testing/propertyRuns.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { findTallyErrors } from '../dashboards/tallies.sql.ts';
import { Refusal } from '../http/refusals.ts';
import { writeSetting } from '../town/settings.sql.ts';

const DUBERS = 3;
const LENGTH_MS = 2 * HOUR_MS;
/** By then each promise was kept or missed. */
const LAST_WINDOW_MS = 8 * DAY_MS;
/** So long after a run nothing of it is left to come. */
const LATER_MS = 20 * DAY_MS;
const BACK_HOME = ['pickup', 'return'] as const;

/** What somebody tries. Numbers are taken modulo the number of choices. */
type Attempt = {
  readonly kind: 'place' | 'go on' | 'step' | 'move' | 'propose' | 'answer' | 'drive' | 'pass';
  readonly order: number;
  readonly who: number;
  readonly days: number;
  readonly nights: number;
  readonly isMorning: boolean;
  readonly isBoth: boolean;
  readonly hours: number;
};

const attempts: fc.Arbitrary<Attempt> = fc.record({
  kind: fc.constantFrom(
    ...(['place', 'go on', 'go on', 'go on', 'go on', 'go on', 'step', 'move', 'move', 'propose'] as const),
    ...(['answer', 'answer', 'drive', 'drive', 'pass', 'pass'] as const),
  ),
  order: fc.nat({ max: 11 }),
  who: fc.nat({ max: 11 }),
  days: fc.nat({ max: 3 }),
  nights: fc.nat({ max: 3 }),
  isMorning: fc.boolean(),
  isBoth: fc.boolean(),
  hours: fc.constantFrom(0.5, 1, 3, 8, 14, 26),
});

const iso = (at: number) => new Date(at).toISOString();

describe.each(RULE_DATABASES)('random times of orders, on %s', (kind) => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders(kind);
    const { db, now } = orders.context;
    await planWindows(db, now(), { ...TEST_PLAN, places: model.PLACES });
    const credit = { cents: 500, borneBy: 'holder' } as const;
    await writeSetting(db, { name: 'promiseCredit', value: credit, setBy: 'the test', from: now() });
  });
  afterAll(() => orders?.close());

  const now = () => orders.context.now().getTime();
  /** Whether a step was taken. Anything but a refusal fails the test. */
  const isTaken = (step: Promise<unknown>) =>
    step.then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal) return false;
        throw error;
      },
    );
  const expectTaken = async (step: Promise<unknown>, isExpected: boolean, words: string) => {
    expect(await isTaken(step), words).toBe(isExpected);
    return isExpected;
  };

  const timesOf = ({ days, nights, isMorning }: Attempt): model.Times => ({
    pickup: model.startOn(now(), days, 'pickup', isMorning),
    return: model.startOn(now(), days + nights, 'return', false),
  });
  const bodyOf = (order: model.TimedOrder, times: model.Times) => ({
    ...(times.pickup === order.times.pickup ? {} : { pickupFrom: iso(times.pickup) }),
    returnFrom: iso(times.return),
  });

  async function place(all: model.TimedOrder[], attempt: Attempt): Promise<void> {
    const times = timesOf(attempt);
    const body = { pickupFrom: iso(times.pickup), returnFrom: iso(times.return) };
    const isExpected = model.mayPlace(all, times, now());
    let id = '';
    const placed = orders.place(body).then((placedId) => {
      id = placedId;
    });
    if (await expectTaken(placed, isExpected, `place ${JSON.stringify(body)}`))
      all.push(model.createTimedOrder(id, times, now()));
  }

  async function stepOrder(order: model.TimedOrder, step: (typeof model.ORDER_STEPS)[number]): Promise<void> {
    const isExpected = model.mayStep(order, step);
    if (await expectTaken(orders.press(step, order.id), isExpected, `${step} at ${order.status}`))
      model.applyStep(order, step, now());
  }

  async function drive(
    all: readonly model.TimedOrder[],
    order: model.TimedOrder,
    kindOfTrip: model.Kind,
    who: number,
  ): Promise<void> {
    const trip = order.trips[kindOfTrip];
    if (!trip || trip.status === 'Delivered') return;
    const step = model.TRIP_STEPS[trip.status];
    const isExpected = model.mayDrive(all, trip, who, now());
    const driven = orders.carry(order.id, [step], { duber: who, isOutbound: kindOfTrip === 'pickup' });
    if (await expectTaken(driven, isExpected, `Duber ${who}: ${step} of the ${kindOfTrip} at ${trip.status}`))
      model.applyDrive(order, trip, who, now());
  }

  /** What comes next on a good day. The laundry is there when it is washed. */
  async function goOn(all: readonly model.TimedOrder[], order: model.TimedOrder, who: number): Promise<void> {
    const { pickup, return: back } = order.trips;
    const next = pickup && pickup.status !== 'Delivered' ? 'pickup' : back ? 'return' : undefined;
    if (next) return drive(all, order, next, order.trips[next]?.duber ?? who);
    const step = ({ Requested: 'accept-order', Accepted: 'start-order', In_Progress: 'complete-order' } as const)[
      order.status as 'Requested'
    ];
    if (step) await stepOrder(order, step);
  }

  async function attemptOne(all: model.TimedOrder[], attempt: Attempt): Promise<void> {
    const { kind: what, isBoth, hours } = attempt;
    const who = attempt.who % DUBERS;
    if (what === 'place') return place(all, attempt);
    if (what === 'pass') return pass(all, hours * HOUR_MS);
    const order = all[attempt.order % Math.max(1, all.length)];
    if (!order) return;
    const wanted = { ...timesOf(attempt), ...(isBoth ? {} : { pickup: order.times.pickup }) };
    const { id } = order;
    if (what === 'go on') await goOn(all, order, who);
    if (what === 'step') await stepOrder(order, pickStep(order, attempt.who));
    if (what === 'drive') await drive(all, order, order.trips.return ? 'return' : 'pickup', who);
    if (what === 'move') {
      const body = bodyOf(order, wanted);
      const isExpected = model.mayMove(all, order, wanted, now());
      const words = `move ${order.status} to ${JSON.stringify(body)}`;
      if (await expectTaken(orders.change('move-window', id, body), isExpected, words)) model.applyMove(order, wanted);
    }
    if (what === 'propose') {
      const body = { ...bodyOf(order, wanted), reason: 'ill' };
      const isExpected = model.mayPropose(order, wanted, now());
      const words = `propose ${JSON.stringify(body)} at ${order.status}`;
      if (await expectTaken(orders.change('propose-window', id, body), isExpected, words))
        model.applyProposal(order, wanted, now());
    }
    if (what === 'answer') await answer(all, order, { isYes: attempt.who % 3 > 0, isByMail: isBoth });
  }

  /** Laundry is washed when it is there: an open town would let its Scrub go on without it. */
  function pickStep(order: model.TimedOrder, choice: number): (typeof model.ORDER_STEPS)[number] {
    const isHere = order.trips.pickup?.status === 'Delivered';
    const steps = model.ORDER_STEPS.filter(
      (step) => isHere || !model.mayStep(order, step) || order.status === 'Requested',
    );
    return steps[choice % steps.length] ?? 'accept-order';
  }

  async function answer(
    all: readonly model.TimedOrder[],
    order: model.TimedOrder,
    { isYes, isByMail }: { readonly isYes: boolean; readonly isByMail: boolean },
  ): Promise<void> {
    const isExpected = model.mayAnswer(all, order, isYes, now());
    const proposalId = isByMail ? await openProposalOf(order) : undefined;
    const answered = proposalId
      ? orders.answerByMail(proposalId, isYes ? 'yes' : 'no')
      : orders.change(isYes ? 'accept-window' : 'refuse-window', order.id);
    const words = `answer ${isYes ? 'yes' : 'no'}${proposalId ? ' by mail' : ''} at ${order.status}`;
    if (!(await expectTaken(answered, isExpected, words))) return;
    if (isYes) model.applyMove(order, model.proposedTimes(order));
    order.proposal = undefined;
  }

  const openProposalOf = async ({ id }: model.TimedOrder) =>
    (
      await orders.context.db
        .selectFrom('proposals')
        .select('id')
        .where('order_id', '=', id)
        .where('answer', 'is', null)
        .executeTakeFirst()
    )?.id;

  /** Lets time pass, and the server do what is due. */
  async function pass(all: readonly model.TimedOrder[], ms: number): Promise<void> {
    orders.pass(ms);
    for (let due = await orders.runTimers(); due > 0; due = await orders.runTimers()) {}
    for (const order of all) model.applyTime(order, now());
  }

  /** What the database has of the orders is what the model has. */
  async function compare(all: readonly model.TimedOrder[]): Promise<void> {
    if (all.length === 0) return;
    const { db } = orders.context;
    const ids = all.map(({ id }) => id);
    const rows = await db
      .selectFrom('orders as o')
      .leftJoin('bookings as b', 'b.order_id', 'o.id')
      .select(['o.id', 'o.status', 'o.pickup_from', 'o.return_from', 'o.promised_at', 'b.order_id as booked'])
      .where('o.id', 'in', ids)
      .execute();
    const trips = await db
      .selectFrom('deliveries')
      .select(['order_id', 'delivery_type', 'status', 'duber_id', 'due_from'])
      .where('order_id', 'in', ids)
      .execute();
    const missed = await db.selectFrom('missed_promises').select('order_id').where('order_id', 'in', ids).execute();
    const places = await db.selectFrom('window_places').select(['kind', 'starts_at', 'taken']).execute();
    for (const order of all) {
      const row = rows.find(({ id }) => id === order.id);
      const isOver = order.status === 'Cancelled' || order.status === 'Rejected';
      expect(row).toMatchObject({
        ...{ status: order.status, booked: isOver ? null : order.id },
        ...{ pickup_from: new Date(order.times.pickup), return_from: new Date(order.times.return) },
        promised_at: new Date(order.times.return + LENGTH_MS),
      });
      expect(await openProposalOf(order), `a proposal at ${order.status}`)[
        order.proposal ? 'toBeDefined' : 'toBeUndefined'
      ]();
      expect(
        missed.some(({ order_id }) => order_id === order.id),
        `a missed promise at ${order.status}`,
      ).toBe(order.isMissed);
      for (const way of BACK_HOME) {
        const trip = order.trips[way];
        const type = way === 'pickup' ? 'Bud_To_Scrub' : 'Scrub_To_Bud';
        const found = trips.find((one) => one.order_id === order.id && one.delivery_type === type);
        expect(found && [found.status, found.duber_id, found.due_from?.getTime()], `the ${way}`).toEqual(
          trip && [trip.status, trip.duber === undefined ? null : orders.duber(trip.duber).id, trip.window],
        );
        const taken = places.find((one) => one.kind === way && one.starts_at.getTime() === order.times[way])?.taken;
        expect(taken ?? 0, `the places of ${iso(order.times[way])}`).toBe(
          model.takenPlaces(all, way, order.times[way]),
        );
      }
    }
  }

  /** Everybody is free for the next run. */
  async function finish(all: readonly model.TimedOrder[]): Promise<void> {
    for (const order of all) if (order.status === 'Requested') await stepOrder(order, 'cancel-order');
    const left = all.flatMap((order) =>
      BACK_HOME.flatMap((way) => {
        const trip = order.trips[way];
        return trip?.duber === undefined ? [] : [{ order, way, trip, duber: trip.duber }];
      }),
    );
    // Those under way first: a Duber sets off with one at a time.
    const isAhead = ({ trip }: (typeof left)[number]) =>
      Number(trip.status === 'Accepted' && trip.window !== undefined);
    for (const { order, way, trip, duber } of left.toSorted((a, b) => isAhead(a) - isAhead(b)))
      while (trip.status !== 'Delivered') await drive(all, order, way, duber);
    orders.pass(LATER_MS);
    while ((await orders.runTimers()) > 0) {}
  }

  test('orders, their places, their proposals, their Dubers and their promises follow a model of them', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(attempts, { minLength: 20, maxLength: 60, size: 'max' }), async (list) => {
        const all: model.TimedOrder[] = [];
        try {
          for (const attempt of list) {
            await attemptOne(all, attempt);
            await compare(all);
          }
          await pass(all, LAST_WINDOW_MS);
          await compare(all);
        } finally {
          await finish(all).catch(() => orders.pass(LATER_MS));
        }
        expect(await findTallyErrors(orders.context.db)).toEqual([]);
      }),
      propertyRuns(12),
    );
  });
});
