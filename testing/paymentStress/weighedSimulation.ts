import { sql } from 'kysely';
import { toGrams } from '../../domain/weighing.ts';
import type { Tx } from '../../server/db/database.ts';
import { transact } from '../../server/db/database.ts';
import { answerCorrection } from '../../server/orders/corrections.ts';
import { weighOrder } from '../../server/orders/weigh.ts';
import { chargeEstimate } from '../../server/payments/charge/weighedPayments.ts';
import { setPolicy } from '../../server/town/policies.sql.ts';
import { chooseWeighted } from '../random.ts';
import { type Simulation, tryCall } from './simulation.ts';
import type { Bud, Users } from './users.ts';

type Scrub = Users['scrubs'][number];

/** From now on, orders are weighed before their cards are charged. */
export async function startWeighing(db: Tx, now: Date): Promise<void> {
  await setPolicy(db, { name: 'weighing', value: 'careful', setBy: 'the storm' }, now);
  const sizes = [
    { item: 'size-XL', value: 15 },
    { item: 'size-XXL', value: 25 },
  ] as const;
  await db
    .insertInto('prices')
    .values(sizes.map((size) => ({ ...size, valid_from: now })))
    .execute();
}

const MAX_TRIES = 4;

/** Brings the laundry of an order to its Scrub, who weighs it, and answers for the Bud. Does nothing with an order that is not weighed. */
export async function weighAndAnswer(
  simulation: Simulation,
  orderId: string,
  { bud, scrub, bring }: { readonly bud: Bud; readonly scrub: Scrub; readonly bring: () => Promise<void> },
): Promise<void> {
  const { random } = simulation;
  if ((await readState(simulation, orderId)).limit === null) return;
  await bring();
  const early = random() < 0.15 ? chargeEarly(simulation, orderId) : undefined;
  const grams = toGrams(1 + Math.floor(random() * 14));
  const splits = random() < 0.5;
  const weigh = () =>
    tryCall(() =>
      weighOrder(simulation.context(), scrub, { id: orderId, grams, fileIds: [], splits, requestKey: null }),
    );
  for (let tries = 0; tries < MAX_TRIES && (await readState(simulation, orderId)).weights === 0; tries += 1)
    await Promise.all(random() < 0.2 ? [weigh(), weigh()] : [weigh()]);
  await early;
  const { asked } = await readState(simulation, orderId);
  // Some Buds say nothing: the clock ends the question.
  if (asked === null || random() < 0.2) return;
  await answer(simulation, { orderId, bud, cents: asked });
}

async function answer(
  simulation: Simulation,
  { orderId, bud, cents }: { orderId: string; bud: Bud; cents: number },
): Promise<void> {
  const { random } = simulation;
  const course = chooseWeighted(random, { pay: 6, keep: 1, 'send-back': 2, race: 2 });
  const key = Buffer.from(`answer to ${orderId}`.padEnd(32).slice(0, 32));
  const say = (choice: 'pay' | 'keep' | 'send-back', requestKey: Buffer | null = key) => {
    const card = chooseWeighted(random, { ok: 9, declined: 1 });
    const paid = { price: cents / 100, paymentSourceId: `cnon:card-nonce-${card}` };
    const request = { id: orderId, answer: choice, requestKey, from: '127.0.0.1', ...(choice === 'pay' ? paid : {}) };
    return tryCall(() => answerCorrection(simulation.context(), bud, request));
  };
  if (course === 'race')
    return void (await Promise.all([say('pay'), say('pay'), say('pay', null), say('send-back', null)]));
  for (let tries = 0; tries < MAX_TRIES && (await readState(simulation, orderId)).asked !== null; tries += 1)
    await Promise.all(random() < 0.1 ? [say(course), say(course)] : [say(course)]);
}

/** As if its six days were over. */
async function chargeEarly(simulation: Simulation, orderId: string): Promise<void> {
  await tryCall(() => {
    const { db, now } = simulation.context();
    return transact(db, (tx) => chargeEstimate(tx, orderId, now()));
  });
}

/** `asked`: what the Bud is asked to pay, in cents. */
async function readState(simulation: Simulation, orderId: string) {
  const state = await tryCall(() =>
    simulation
      .context()
      .db.selectFrom('orders as o')
      .leftJoin('corrections as c', (join) => join.onRef('c.order_id', '=', 'o.id').on('c.state', '=', 'asked'))
      .where('o.id', '=', orderId)
      .select('o.ceiling_size as limit')
      .select(sql<number | null>`c.to_cents - coalesce(o.discount, 0)`.as('asked'))
      .select(({ fn, selectFrom }) =>
        selectFrom('weighings as w')
          .whereRef('w.order_id', '=', 'o.id')
          .whereRef('w.round', '=', 'o.round')
          .select(fn.countAll<number>().as('weights'))
          .as('weights'),
      )
      .executeTakeFirst(),
  );
  // A server that was killed has not said it. A count is text with one driver.
  return { limit: state?.limit ?? null, asked: state?.asked ?? null, weights: Number(state?.weights ?? 0) };
}
