import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeOrder } from '../testing/orderSteps.ts';
import type { TestUser } from '../testing/testServer.ts';
import { captureOutcome, isOverloaded, throwIfOverloaded } from './callOutcome.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { openServerPair, type ServerPair } from './serverPair.ts';
import {
  type Actor,
  applyLegStep,
  applyOrderStep,
  isActive,
  LEG_ACTIONS,
  type Leg,
  type LegAction,
  type Model,
  nextLegAction,
  nextOrderStep,
  ORDER_ACTIONS,
  type OrderAction,
  predictLegStep,
  predictOrderStep,
} from './workflowModel.ts';

const LANES = 4;
const ACTORS: readonly Actor[] = ['bud', 'scrub', 'duber', 'otherBud', 'otherScrub', 'otherDuber'];
/** Sent once, or to both processes at once. */
type Times = 1 | 2;
type Actors = Record<Actor, TestUser>;
type Real = { readonly actors: Actors; readonly at: () => 0 | 1 };
type Command = fc.AsyncCommand<Model, Real>;

describePromise('model', (suite) => {
  let pair: ServerPair;
  let lanes: Actors[];
  const results: Record<string, number> = {};
  let [steps, lived] = [0, 0];

  beforeAll(async () => {
    pair = await openServerPair();
    lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  }, TEST_TIMEOUT_MS);
  afterAll(() => pair?.close());

  async function openLane(): Promise<Actors> {
    const [bud, scrub, duber, otherBud, otherScrub, otherDuber] = await Promise.all(
      (['Bud', 'Scrub', 'Duber', 'Bud', 'Scrub', 'Duber'] as const).map((role) => pair.createUser(role)),
    );
    return { bud, scrub, duber, otherBud, otherScrub, otherDuber } as Actors;
  }

  /** A step sent once or twice at once; when it may be taken, exactly one of the two is. */
  async function send(real: Real, who: Actor, times: Times, call: (someone: TestUser) => Promise<unknown>) {
    const first = real.at();
    const asked = Array.from({ length: times }, (_, place) => (first + place) % 2);
    const someone = real.actors[who];
    const all = await Promise.all(asked.map((at) => captureOutcome(() => call(at ? pair.atSecond(someone) : someone))));
    steps += times;
    throwIfOverloaded(all);
    const statuses = all.map(({ status }) => status).toSorted();
    for (const status of statuses) results[status] = (results[status] ?? 0) + 1;
    return statuses;
  }

  const expected = (verdict: number, times: Times) =>
    verdict === 200 && times === 2 ? [200, 409] : Array(times).fill(verdict);

  async function stepOrder(model: Model, real: Real, who: Actor, action: OrderAction, times: Times): Promise<void> {
    const verdict = predictOrderStep(model, who, action);
    const params = { id: model.id };
    const got = await send(real, who, times, ({ api }) => api[action]({ params }));
    expect(got, `${who} ${action} at ${model.status}`).toEqual(expected(verdict, times));
    if (verdict !== 200) return;
    const type = applyOrderStep(model, action);
    if (type === undefined) return;
    const { deliveries } = await real.actors.bud.api.readOrder({ params });
    const made = deliveries.find(({ deliveryType }) => deliveryType === type);
    model.legs.push({ id: made?.id ?? expect.fail(`no ${type}`), type, status: 'Pending', duber: undefined });
  }

  async function stepLeg(model: Model, real: Real, leg: Leg, who: Actor, action: LegAction, times: Times) {
    const busy = model.legs.some((one) => one.duber === who && isActive(one));
    const verdict = predictLegStep(leg, who, action, busy);
    const got = await send(real, who, times, ({ api }) => api[action]({ params: { id: leg.id } }));
    expect(got, `${who} ${action} at ${leg.status}`).toEqual(expected(verdict, times));
    if (verdict === 200) applyLegStep(leg, who, action);
  }

  async function compare(model: Model, real: Real): Promise<void> {
    const { bud, scrub } = real.actors;
    const [asBud, asScrub] = await Promise.all(
      [bud, pair.atSecond(scrub)].map(({ api }) => api.readOrder({ params: { id: model.id } })),
    );
    for (const order of [asBud, asScrub]) {
      expect(order?.status).toBe(model.status);
      expect(order?.statusHistory.map(({ status }) => status)).toEqual(model.history);
      const legs = order?.deliveries.map((leg) => [leg.id, leg.deliveryType, leg.status, leg.duberId]);
      const wanted = model.legs.map((leg) => [
        leg.id,
        leg.type,
        leg.status,
        leg.duber ? real.actors[leg.duber].user.id : null,
      ]);
      expect(legs).toEqual(wanted);
    }
  }

  const command = (words: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
    check: () => true,
    run,
    toString: () => words,
  });
  const times = fc.constantFrom<Times>(1, 1, 2);
  const legOf = (model: Model, place: number) => model.legs[place % Math.max(1, model.legs.length)];

  const anyOrderStep = fc
    .tuple(fc.constantFrom(...ACTORS), fc.constantFrom(...ORDER_ACTIONS), times)
    .map(([who, action, many]) =>
      command(`${who} ${action} ×${many}`, (model, real) => stepOrder(model, real, who, action, many)),
    );
  const anyLegStep = fc
    .tuple(fc.constantFrom(...ACTORS), fc.constantFrom(...LEG_ACTIONS), times, fc.nat({ max: 1 }))
    .map(([who, action, many, place]) =>
      command(`${who} ${action} ×${many} of leg ${place}`, async (model, real) => {
        const leg = legOf(model, place);
        if (leg) await stepLeg(model, real, leg, who, action, many);
      }),
    );
  const goOn = times.map((many) =>
    command(`the next step ×${many}`, async (model, real) => {
      const [action, who] = nextOrderStep(model) ?? [];
      if (action && who) await stepOrder(model, real, who, action, many);
    }),
  );
  const carryOn = fc
    .tuple(fc.constantFrom<Actor>('duber', 'otherDuber'), times, fc.nat({ max: 1 }))
    .map(([who, many, at]) =>
      command(`${who} carries leg ${at} on ×${many}`, async (model, real) => {
        const leg = legOf(model, at);
        const action = leg && nextLegAction(leg);
        if (leg && action) await stepLeg(model, real, leg, leg.duber ?? who, action, many);
      }),
    );
  const looks = fc.constant(command('looks', compare));

  /** Brings active deliveries home, so that the next life finds free Dubers. */
  async function settle(model: Model, real: Real): Promise<void> {
    for (const leg of model.legs) {
      for (let action = nextLegAction(leg); leg.duber && action; action = nextLegAction(leg)) {
        await stepLeg(model, real, leg, leg.duber, action, 1);
      }
    }
  }

  async function liveOnce(lane: number, commands: Iterable<Command>, self: [boolean, boolean], seed: number) {
    const people = lanes[lane] as Actors;
    try {
      await lead(people, commands, self, seed);
      lived += 1;
    } catch (error) {
      // Whose step was refused by a busy machine may carry something that nobody knows of.
      if (isOverloaded(error)) lanes[lane] = await openLane();
      throw error;
    }
  }

  async function lead(people: Actors, commands: Iterable<Command>, self: [boolean, boolean], seed: number) {
    const [selfDelivery, selfPickup] = self;
    const { id } = await placeOrder(people, { selfDelivery, selfPickup });
    const model: Model = { id, status: 'Requested', history: ['Requested'], selfService: self, legs: [] };
    let calls = seed;
    const at = () => (calls++ % 2) as 0 | 1;
    await fc.asyncModelRun(() => ({ model, real: { actors: people, at } }), commands);
    await compare(model, { actors: people, at });
    await settle(model, { actors: people, at });
  }

  test('whatever anybody tries, an order and its deliveries go by the tables', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const weighted = [goOn, goOn, goOn, carryOn, carryOn, carryOn, anyOrderStep, anyLegStep, looks];
    const commands = fc.commands(weighted, { maxCommands: 25, size: 'large' });
    const selves = fc.tuple(fc.boolean(), fc.boolean());
    const live = async (lane: number, runs: number, seed: number) => {
      const life = fc.asyncProperty(commands, selves, fc.nat({ max: 1 }), (given, self, first) =>
        suite.attempt(() => liveOnce(lane, given, self, first)),
      );
      await fc.assert(life, { seed, numRuns: runs, endOnFailure: true });
    };
    const share = Math.ceil(suite.cases / LANES);
    await Promise.all(lanes.map((_, lane) => live(lane, share, suite.seed + lane)));
    // As many again as a machine that was too busy has refused.
    for (let again = 1; again < 5 && lived < suite.cases; again += 1) {
      await live(0, suite.cases - lived, suite.seed - again);
    }
    suite.recordFigure('steps tried', steps);
    for (const [status, count] of Object.entries(results)) suite.recordFigure(`answered ${status}`, count);
    // The tries went somewhere.
    for (const status of [200, 403, 404, 409]) expect(results[status]).toBeGreaterThan(0);
  });
});
