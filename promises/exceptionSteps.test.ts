import { afterAll, beforeAll, expect, test } from 'vitest';
import { explained } from '../testing/explained.ts';
import { traceOrder } from '../testing/orderTrace.ts';
import { isOverloaded } from './callOutcome.ts';
import { checkEverything, compareLife, describeLife } from './exceptionChecks.ts';
import { openWorld, REFUSALS, type World } from './lifeWorld.ts';
import type { Life } from './orderLife.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { begin, finish, takeSteps } from './randomLife.ts';

const LIVES_PER_AUDIT = 100;

const compare = ({ database, people }: World, life: Life) => compareLife(database, people, life);

async function live(world: World): Promise<void> {
  const life = await begin(world);
  world.lives.push(life);
  try {
    await explained(
      async () => `${describeLife(life)}\n${await traceOrder(world.database.db, life.id)}`,
      async () => {
        await takeSteps(world, life, async () => (world.random() < 0.1 ? compare(world, life) : undefined));
        await compare(world, life);
        await finish(world, life);
        await compare(world, life);
      },
    );
  } catch (error) {
    if (isOverloaded(error)) await dropLife(world, life);
    throw error;
  }
}

/** A step of the life may have been taken or not, so its Dubers may be busy: others drive in the next ones. */
async function dropLife(world: World, life: Life): Promise<void> {
  world.lives.splice(world.lives.indexOf(life), 1);
  await world.replaceDubers();
}

describePromise('unplanned-steps', (suite) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(suite.random);
  }, TEST_TIMEOUT_MS);
  afterAll(() => world?.close());

  test('when something goes wrong, an order and its deliveries follow the tables, and every cent is accounted for', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    for (let left = suite.cases; left > 0; left -= LIVES_PER_AUDIT) {
      const until = world.lives.length + Math.min(left, LIVES_PER_AUDIT);
      while (world.lives.length < until) await suite.attempt(() => live(world));
      await checkEverything(world, world.lives.slice(-LIVES_PER_AUDIT));
    }
    for (const [status, count] of Object.entries(world.counts)) suite.recordFigure(`answered ${status}`, count);
    for (const status of [200, ...REFUSALS]) expect(world.counts[status]).toBeGreaterThan(0);
  });
});
