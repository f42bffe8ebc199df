import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../domain/durations.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import { openWeighings, type Weighings } from '../../testing/weighings.ts';
import { queryRows, transact } from '../db/database.ts';
import { Refusal } from '../http/refusals.ts';
import { lockPayment } from '../payments/ledger/orderLedger.sql.ts';

const ROUNDS = 3;
const [SMALL, LARGE, XL, WAYS] = [1792, 3574, 5653, 1198];
const UP_TO_LARGE = { ceilingSize: 'Large' };
const PAY = { answer: 'pay', price: XL / 100, paymentSourceId: 'cnon:ok' } as const;

// One session cannot race with itself.
describe('eight at once at an order that is weighed', () => {
  let town: Weighings;
  beforeAll(async () => {
    town = await openWeighings('postgres');
    await town.sell('XL', 15);
  });
  afterAll(() => town?.close());

  type Racer = () => Promise<unknown>;
  /** Starts all kinds at once, eight in all. Returns how many of each were not refused; anything but a refusal fails the test. */
  const race = async (...kinds: readonly Racer[]): Promise<number[]> => {
    const racers = Array.from({ length: 8 / kinds.length }, () => kinds).flat();
    const outcomes = await Promise.allSettled(racers.map((start) => start()));
    const wrong = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(wrong.filter((reason) => !(reason instanceof Refusal))).toEqual([]);
    return kinds.map(
      (_, kind) => outcomes.filter(({ status }, at) => at % kinds.length === kind && status === 'fulfilled').length,
    );
  };
  const rounds = async (work: () => Promise<void>) => {
    for (let round = 0; round < ROUNDS; round += 1) await work();
  };
  const stepsOf = async (id: string, action: string) =>
    (await town.stateOf(id)).steps.filter((step) => step.split(' ')[1] === action).length;
  /** What the card has paid is what the order costs, and the ledger agrees. */
  const settle = async (id: string, cents?: number) => {
    await town.runPayments();
    const [, costs] = await town.priceOf(id);
    expect(town.paid(id)).toBe(costs);
    if (cents !== undefined) expect(costs).toBe(cents);
    expect(await town.problemsOf(id)).toEqual([]);
  };

  test('two weights: one counts, and it is charged once', () =>
    rounds(async () => {
      const id = await town.start(UP_TO_LARGE);
      const [light, heavy] = await race(
        () => town.weigh(id, 2),
        () => town.weigh(id, 7),
      );
      expect((light ?? 0) + (heavy ?? 0)).toBe(1);
      expect(await stepsOf(id, 'weigh')).toBe(1);
      await settle(id, light === 1 ? SMALL : LARGE);
    }));

  test('weigh and complete: nothing is completed that was not weighed', () =>
    rounds(async () => {
      const id = await town.start(UP_TO_LARGE);
      const [weighed, completed] = await race(
        () => town.weigh(id, 2),
        () => town.press('complete-order', id),
      );
      expect(weighed).toBe(1);
      const { steps } = await town.stateOf(id);
      if (completed === 1) expect(steps.slice(-2)).toEqual(['1 weigh Scrub', '1 complete-order Scrub']);
      else await town.press('complete-order', id);
      await settle(id, SMALL);
    }));

  /** The steps that wait for a lock. On a connection of its own lane: the others are in use. */
  const waitForLocks = (count: number) => waitForLockWaits(town.harness.database.stepDb, count);

  /** Completes an order while a step changes its price: the completion starts before that ends, and goes on afterwards. */
  const completeDuring = async (id: string, change: Racer): Promise<void> => {
    const { db } = town.context;
    const { steps } = await holdTransaction(db, async (tx) => {
      await lockPayment(tx, id);
      const changing = change();
      await waitForLocks(1);
      // It waits for the step that has read the weights, and later readers wait for it.
      const locking = transact(db, (other) => queryRows(other, sql`lock table weighings in access exclusive mode`));
      await waitForLocks(2);
      const completing = town.press('complete-order', id);
      await waitForLocks(3);
      return { steps: [changing, locking, completing] };
    });
    await Promise.all(steps);
  };

  test('a weight that ends while a completion begins: the Scrub earns what is charged', async () => {
    const id = await town.start(UP_TO_LARGE);
    await completeDuring(id, () => town.weigh(id, 2));
    await settle(id, SMALL);
    expect(await town.earned(id)).toMatchObject({ scrub: 500 });
  });

  test('an answer that ends while a completion begins: the Scrub earns what is charged', async () => {
    const id = await town.start(UP_TO_LARGE);
    await town.weigh(id, 12);
    await completeDuring(id, () => town.answer(id, { answer: 'send-back' }));
    await settle(id, WAYS);
    expect(await town.earned(id)).toEqual({ duber: 599 });
  });

  test('an answer and its clock: one of them decides', () =>
    rounds(async () => {
      const id = await town.start(UP_TO_LARGE);
      await town.weigh(id, 12, { splits: true });
      town.pass(2 * HOUR_MS);
      const [sent] = await race(() => town.answer(id, { answer: 'send-back' }), town.runTimers);
      const decided = (await stepsOf(id, 'send-back')) + (await stepsOf(id, 'unanswered'));
      expect([decided, sent]).toEqual([1, await stepsOf(id, 'send-back')]);
      await settle(id, sent === 1 ? WAYS : LARGE);
    }));

  test('two answers, one of them with a card: one counts, and one hold is charged', () =>
    rounds(async () => {
      const id = await town.start(UP_TO_LARGE);
      await town.weigh(id, 12, { splits: true });
      const counts = await race(
        () => town.answer(id, PAY),
        () => town.answer(id, { answer: 'keep' }),
        () => town.answer(id, { answer: 'send-back' }),
        () => town.answer(id, PAY),
      );
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
      const [paid, kept, sent] = [(counts[0] ?? 0) + (counts[3] ?? 0), counts[1], counts[2]];
      await settle(id, paid === 1 ? XL : kept === 1 ? LARGE : sent === 1 ? WAYS : -1);
    }));

  test('the same answer with a card, sent eight times with one key: one hold is charged', async () => {
    const id = await town.start(UP_TO_LARGE);
    await town.weigh(id, 12);
    await race(() => town.answer(id, PAY, `key ${id}`));
    expect(await stepsOf(id, 'pay')).toBe(1);
    await settle(id, XL);
  });

  test('weigh and cancel by the town: what is charged of a cancelled order goes back', () =>
    rounds(async () => {
      const id = await town.start({ ...UP_TO_LARGE, selfDelivery: true });
      await race(
        () => town.weigh(id, 7),
        () => town.asTown('cancel-by-operator', id, { reason: 'asked', wayHome: 'bring', waysPaidBy: 'platform' }),
      );
      await town.runPayments();
      expect(town.paid(id)).toBe(0);
      expect(await town.stateOf(id)).toMatchObject({ status: 'Cancelled', unearned: 0 });
      expect(await town.problemsOf(id)).toEqual([]);
    }));

  test('weigh and the charge of the estimate after 6 days: nothing is charged twice', () =>
    rounds(async () => {
      const id = await town.start(UP_TO_LARGE);
      town.pass(6 * 24 * HOUR_MS);
      const [weighed] = await race(() => town.weigh(id, 2), town.runTimers);
      expect(weighed).toBe(1);
      await settle(id, SMALL);
    }));
});
