import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openServerDatabase } from '../server/db/database.ts';
import { runTimers } from '../server/jobs/timers.ts';
import { ORDER_TIMERS } from '../server/orders/orderTimers.ts';
import { explained } from '../testing/explained.ts';
import { placeOrder } from '../testing/orderSteps.ts';
import { traceOrder } from '../testing/orderTrace.ts';
import type { TestUser } from '../testing/testServer.ts';
import { captureOutcome, isOverloaded, throwIfOverloaded } from './callOutcome.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { openServerPair, type ServerPair } from './serverPair.ts';
import {
  type Actor,
  applyDeliveryStep,
  applyExpiry,
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
} from './workflowModel.ts';

const LANES = 4;
const LOG = { info() {}, warn() {}, error() {} };
const ACTORS: readonly Actor[] = ['bud', 'scrub', 'duber', 'otherBud', 'otherScrub', 'otherDuber'];
/** How often a step is sent; 2 sends it to both processes at once. */
type Times = 1 | 2;
type Actors = Record<Actor, TestUser>;
type Real = { readonly actors: Actors; readonly nextProcess: () => 0 | 1 };
type Command = fc.AsyncCommand<Model, Real>;

describePromise('workflow-model', (suite) => {
  let pair: ServerPair;
  let database: Database;
  let lanes: Actors[];
  const results: Record<string, number> = {};
  let [steps, completed] = [0, 0];

  beforeAll(async () => {
    pair = await openServerPair();
    database = openServerDatabase(pair.databaseUrl, LANES);
    lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await database?.close();
    await pair?.close();
  });

  async function openLane(): Promise<Actors> {
    const [bud, scrub, duber, otherBud, otherScrub, otherDuber] = await Promise.all(
      (['Bud', 'Scrub', 'Duber', 'Bud', 'Scrub', 'Duber'] as const).map((role) => pair.createUser(role)),
    );
    return { bud, scrub, duber, otherBud, otherScrub, otherDuber } as Actors;
  }

  /** Sends a step once or to both processes at once, and returns the sorted statuses. */
  async function send(real: Real, actor: Actor, times: Times, call: (user: TestUser) => Promise<unknown>) {
    const first = real.nextProcess();
    const processes = Array.from({ length: times }, (_, index) => (first + index) % 2);
    const user = real.actors[actor];
    const outcomes = await Promise.all(
      processes.map((process) => captureOutcome(() => call(process ? pair.atSecond(user) : user))),
    );
    steps += times;
    throwIfOverloaded(outcomes);
    const statuses = outcomes.map(({ status }) => status).toSorted();
    for (const status of statuses) results[status] = (results[status] ?? 0) + 1;
    return statuses;
  }

  const expectedStatuses = (status: number, times: Times) =>
    status === 200 && times === 2 ? [200, 409] : Array(times).fill(status);

  async function stepOrder(model: Model, real: Real, actor: Actor, action: OrderAction, times: Times): Promise<void> {
    const predicted = predictOrderStep(model, actor, action);
    const params = { id: model.id };
    const statuses = await send(real, actor, times, ({ api }) => api[action]({ params }));
    expect(statuses, `${actor} ${action} at ${model.status}`).toEqual(expectedStatuses(predicted, times));
    if (predicted !== 200) return;
    const type = applyOrderStep(model, action);
    if (type === undefined) return;
    const { deliveries } = await real.actors.bud.api.readOrder({ params });
    const delivery = deliveries.find(({ deliveryType }) => deliveryType === type);
    model.deliveries.push({ id: delivery?.id ?? expect.fail(`no ${type}`), type, status: 'Pending', duber: undefined });
  }

  async function stepDelivery(
    model: Model,
    real: Real,
    delivery: Delivery,
    actor: Actor,
    action: DeliveryAction,
    times: Times,
  ) {
    const isBusy = model.deliveries.some((one) => one !== delivery && one.duber === actor && isUnderWay(one));
    const predicted = predictDeliveryStep(delivery, actor, action, isBusy);
    const statuses = await send(real, actor, times, ({ api }) => api[action]({ params: { id: delivery.id } }));
    expect(statuses, `${actor} ${action} at ${delivery.status}`).toEqual(expectedStatuses(predicted, times));
    if (predicted === 200) applyDeliveryStep(delivery, actor, action);
  }

  /** Lets the time of an order be over, and waits for the worker of this process or of another. */
  async function expire(model: Model): Promise<void> {
    const { db } = database;
    const past = new Date(Date.now() - 60_000);
    await db.updateTable('timers').set({ due_at: past }).where('subject_id', '=', model.id).execute();
    await runTimers({ db, now: () => new Date(), wake: () => {}, endStreamsOf: () => {}, log: LOG }, [ORDER_TIMERS]);
    const timers = () => db.selectFrom('timers').select('action').where('subject_id', '=', model.id).execute();
    await expect.poll(timers, { timeout: 60_000, interval: 20 }).toEqual([]);
    applyExpiry(model);
  }

  async function compare(model: Model, real: Real): Promise<void> {
    const { bud, scrub } = real.actors;
    const [asBud, asScrub] = await Promise.all(
      [bud, pair.atSecond(scrub)].map(({ api }) => api.readOrder({ params: { id: model.id } })),
    );
    for (const order of [asBud, asScrub]) {
      expect(order?.status).toBe(model.status);
      expect(order?.statusHistory.map(({ status }) => status)).toEqual(model.history);
      const deliveries = order?.deliveries.map((delivery) => [
        delivery.id,
        delivery.deliveryType,
        delivery.status,
        delivery.duberId,
      ]);
      const expectedDeliveries = model.deliveries.map((delivery) => [
        delivery.id,
        delivery.type,
        delivery.status,
        delivery.duber ? real.actors[delivery.duber].user.id : null,
      ]);
      expect(deliveries).toEqual(expectedDeliveries);
    }
  }

  const createCommand = (title: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
    check: () => true,
    run,
    toString: () => title,
  });
  const times = fc.constantFrom<Times>(1, 1, 2);
  const deliveryAt = (model: Model, index: number) => model.deliveries[index % Math.max(1, model.deliveries.length)];

  const anyOrderStepCommand = fc
    .tuple(fc.constantFrom(...ACTORS), fc.constantFrom(...ORDER_ACTIONS), times)
    .map(([actor, action, count]) =>
      createCommand(`${actor} ${action} ×${count}`, (model, real) => stepOrder(model, real, actor, action, count)),
    );
  const anyDeliveryStepCommand = fc
    .tuple(fc.constantFrom(...ACTORS), fc.constantFrom(...DELIVERY_ACTIONS), times, fc.nat({ max: 1 }))
    .map(([actor, action, count, index]) =>
      createCommand(`${actor} ${action} ×${count} of delivery ${index}`, async (model, real) => {
        const delivery = deliveryAt(model, index);
        if (delivery) await stepDelivery(model, real, delivery, actor, action, count);
      }),
    );
  const nextOrderStepCommand = times.map((count) =>
    createCommand(`the next order step ×${count}`, async (model, real) => {
      const [action, actor] = nextOrderStep(model) ?? [];
      if (action && actor) await stepOrder(model, real, actor, action, count);
    }),
  );
  const nextDeliveryStepCommand = fc
    .tuple(fc.constantFrom<Actor>('duber', 'otherDuber'), times, fc.nat({ max: 1 }))
    .map(([actor, count, index]) =>
      createCommand(`${actor} takes the next step of delivery ${index} ×${count}`, async (model, real) => {
        const delivery = deliveryAt(model, index);
        const action = delivery && nextDeliveryAction(delivery);
        if (delivery && action) await stepDelivery(model, real, delivery, delivery.duber ?? actor, action, count);
      }),
    );
  const expiryCommand = fc.constant(createCommand('the time is over', expire));
  const compareCommand = fc.constant(createCommand('compare', compare));

  /** Completes active deliveries, so that the Dubers are free for the next order. */
  async function completeActiveDeliveries(model: Model, real: Real): Promise<void> {
    for (const delivery of model.deliveries) {
      for (let action = nextDeliveryAction(delivery); delivery.duber && action; action = nextDeliveryAction(delivery)) {
        await stepDelivery(model, real, delivery, delivery.duber, action, 1);
      }
    }
  }

  async function runOrder(lane: number, commands: Iterable<Command>, selfService: [boolean, boolean], seed: number) {
    const actors = lanes[lane] as Actors;
    try {
      await runCommands(actors, commands, selfService, seed);
      completed += 1;
    } catch (error) {
      // A Duber whose step a busy machine refused may have a delivery that the model does not know.
      if (isOverloaded(error)) lanes[lane] = await openLane();
      throw error;
    }
  }

  async function runCommands(
    actors: Actors,
    commands: Iterable<Command>,
    selfService: [boolean, boolean],
    seed: number,
  ) {
    const [selfDelivery, selfPickup] = selfService;
    const { id } = await placeOrder(actors, { selfDelivery, selfPickup });
    const model: Model = { id, status: 'Requested', history: ['Requested'], selfService, deliveries: [] };
    let calls = seed;
    const real: Real = { actors, nextProcess: () => (calls++ % 2) as 0 | 1 };
    await explained(
      () => traceOrder(database.db, id),
      async () => {
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await compare(model, real);
        await completeActiveDeliveries(model, real);
      },
    );
  }

  test('whatever steps anyone sends, an order and its deliveries follow the workflow tables', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const weighted = [
      ...[nextOrderStepCommand, nextOrderStepCommand, nextOrderStepCommand],
      ...[nextDeliveryStepCommand, nextDeliveryStepCommand, nextDeliveryStepCommand],
      ...[anyOrderStepCommand, anyDeliveryStepCommand, compareCommand, expiryCommand],
    ];
    const commands = fc.commands(weighted, { maxCommands: 25, size: 'large' });
    const selfServices = fc.tuple(fc.boolean(), fc.boolean());
    const runLane = async (lane: number, runs: number, seed: number) => {
      const property = fc.asyncProperty(commands, selfServices, fc.nat({ max: 1 }), (generated, selfService, first) =>
        suite.attempt(() => runOrder(lane, generated, selfService, first)),
      );
      await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
    };
    const share = Math.ceil(suite.cases / LANES);
    await Promise.all(lanes.map((_, lane) => runLane(lane, share, suite.seed + lane)));
    // Repeats the cases that a busy machine refused.
    for (let retries = 1; retries < 5 && completed < suite.cases; retries += 1) {
      await runLane(0, suite.cases - completed, suite.seed - retries);
    }
    suite.recordFigure('steps sent', steps);
    for (const [status, count] of Object.entries(results)) suite.recordFigure(`answered ${status}`, count);
    // Every kind of answer must occur.
    for (const status of [200, 403, 404, 409]) expect(results[status]).toBeGreaterThan(0);
  });
});
