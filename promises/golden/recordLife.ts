import { sql } from 'kysely';
import { DAY_MS } from '../../domain/durations.ts';
import { queryRows } from '../../server/db/database.ts';
import { REVIEW } from '../../testing/orderSteps.ts';
import { captureOutcome } from '../callOutcome.ts';
import { PEOPLE } from '../lifeWorld.ts';
import type { Life } from '../orderLife.ts';
import { begin, finish, takeSteps } from '../randomLife.ts';
import { type Ids, readEverything, readLife } from './reads.ts';
import type { Town } from './town.ts';
import { type GoldenWorld, openGoldenWorld } from './world.ts';

/** What a build answered in the life with a seed. */
export type RecordedLife = { readonly seed: number; readonly lines: readonly string[] };

/** Claims, captures and payouts are settled by then. */
const DAYS_AFTERWARDS = 10;

async function idsOf({ database: { db }, people }: GoldenWorld, life: Life): Promise<Ids> {
  const cases = await queryRows<{ id: string }>(db, sql`select id from cases where order_id = ${life.id} order by no`);
  const bags = await queryRows<{ code: string }>(db, sql`select code from bags where order_id = ${life.id} order by n`);
  return {
    orders: [life.id],
    deliveries: life.deliveries.map(({ id }) => id),
    cases: cases.map(({ id }) => id),
    people: PEOPLE.map((person) => people[person].user.id),
    bags: bags.map(({ code }) => code),
  };
}

async function makeBags({ people }: GoldenWorld, { id }: Life): Promise<void> {
  await captureOutcome(() => people.bud.api.makeBags({ params: { id }, body: { bags: 2 } }));
}

/** Everybody reviews everybody, where they may. */
async function review({ people, settle }: GoldenWorld, life: Life): Promise<void> {
  const params = { id: life.id };
  const { bud, scrub } = { ...people, scrub: people[life.scrub] };
  const about = { scrubId: scrub.user.id, budId: bud.user.id };
  await captureOutcome(() => bud.api.reviewToScrub({ params, body: { ...REVIEW, scrubId: about.scrubId } }));
  await captureOutcome(() => scrub.api.reviewToBud({ params, body: { ...REVIEW, budId: about.budId } }));
  for (const { id, duber } of life.deliveries) {
    if (!duber) continue;
    const body = { ...REVIEW, duberId: people[duber].user.id };
    await captureOutcome(() => bud.api.reviewToDuber({ params: { id }, body }));
  }
  await settle();
}

/** Reads the life after each step that was taken, and when time has passed. */
function lookAfterChanges() {
  let seen = 0;
  return async (world: GoldenWorld, life: Life) => {
    if (world.changes() === seen) return;
    seen = world.changes();
    const open = await queryRows<{ id: string }>(
      world.database.db,
      sql`select id from cases where order_id = ${life.id} and status not in ('decided', 'closed') order by no`,
    );
    await readLife(
      world,
      life,
      open.map(({ id }) => id),
    );
  };
}

async function live(world: GoldenWorld): Promise<void> {
  const life = await begin(world);
  world.lives.push(life);
  await makeBags(world, life);
  await world.settle();
  await takeSteps(world, life, lookAfterChanges());
  await finish(world, life);
  await review(world, life);
  for (let day = 0; day < DAYS_AFTERWARDS; day += 1) {
    await world.advanceClock(DAY_MS);
    await world.runTimers();
  }
  await readEverything(world, await idsOf(world, life));
}

/** More are not recorded again: then it is the build that has trouble. */
const MAX_TRIES = 5;

async function recordOnce(town: Town, seed: number): Promise<{ lines: readonly string[]; hadTrouble: boolean }> {
  const world = await openGoldenWorld(town, seed);
  const { recorder } = world;
  try {
    await live(world).catch((error: Error) => recorder.noteTrouble(`the life ended: ${error.message}`));
    return { lines: recorder.lines, hadTrouble: recorder.hadTrouble() };
  } finally {
    await world.close();
  }
}

/** Lives the life with a seed, again if there was trouble, as on a busy machine. Trouble that stays is a line of the life. */
export async function recordLife(town: Town, seed: number): Promise<RecordedLife> {
  for (let tries = 1; ; tries += 1) {
    const isLast = tries === MAX_TRIES;
    const recorded = await recordOnce(town, seed).catch((error: Error) => {
      if (isLast) throw error;
      return { lines: [`trouble: ${error.message}`], hadTrouble: true };
    });
    if (!recorded.hadTrouble || isLast) return { seed, lines: recorded.lines };
    const trouble = recorded.lines.find((line) => line.startsWith('trouble'));
    process.stderr.write(`golden: life ${seed} is recorded again after ${trouble}\n`);
  }
}
