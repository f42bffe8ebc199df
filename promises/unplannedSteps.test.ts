import { sql } from 'kysely';
import { v4 as newUuid } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../contract/client.ts';
import { type Database, openServerDatabase, queryRows } from '../server/db/database.ts';
import { findAuditProblems } from '../server/payments/audit.sql.ts';
import { placeOrder } from '../testing/orderSteps.ts';
import { chooseWeighted } from '../testing/random.ts';
import { openTestServer, type TestServer, type TestUser } from '../testing/testServer.ts';
import { waitFor } from '../testing/waits.ts';
import { captureOutcome, throwIfOverloaded } from './callOutcome.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import {
  applyLegStep,
  applyOrderStep,
  type Duber,
  isBusyWith,
  LEG_STEPS,
  type Leg,
  type LegStep,
  type Life,
  legFor,
  ORDER_STEPS,
  type OrderStep,
  type Person,
  predictLegStep,
  predictOrderStep,
  type Report,
  type Verdict,
} from './unplannedModel.ts';

const PEOPLE: readonly Person[] = ['bud', 'scrub', 'otherScrub', 'duber', 'otherDuber'];
const DUBERS: readonly Duber[] = ['duber', 'otherDuber'];
const REFUSALS = [403, 404, 409];
const STEPS_PER_LIFE = 40;
const MINUTE_MS = 60_000;
const JUMPS_MS = { short: MINUTE_MS, wait: 5 * MINUTE_MS, undo: 11 * MINUTE_MS, hours: 5 * 60 * MINUTE_MS };
const REASONS: Partial<Record<LegStep | OrderStep, string>> = {
  'drop-delivery': 'breakdown',
  'pickup-failed': 'nobody-home',
  'drop-failed': 'nobody-home',
  'cancel-accepted': 'changed-mind',
  'give-back': 'ill',
};

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

  type Send = (api: Client, idempotencyKey: string) => Promise<unknown>;

  /** Sends a step once, at both servers at once, or twice with one key as after a lost answer. Whether it was taken. */
  async function send(person: Person, verdict: Verdict, words: string, call: Send): Promise<boolean> {
    const how = chooseWeighted(random, { once: 6, both: 2, again: 1 });
    const { token } = people[person];
    const [here, there] = random() < 0.5 ? [at(first), at(second)] : [at(second), at(first)];
    const key = newUuid();
    const outcomes = [captureOutcome(() => call(here.api(token), key))];
    if (how === 'both') outcomes.push(captureOutcome(() => call(there.api(token), newUuid())));
    const results = await Promise.all(outcomes);
    if (how === 'again') results.push(await captureOutcome(() => call(there.api(token), key)));
    throwIfOverloaded(results);
    const statuses = results.map(({ status }) => status);
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
    const taken = statuses.filter((status) => status === 200).length;
    const refused = statuses.filter((status) => REFUSALS.includes(status)).length;
    expect(taken + refused, `${words}: ${statuses} ${results.map(({ message }) => message)}`).toBe(statuses.length);
    if (verdict === false) expect(taken, `${words} must be refused (${how})`).toBe(0);
    if (verdict === true && how === 'again') expect(statuses, `${words} with one key`).toEqual([200, 200]);
    else if (verdict === true) expect(taken, `${words} must be taken once (${how}: ${statuses})`).toBe(1);
    return taken > 0;
  }

  const bodyOf = (step: LegStep | OrderStep, report: Report, place: { latitude: number; longitude: number }) => ({
    reason: report.isUnsafe ? 'unsafe' : (REASONS[step] ?? 'other'),
    words: 'Said by the test.',
    ...(report.hasPhoto ? { fileIds: [newUuid()] } : {}),
    ...(report.isNear ? { place } : {}),
  });

  const DAY_STEPS: readonly string[] = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'];

  async function stepLeg(lives: readonly Life[], life: Life, leg: Leg, actor: Person, step: LegStep): Promise<void> {
    const fails = step === 'pickup-failed' || step === 'drop-failed';
    const report = { isUnsafe: fails && random() < 0.2, hasPhoto: random() < 0.7, isNear: random() < 0.7 };
    const isBusy = DUBERS.some(
      (duber) => duber === actor && lives.some(({ legs }) => legs.some((one) => isBusyWith(one, duber) && one !== leg)),
    );
    const verdict = predictLegStep(leg, actor, step, { now: now(), isBusy, report });
    const place = await doorOf(life, leg);
    const words = `${actor} ${step} at ${leg.status}${leg.hasLaundry ? ' with laundry' : ''}`;
    const taken = await send(actor, verdict, words, (api, idempotencyKey) =>
      DAY_STEPS.includes(step)
        ? api[step as 'collected']({ params: { id: leg.id }, idempotencyKey })
        : api[step as 'correct']({ params: { id: leg.id }, body: bodyOf(step, report, place), idempotencyKey }),
    );
    if (taken) applyLegStep(life, leg, actor, step, now());
  }

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
    const chosen = life.scrub === 'scrub' ? 'otherScrub' : 'scrub';
    const words = `${actor} ${step} at ${life.status}`;
    const params = { id: life.id };
    const taken = await send(actor, verdict, words, (api, idempotencyKey) => {
      if (step === 'choose-scrub') {
        const body = { scrubId: people[chosen].user.id };
        return api['choose-scrub']({ params, body, idempotencyKey });
      }
      if (step === 'cancel-accepted' || step === 'give-back')
        return api[step]({ params, body: { reason: REASONS[step] ?? 'other' }, idempotencyKey });
      return api[step]({ params, idempotencyKey });
    });
    if (!taken) return;
    applyOrderStep(life, step, chosen);
    const type = legFor(life, step);
    if (type === undefined) return;
    const { deliveries } = await people.bud.api.readOrder({ params });
    const id = deliveries.findLast(({ deliveryType }) => deliveryType === type)?.id ?? expect.fail(`no ${type}`);
    life.legs.push({
      ...{ id, type, status: 'Pending', duber: undefined, hasLaundry: false, isLost: false, arrivedAt: undefined },
      ...{ changedAt: now(), collectedAt: 0, wasOfferedAgain: false, dropper: undefined },
    });
  }

  /** Lets time pass, and waits for what the servers do by themselves. */
  async function pass(life: Life, ms: number): Promise<void> {
    at(first).advanceClock(ms);
    await waitFor(async () => {
      const due = await queryRows(database.db, sql`select from timers where due_at <= ${at(first).now()}`);
      if (due.length > 0) throw new Error('timers are due');
    });
    const { status } = await people.bud.api.readOrder({ params: { id: life.id } });
    if (status === life.status) return;
    expect([life.status, status, ms]).toEqual(['Requested', 'Cancelled', JUMPS_MS.hours]);
    life.status = status;
  }

  async function compare(life: Life): Promise<void> {
    const params = { id: life.id };
    const order = await people.bud.api.readOrder({ params });
    expect([order.status, order.scrubId]).toEqual([life.status, people[life.scrub].user.id]);
    expect(order.deliveries.map(({ id, status, hasLaundry }) => ({ id, status, hasLaundry }))).toEqual(
      life.legs.map(({ id, status, hasLaundry }) => ({ id, status, hasLaundry })),
    );
    for (const leg of order.deliveries) {
      const kept = life.legs.find(({ id }) => id === leg.id);
      if (leg.status !== 'Called_Off') expect(leg.duberId).toBe(kept?.duber ? people[kept.duber].user.id : null);
    }
  }

  const legsOf = (life: Life) => life.legs.filter(({ status }) => status !== 'Called_Off');
  /** Every step that must succeed now. */
  const openSteps = (lives: readonly Life[], life: Life) => [
    ...ORDER_STEPS.flatMap((step) =>
      PEOPLE.filter((actor) => predictOrderStep(life, actor, step) === true).map(
        (actor) => () => stepOrder(life, actor, step),
      ),
    ),
    ...legsOf(life).flatMap((leg) =>
      LEG_STEPS.flatMap((step) =>
        PEOPLE.filter((actor) => predictLegStep(leg, actor, step, EASY()) === true).map(
          (actor) => () => stepLeg(lives, life, leg, actor, step),
        ),
      ),
    ),
  ];
  const EASY = () => ({ now: now(), isBusy: false, report: { isUnsafe: true, hasPhoto: true, isNear: true } });

  async function live(lives: Life[]): Promise<void> {
    const { id } = await placeOrder({ bud: people.bud, scrub: people.scrub });
    const life: Life = { id, status: 'Requested', scrub: 'scrub', givenBackBy: undefined, legs: [], holder: 'bud' };
    lives.push(life);
    for (let step = 0; step < STEPS_PER_LIFE; step += 1) {
      const kind = chooseWeighted(random, { open: 12, anything: 3, time: 3 });
      const open = openSteps(lives, life);
      if (kind === 'open' && open.length > 0) await pick(open)();
      else if (kind === 'time')
        await pass(life, pick([...Object.values(JUMPS_MS).slice(0, 3), ...Object.values(JUMPS_MS)]));
      else if (random() < 0.3) await stepOrder(life, pick(PEOPLE), pick(ORDER_STEPS));
      else if (life.legs.length > 0) await stepLeg(lives, life, pick(life.legs), pick(PEOPLE), pick(LEG_STEPS));
    }
    await compare(life);
    await finish(lives, life);
  }

  const WAY_ON: Readonly<Record<string, LegStep>> = {
    Accepted: 'drop-delivery',
    Way_To_Pick: 'drop-delivery',
    Collected: 'way-to-drop',
    Way_To_Drop: 'delivered',
    Failed: 'bring-back',
    Way_Back: 'brought-back',
  };

  /** Ends what the Dubers are doing, so that they are free for the next life. */
  async function finish(lives: readonly Life[], life: Life): Promise<void> {
    for (const leg of life.legs) {
      while (leg.duber && isBusyWith(leg, leg.duber)) {
        const step = WAY_ON[leg.status] ?? expect.fail(leg.status);
        await stepLeg(lives, life, leg, leg.duber, step);
      }
    }
  }

  test('whatever goes wrong, an order and its deliveries follow the tables, and every cent is accounted for', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const lives: Life[] = [];
    while (lives.length < suite.cases) await suite.attempt(() => live(lives));
    const busy = await queryRows<{ duber_id: string }>(
      database.db,
      sql`select duber_id from deliveries where status in ('Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back')
        or (status = 'Failed' and has_laundry) group by duber_id having count(*) > 1`,
    );
    expect(busy).toEqual([]);
    expect(await findAuditProblems(database.db)).toEqual([]);
    for (const [status, count] of Object.entries(counts)) suite.recordFigure(`answered ${status}`, count);
    for (const status of [200, ...REFUSALS]) expect(counts[status]).toBeGreaterThan(0);
  });
});
