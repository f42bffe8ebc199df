import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts';
import { SETTLE_PROMISE_MS } from '../domain/promises.ts';
import { AT_THE_DOOR } from '../testing/deliveries.ts';
import { CREDIT, openPromisedOrders, type PromisedOrders } from '../testing/promisedOrders.ts';
import { drawLife, type Life, type Outcome, outcomeOf } from './missedPromiseModel.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';

/** The ledger is read as a whole, which takes longer with each life. */
const LIVES_PER_AUDIT = 100;
const AGAIN = { reason: 'not-clean', waysPaidBy: 'platform' };

describePromise('missed-promises', (suite) => {
  let orders: PromisedOrders;
  const seen: Partial<Record<Outcome, number>> = {};
  beforeAll(async () => {
    orders = await openPromisedOrders('postgres');
  }, TEST_TIMEOUT_MS);
  afterAll(() => orders?.close());

  test(
    'there is one credit for each missed promise, from who had the laundry then, and none for a promise that was kept or that the Bud made impossible',
    async () => {
      for (let n = 1; n <= suite.cases; n += 1) {
        const outcome = await liveOnce();
        seen[outcome] = (seen[outcome] ?? 0) + 1;
        if (n % LIVES_PER_AUDIT === 0 || n === suite.cases) await orders.audit();
        suite.countCases();
      }
      for (const [outcome, lives] of Object.entries(seen)) suite.recordFigure(outcome, lives);
    },
    TEST_TIMEOUT_MS,
  );

  async function liveOnce(): Promise<Outcome> {
    const times = orders.nextTimes();
    const life = drawLife(times, suite.random);
    await orders.setCredit(life.credit);
    const { id } = await orders.accept({ selfDelivery: life.isBroughtByBud });
    orders.pass(MINUTE_MS);
    await orders.setCredit(life.creditLater);
    await play(id, life);
    const outcome = outcomeOf(life, times);
    const paidBefore = orders.paid(id);
    await orders.passUntil(Math.max(orders.now(), times.promisedAt + SETTLE_PROMISE_MS + MINUTE_MS));
    await orders.runPayments();
    const fee = outcome === 'platform' ? await orders.feeOf(id) : 0;
    const isBorne = outcome === 'scrub' || outcome === 'duber';
    const cents = isBorne ? CREDIT : Math.min(CREDIT, fee);
    const bearer = outcome === 'scrub' ? orders.scrub().id : outcome === 'duber' ? orders.duber().id : null;
    expect(await found(id), describeLife(life, times)).toEqual({
      ...{ outcome, credits: cents > 0 ? [[outcome, cents, bearer]] : [] },
      cases: isBorne ? [bearer] : [],
    });
    if (life.end !== 'cancelled') expect(paidBefore - orders.paid(id), describeLife(life, times)).toBe(cents);
    return outcome;
  }

  async function found(id: string) {
    const { db } = orders.context;
    const row = await orders.missed(id);
    const credits = await db
      .selectFrom('refunds')
      .select(['liable', 'amount', 'liable_user'])
      .where('order_id', '=', id)
      .where('reason', '=', 'The promised time was missed')
      .where('state', '=', 'refunded')
      .execute();
    const unpaid = row?.state === 'unpaid' && row.reason !== 'cancelled' ? row.reason : 'nothing';
    return {
      outcome: row?.state === 'paid' ? row.liable : unpaid,
      credits: credits.map(({ liable, amount, liable_user }) => [liable, amount, liable_user]),
      cases: (await orders.casesOf(id)).flatMap(({ kind, about }) => (kind === 'refund' ? about : [])),
    };
  }

  async function play(id: string, life: Life): Promise<void> {
    const { toDuber, toScrub, done, toDuberAgain, arrived, back, end, door, isOffline } = life;
    const at = async (time: number) => {
      orders.pass(Math.max(0, time - orders.now()));
      if (life.runsTimers()) await orders.runTimers();
    };
    /** A phone without a network sends the step later, with the time at which it was taken. */
    const take = async (isSentLater: boolean, time: number, ...steps: readonly Parameters<typeof orders.step>[1][]) => {
      if (!isSentLater) await at(time);
      for (const step of steps) await orders.step(id, step, isSentLater ? { takenAt: time } : {});
    };
    if (life.isBroughtByBud) await at(toScrub);
    else {
      await at(toDuber - MINUTE_MS);
      for (const step of ['accept-delivery', 'way-to-pickup'] as const) await orders.step(id, step);
      if (isOffline.there) await at(done);
      await take(isOffline.there, toDuber, 'collected', 'way-to-drop');
      await take(isOffline.there, toScrub, 'delivered');
    }
    await orders.press('start-order', id);
    await at(done);
    if (end === 'cancelled') {
      await at(life.cancelled);
      await orders.asTown('cancel-by-operator', id, { reason: 'nobody-can', wayHome: 'fetch' });
      return;
    }
    await orders.press('complete-order', id);
    for (const step of ['accept-delivery', 'way-to-pickup'] as const) await orders.step(id, step);
    if (isOffline.back) await at(back + 2 * HOUR_MS);
    await take(isOffline.back, toDuberAgain, 'collected', 'way-to-drop');
    if (door === 'mistake') {
      await take(false, arrived, 'delivered');
      await at(arrived + MINUTE_MS);
      await orders.step(id, 'correct');
    } else if (door !== 'silent') {
      await at(arrived);
      await orders.step(id, 'arrived-at-drop', { place: AT_THE_DOOR });
    }
    if (door === 'photo') {
      await at(arrived + 6 * MINUTE_MS);
      await orders.failDrop(id);
    }
    if (door === 'unsafe') await orders.step(id, 'drop-failed', { reason: 'unsafe' });
    if (door === 'photo' || door === 'unsafe') await orders.step(id, 'try-again');
    await take(isOffline.back, back, 'delivered');
    if (end !== 'again') return;
    await at(back + HOUR_MS);
    await orders.asTown('reopen', id, AGAIN);
    if (!life.isBroughtByBud) await orders.bringHome(id, 'delivered', 2);
    await orders.press('complete-order', id);
    await orders.bringHome(id, 'delivered', 2);
  }

  const describeLife = (life: Life, times: object) =>
    JSON.stringify({ ...times, ...life }, (_, value: unknown) =>
      typeof value === 'number' ? new Date(value).toISOString() : value,
    );
});
