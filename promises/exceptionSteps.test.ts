import { v4 as newUuid } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../contract/client.ts';
import { MINUTE_MS } from '../domain/durations.ts';
import { type Database, openServerDatabase } from '../server/db/database.ts';
import { setPrice } from '../server/payments/prices.sql.ts';
import { placeOrder } from '../testing/orderSteps.ts';
import { asBlob, SMALL_PHOTO } from '../testing/photos.ts';
import { setPresetForAdmitted } from '../testing/policies.ts';
import { createPromo } from '../testing/promos.ts';
import { chooseWeighted } from '../testing/random.ts';
import { openTestServer, PASSWORD, type TestServer, type TestUser } from '../testing/testServer.ts';
import { captureOutcome, throwIfOverloaded } from './callOutcome.ts';
import { checkEverything, compareLife, describeLife, runTimersOfBoth } from './exceptionChecks.ts';
import {
  applyLegStep,
  applyOrderStep,
  applyTime,
  giverOf,
  isBusyWith,
  LEG_STEPS,
  type LegStep,
  legFor,
  makeReport,
  ORDER_STEPS,
  type OrderStep,
  otherScrubOf,
  predictLegStep,
  predictOrderStep,
  REASONS,
  type Report,
  takerOf,
  type Verdict,
  WAY_ON,
} from './exceptionModel.ts';
import { createLeg, createLife, type Duber, type Leg, type Life, type Person, PROMO, termsOf } from './orderLife.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import * as weighing from './weighingModel.ts';

const PEOPLE: readonly Person[] = ['bud', 'scrub', 'otherScrub', 'duber', 'otherDuber'];
const DUBERS: readonly Duber[] = ['duber', 'otherDuber'];
const REFUSALS = [403, 404, 409];
const STEPS_PER_LIFE = 40;
const LIVES_PER_AUDIT = 100;
/** A moment, the wait at a door, the time for corrections, and hours. */
const JUMPS = [1, 1, 5, 5, 11, 11, 300].map((minutes) => minutes * MINUTE_MS);

