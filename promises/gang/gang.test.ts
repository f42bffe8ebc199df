import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../testing/random.ts';
import { describePromise, TEST_TIMEOUT_MS } from '../promiseSuite.ts';
import { describeBooks, readGroupBooks, readUnprovenPay } from './gangBooks.ts';
import { budsOf, createGroup, type Group, workersOf } from './gangGroup.ts';
import { type Life, liveAsGang } from './gangLife.ts';
import { GANG_PROMO, type GangTown, openGangTown } from './gangTown.ts';

/** What the platform pays a person a week without looking, in cents: about two trips. */
const PLATFORM_PAY_WEEK = 1_200;

/** What a group may take out of the platform: the bound of its workers, and what the town gives away to its Buds. */
const mayTake = (group: Group): number =>
  workersOf(group).length * group.weeks * PLATFORM_PAY_WEEK +
  (group.kind === 'friends' ? budsOf(group).length * GANG_PROMO.maxUsesPerBud * GANG_PROMO.value : 0);

describePromise('gang', (suite) => {
  let town: GangTown;
  let [steps, most] = [0, Number.NEGATIVE_INFINITY];
  beforeAll(async () => {
    town = await openGangTown();
  }, TEST_TIMEOUT_MS);
  afterAll(() => town?.close());

  async function judge({ group, trace }: Life, seed: number): Promise<void> {
    const [buds, workers] = [budsOf(group), workersOf(group)];
    const books = await readGroupBooks(town.db, { buds, workers });
    const taken =
      group.kind === 'friends'
        ? books.takenOut - books.paidIn
        : await readUnprovenPay(town.db, workers, group.preset === 'careful');
    most = Math.max(most, taken);
    const who = `${group.kind}, ${group.preset}, ${workers.length} workers, ${group.weeks} weeks`;
    const why = [`PROMISE_SEED=${seed} PROMISE_CASES=1: ${who}`, describeBooks(books), ...trace].join('\n  ');
    expect(taken, why).toBeLessThanOrEqual(mayTake(group));
  }

  test('no gang takes more out of the platform than its bounds', { timeout: TEST_TIMEOUT_MS }, async () => {
    for (let n = 0; n < suite.cases; n += 1) {
      await suite.attempt(async () => {
        const random = createRandom(suite.seed + n);
        const life = await liveAsGang(town, await createGroup(town, random), random);
        steps += Object.values(life.counts).reduce((sum, count) => sum + count, 0);
        await judge(life, suite.seed + n);
      });
    }
    suite.recordFigure('steps sent', steps);
    suite.recordFigure('most that a gang took, in cents', most);
  });
});
