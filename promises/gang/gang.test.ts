import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../testing/random.ts';
import { describePromise, TEST_TIMEOUT_MS } from '../promiseSuite.ts';
import { budsOf, createGroup, type Group, workersOf } from './gangGroup.ts';
import { liveAsGang, playTrick } from './gangLife.ts';
import { describeMoney, readGroupMoney, readUnprovenEarning } from './gangMoney.ts';
import type { Life } from './gangSteps.ts';
import { GANG_PROMO, type GangTown, openGangTown } from './gangTown.ts';
import { TRICKS } from './gangTricks.ts';

/** What the platform pays a person a week without looking, in cents: about two trips. */
const PLATFORM_PAY_WEEK = 1_200;

/** What a group may take out of the platform: the bound of its workers, and what the town gives away to its Buds. */
function mayTake(group: Group, given: number): number {
  const ofCodes = Math.min(given, budsOf(group).length * GANG_PROMO.maxUsesPerBud * GANG_PROMO.value);
  return workersOf(group).length * group.weeks * PLATFORM_PAY_WEEK + ofCodes;
}

describePromise('gang', (suite) => {
  let town: GangTown;
  let [steps, most] = [0, Number.NEGATIVE_INFINITY];
  beforeAll(async () => {
    town = await openGangTown();
  }, TEST_TIMEOUT_MS);
  afterAll(() => town?.close());

  async function judge({ group, trace }: Life, how: string): Promise<void> {
    const [buds, workers] = [budsOf(group), workersOf(group)];
    const money = await readGroupMoney(town.db, { buds, workers });
    const taken =
      group.kind === 'friends'
        ? money.takenOut - money.paidIn - money.byTown
        : await readUnprovenEarning(town.db, workers, group.preset === 'careful');
    most = Math.max(most, taken);
    const who = `${group.kind}, ${group.preset}, ${workers.length} workers, ${group.weeks} weeks`;
    const why = [`${how}: ${who}`, describeMoney(money), ...trace].join('\n  ');
    expect(taken, why).toBeLessThanOrEqual(mayTake(group, money.given));
  }

  // A trick of which one step is refused becomes honest, so the mutants show that each trick is still played.
  test.each(TRICKS)('nobody takes more than the bounds when $name', { timeout: TEST_TIMEOUT_MS }, async (trick) => {
    const life = await playTrick(town, trick, suite.random);
    await judge(life, 'a trick of before');
  });

  const lives = Array.from({ length: suite.cases }, (_, index) => ({ seed: suite.seed + index }));
  test.each(lives)('the gang of seed $seed takes no more than its bounds', { timeout: TEST_TIMEOUT_MS }, ({ seed }) =>
    suite.attempt(async () => {
      const random = createRandom(seed);
      const life = await liveAsGang(town, await createGroup(town, random), random);
      steps += Object.values(life.counts).reduce((sum, count) => sum + count, 0);
      await judge(life, `PROMISE_SEED=${seed} PROMISE_CASES=1`);
      suite.recordFigure('steps sent', steps);
      suite.recordFigure('most that a gang took, in cents', most);
    }),
  );
});