describePromise('unplanned-steps', (suite) => {
  const { random } = suite;
  let [first, second]: TestServer[] = [];
  let database: Database;
  let people: Record<Person, TestUser>;
  const counts: Record<string, number> = {};

  const at = (server: TestServer | undefined) => server ?? expect.fail('no server');
  const now = () => at(first).now().getTime();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

  beforeAll(async () => {
    first = await openTestServer('postgres', { isClockStopped: true });
    second = await openTestServer('postgres', { beside: first });
    database = openServerDatabase(first.databaseUrl ?? '', 2);
    const { createUser } = first;
    await createPromo({ db: database.db, now: first.now }, PROMO);
    await setPrice(database.db, { item: 'size-XL', validFrom: first.now(), value: 15 });
    const users = await Promise.all([
      createUser('Bud', { north: 100 }),
      createUser('Scrub', { north: 1_200 }),
      createUser('Scrub', { north: 900 }),
      createUser('Duber'),
      createUser('Duber'),
    ]);
    people = Object.fromEntries(PEOPLE.map((person, index) => [person, users[index]])) as typeof people;
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await database?.close();
    await second?.close();
    await first?.close();
  });

  async function signInAgain(): Promise<void> {
    for (const person of PEOPLE) {
      const body = { email: people[person].user.email, password: PASSWORD };
      const { authToken } = await at(first).api().login({ body });
      people[person] = { ...people[person], token: authToken, api: at(first).api(authToken) };
    }
  }

  type Send = (api: Client, idempotencyKey: string) => Promise<unknown>;

  const servers = () => [at(first), at(second)];

  /** Sends a step once, at both servers at once, or twice with one key as after a lost answer. Whether it was taken. */
  async function send(life: Life, person: Person, verdict: Verdict, what: string, call: Send): Promise<boolean> {
    const how = chooseWeighted(random, { once: 6, both: 2, again: 1 });
    const words = `${person} ${what}`;
    const { token } = people[person];
    const [here, there] = random() < 0.5 ? [at(first), at(second)] : [at(second), at(first)];
    const key = newUuid();
    const outcomes = [captureOutcome(() => call(here.api(token), key))];
    if (how === 'both') outcomes.push(captureOutcome(() => call(there.api(token), newUuid())));
    const results = await Promise.all(outcomes);
    if (how === 'again') results.push(await captureOutcome(() => call(there.api(token), key)));
    throwIfOverloaded(results);
    const statuses = results.map(({ status }) => status);
    life.trace.push(`${words} (${how}): ${results.map(({ status, message }) => `${status} ${message}`).join(' | ')}`);
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
    const taken = statuses.filter((status) => status === 200).length;
    const refused = statuses.filter((status) => REFUSALS.includes(status)).length;
    expect(taken + refused, `${words}: ${statuses} ${results.map(({ message }) => message)}`).toBe(statuses.length);
    if (verdict === false) expect(taken, `${words} must be refused (${how})`).toBe(0);
    if (verdict === true && how === 'again') expect(statuses, `${words} with one key`).toEqual([200, 200]);
    else if (verdict === true) expect(taken, `${words} must be taken once (${how}: ${statuses})`).toBe(1);
    return taken > 0;
  }

  /** The body of a step that was not planned, with a photo that its actor has uploaded. */
  async function bodyOf(life: Life, leg: Leg, actor: Person, step: LegStep, report: Report, pin: string | null) {
    const place = report.isNear ? { place: await doorOf(life, leg) } : {};
    const photo = report.hasPhoto ? [(await people[actor].api.createFile({ photo: asBlob(SMALL_PHOTO) })).id] : [];
    const reason = report.isUnsafe ? 'unsafe' : (REASONS[step] ?? 'other');
    return { reason, words: 'Said by the test.', fileIds: photo, ...place, ...(pin === null ? {} : { pin }) };
  }
  const DAY_STEPS: readonly string[] = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'];

  const isBusyElsewhere = (lives: readonly Life[], leg: Leg, actor: Person) =>
    DUBERS.some(
      (duber) => duber === actor && lives.some(({ legs }) => legs.some((one) => one !== leg && isBusyWith(one, duber))),
    );

  async function stepLeg(
    lives: readonly Life[],
    life: Life,
    leg: Leg,
    actor: Person,
    step: LegStep,
    wanted?: Partial<Report>,
  ): Promise<void> {
    const report = { ...makeReport(random, step), ...wanted };
    const sides: Partial<Record<LegStep, typeof takerOf>> = { delivered: takerOf, 'brought-back': giverOf };
    const taker = sides[step]?.(leg, life);
    const pin = taker && report.hasProof ? await pinOf(taker, life) : null;
    if (step !== 'collected') report.hasProof = pin !== null;
    const isBusy = isBusyElsewhere(lives, leg, actor);
    const verdict = predictLegStep(leg, actor, step, { now: now(), isBusy, report, town: life.town });
    const bags = report.hasProof && DAY_STEPS.includes(step) ? pick([2, 2, 2, 3]) : undefined;
    const what = `${step} ${leg.type} at ${leg.status} ${JSON.stringify({ ...report, bags })}`;
    const params = { id: leg.id };
    const body = DAY_STEPS.includes(step) ? {} : await bodyOf(life, leg, actor, step, report, pin);
    const taken = await send(life, actor, verdict, what, (api, idempotencyKey) => {
      if (step === 'collected' && bags) return api.collectWithProof({ params, body: { bags }, idempotencyKey });
      if (pin !== null && bags) return api.deliverWithProof({ params, body: { pin, bags }, idempotencyKey });
      if (DAY_STEPS.includes(step)) return api[step as 'collected']({ params, idempotencyKey });
      return api[step as 'correct']({ params, body, idempotencyKey });
    });
    if (taken) applyLegStep(life, leg, actor, step, now(), bags);
  }

  const pinOf = async (taker: Person, { id }: Life) => (await people[taker].api.readCustody({ params: { id } })).pin;
  /** Where the Duber of a delivery is expected now. */
  async function doorOf(life: Life, leg: Leg) {
    const order = await people.bud.api.readOrder({ params: { id: life.id } });
    const scrub = order.scrub.addresses[0] ?? order.budAddress;
    const isPickup = leg.status === 'Way_To_Pick';
    const { latitude, longitude } = isPickup === (leg.type === 'Bud_To_Scrub') ? order.budAddress : scrub;
    return { latitude, longitude };
  }

  async function stepOrder(life: Life, actor: Person, step: OrderStep): Promise<void> {
    const verdict = predictOrderStep(life, actor, step);
    const scrubId = people[otherScrubOf(life)].user.id;
    const params = { id: life.id };
    const taken = await send(life, actor, verdict, `${step} at ${life.status}`, (api, idempotencyKey) => {
      if (step === 'choose-scrub') return api['choose-scrub']({ params, body: { scrubId }, idempotencyKey });
      if (step === 'cancel-accepted' || step === 'give-back')
        return api[step]({ params, body: { reason: REASONS[step] ?? 'other' }, idempotencyKey });
      return api[step]({ params, idempotencyKey });
    });
    if (!taken) return;
    applyOrderStep(life, step, now());
    const type = legFor(life, step);
    if (type === undefined) return;
    const { deliveries } = await people.bud.api.readOrder({ params });
    const id = deliveries.findLast(({ deliveryType }) => deliveryType === type)?.id ?? expect.fail(`no ${type}`);
    life.legs.push(createLeg({ id, type }, now()));
  }

  async function stepWeighing(life: Life, actor: Person, step: weighing.WeighingStep): Promise<void> {
    const report = { pounds: pick(weighing.POUNDS), splits: random() < 0.5 };
    const call = weighing.weighingCall(life, step, report);
    if (!call) return;
    const what = `${step} ${JSON.stringify(report)} at ${life.status}`;
    const taken = await send(life, actor, weighing.predictWeighing(life, actor, step, now()), what, call);
    if (taken) weighing.applyWeighing(life, step, report, now());
  }

  /** Lets time pass, and does what the servers do by themselves then. */
  async function pass(life: Life, ms: number): Promise<void> {
    life.trace.push(`${ms / MINUTE_MS} minutes pass`);
    at(first).advanceClock(ms);
    await runTimersOfBoth(servers());
    applyTime(life, now());
  }

  const legsOf = (life: Life) => life.legs.filter(({ status }) => status !== 'Called_Off');
  const ENDING: readonly OrderStep[] = ['cancel-order', 'reject-order', 'cancel-accepted'];
  /** Every step that must succeed now. Those that end an order are rare, so that lives are long. */
  const openSteps = (lives: readonly Life[], life: Life) => [
    ...ORDER_STEPS.filter((step) => !ENDING.includes(step) || random() < 0.06).flatMap((step) =>
      PEOPLE.filter((actor) => predictOrderStep(life, actor, step) === true).map(
        (actor) => () => stepOrder(life, actor, step),
      ),
    ),
    ...weighing.WEIGHING_STEPS.flatMap((step) =>
      PEOPLE.filter((actor) => weighing.predictWeighing(life, actor, step, now())).map(
        (actor) => () => stepWeighing(life, actor, step),
      ),
    ),
    ...legsOf(life).flatMap((leg) =>
      LEG_STEPS.filter((step) => step !== 'drop-delivery' || random() < 0.2).flatMap((step) =>
        PEOPLE.filter((actor) => predictLegStep(leg, actor, step, easily(lives, life, leg, actor)) === true).map(
          (actor) => () => stepLeg(lives, life, leg, actor, step),
        ),
      ),
    ),
  ];
  const easily = (lives: readonly Life[], life: Life, leg: Leg, actor: Person) => ({
    ...{ now: now(), isBusy: isBusyElsewhere(lives, leg, actor), town: life.town },
    report: { isUnsafe: true, hasPhoto: true, isNear: true, hasProof: true },
  });

  async function begin(): Promise<Life> {
    const town = { isCareful: random() < 0.4 };
    await setPresetForAdmitted(database.db, town.isCareful ? 'careful' : 'open', at(first).now());
    const isSelf = () => !town.isCareful && random() < 0.15;
    const more = { selfDelivery: isSelf(), selfPickup: isSelf() };
    const hasPromo = random() < 0.3;
    const { id } = await placeOrder({ bud: people.bud, scrub: people.scrub }, { ...more, ...termsOf(town, hasPromo) });
    return createLife({ id, town, hasPromo, ...more }, now());
  }

  const hasEnded = ({ status, legs }: Life) =>
    status === 'Cancelled' ||
    status === 'Rejected' ||
    (status === 'Completed' && legs.every((leg) => hasArrivedForGood(leg)));
  const hasArrivedForGood = (leg: Leg) => leg.status === 'Delivered' && now() - leg.changedAt > 10 * MINUTE_MS;

  async function takeSteps(lives: readonly Life[], life: Life): Promise<void> {
    for (let step = 0; step < STEPS_PER_LIFE; step += 1) {
      const kind = chooseWeighted(random, { open: 12, anything: 3, time: 3 });
      const open = openSteps(lives, life);
      if (hasEnded(life)) break;
      if (kind === 'open' && open.length > 0) await pick(open)();
      else if (kind === 'time') await pass(life, pick(JUMPS));
      else if (random() < 0.15) await stepWeighing(life, pick(PEOPLE), pick(weighing.WEIGHING_STEPS));
      else if (random() < 0.3) await stepOrder(life, pick(PEOPLE), pick(ORDER_STEPS));
      else if (life.legs.length > 0) await stepLeg(lives, life, pick(life.legs), pick(PEOPLE), pick(LEG_STEPS));
      if (random() < 0.1) await compareLife(database, people, life);
    }
  }

  async function live(lives: Life[]): Promise<void> {
    const life = await begin();
    lives.push(life);
    try {
      await takeSteps(lives, life);
      await compareLife(database, people, life);
      await finish(lives, life);
      await compareLife(database, people, life);
    } catch (error) {
      if (error instanceof Error) error.message += `\n${describeLife(life)}`;
      throw error;
    }
  }

  /** Ends what the Dubers are doing, so that they are free for the next life. */
  async function finish(lives: readonly Life[], life: Life): Promise<void> {
    for (const leg of life.legs) {
      for (let tries = 1; leg.duber && isBusyWith(leg, leg.duber); tries += 1) {
        expect(tries, `${leg.type} does not end`).toBeLessThan(STEPS_PER_LIFE);
        const step = WAY_ON[leg.status] ?? expect.fail(leg.status);
        await stepLeg(lives, life, leg, leg.duber, step, { hasProof: true });
      }
    }
  }

  test('when something goes wrong, an order and its deliveries follow the tables, and every cent is accounted for', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    for (let left = suite.cases; left > 0; left -= LIVES_PER_AUDIT) {
      const lives: Life[] = [];
      while (lives.length < Math.min(left, LIVES_PER_AUDIT)) await suite.attempt(() => live(lives));
      await checkEverything(database, servers(), lives);
      // The audit advances the clock by days, and sessions expire.
      await signInAgain();
    }
    for (const [status, count] of Object.entries(counts)) suite.recordFigure(`answered ${status}`, count);
    for (const status of [200, ...REFUSALS]) expect(counts[status]).toBeGreaterThan(0);
  });
});
