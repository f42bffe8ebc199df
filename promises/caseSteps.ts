// How the people of an order and an operator take the steps of its claims and other cases.

import { sql } from 'kysely';
import { expect } from 'vitest';
import { queryRow } from '../server/db/database.ts';
import {
  applyCaseStep,
  applyClaim,
  applyClosing,
  applyDecision,
  type CaseStep,
  CLAIM_KINDS,
  carriedDeliveries,
  type Decision,
  isMoneySure,
  OFFERS,
  type Offer,
  predictCaseStep,
  predictClaim,
  predictClosing,
  predictDecision,
  type TownCaseStep,
} from './claimModel.ts';
import { keepOperatorSignedIn, type World, waitForCard } from './lifeWorld.ts';
import { observeCover } from './offerCover.ts';
import { type Case, isOpenCase, type Life, type Person } from './orderLife.ts';
import { applyOrderStep } from './orderModel.ts';
import { addDelivery } from './personSteps.ts';

const WORDS = { words: 'Said by the test.', reason: 'The test wants it' };

/** The Bud says that something is wrong with the laundry that came back. */
export async function openClaim(world: World, life: Life): Promise<void> {
  const { pick, now } = world;
  const [kind, asked] = [pick(CLAIM_KINDS), pick([100, 200])];
  const item = { what: 'Blue shirt', kind, worth: 40, ageMonths: 2, asked: asked / 100 };
  const claim = { kind: 'claim' as const, orderId: life.id, items: [item], words: WORDS.words };
  let id = '';
  const taken = await world.take(life, {
    ...{ actor: 'bud', verdict: predictClaim(life, kind, now()), what: `claims ${kind} at ${life.status}` },
    send: async ({ api }, idempotencyKey) => {
      ({ id } = await api.createCase({ body: claim, idempotencyKey }));
    },
  });
  if (taken > 0) applyClaim(life, kind, { id, asked }, now());
}

/** The id of a case. One that opened by itself is looked up: at most one is open, and those that ended unseen are alike. */
async function idOf({ database: { db } }: World, life: Life, one: Case): Promise<string> {
  const known = life.cases.flatMap(({ id }) => id ?? []);
  const found = await queryRow<{ id: string }>(
    db,
    sql`select id from cases where order_id = ${life.id} and kind = ${one.kind} and opened_by is null
      and delivery_id is not distinct from ${one.delivery?.id ?? null}::uuid and ${one.id ?? null}::uuid is null
      and (status not in ('decided', 'closed')) = ${isOpenCase(one)} and id <> all(${known}::uuid[])`,
  );
  one.id ??= found?.id;
  return one.id ?? expect.fail(`there is no ${one.kind}`);
}

/** Only a Scrub cleans again. What the card does not have, or nobody asked for, cannot be given back. */
function offersOf(life: Life, { opener }: Case, actor: Person): readonly Offer[] {
  if (opener === undefined) return ['was-before'];
  const isScrub = actor === 'scrub' || actor === 'otherScrub';
  return OFFERS.filter((offer) =>
    offer === 'clean-again' ? isScrub : offer === 'was-before' || isMoneySure(life, CENTS),
  );
}
const CENTS = 100;

/** Somebody tries a step of a case. */
export async function stepCase(world: World, life: Life, { one, actor, step }: CaseTry): Promise<void> {
  const { pick, now } = world;
  await waitForCard(world, life);
  const id = await idOf(world, life, one);
  const report = { offer: pick(offersOf(life, one, actor)), cents: CENTS };
  const amount = report.offer === 'give-back' ? { amount: report.cents / 100 } : {};
  const bodies = { answer: { offer: report.offer, ...amount, words: WORDS.words }, 'accept-offer': {} };
  const body = bodies[step as keyof typeof bodies] ?? { words: WORDS.words };
  const verdict = predictCaseStep(life, one, actor, step, now());
  const taken = await world.take(life, {
    ...{ actor, verdict, what: `${step} ${one.kind} at ${one.status} ${JSON.stringify(report)}` },
    send: ({ api }, idempotencyKey) => api[step]({ params: { id }, body: body as never, idempotencyKey }),
  });
  if (taken === 0) return;
  if (step === 'answer') one.offer = { kind: report.offer, cents: amount.amount ? report.cents : 0 };
  if (step === 'answer' || step === 'accept-offer') await observeCover(world, life, one);
  const { reopens } = applyCaseStep(life, one, step, report, now());
  if (!reopens) return;
  applyOrderStep(life, 'operator', 'reopen', now());
  await addDelivery(world, life, 'reopen');
}
type CaseTry = { readonly one: Case; readonly actor: Person; readonly step: CaseStep };

/** Who may have to bear what a case costs. Of a claim it may be a Duber whom it is not about. */
function decisionOf({ pick, random }: World, life: Life, one: Case): Decision {
  const delivery = one.kind === 'claim' && random() < 0.5 ? pick(carriedDeliveries(life)) : undefined;
  if (delivery) return { liable: 'duber', cents: pick([0, 50, 100, 200]), delivery };
  const isDubers = one.about === 'duber' || one.about === 'otherDuber';
  const side = one.about === undefined ? 'platform' : isDubers ? 'duber' : 'scrub';
  return { liable: pick([side, side, 'platform']), cents: one.about === undefined ? 0 : pick([0, 50, 100, 200]) };
}

/** An operator tries to decide a case, or to close it. */
export async function stepCaseInTown(world: World, life: Life, one: Case, step: TownCaseStep): Promise<void> {
  await keepOperatorSignedIn(world);
  await waitForCard(world, life);
  const id = await idOf(world, life, one);
  const { delivery, ...decision } = decisionOf(world, life, one);
  const items = [
    { n: 1, amount: decision.cents / 100, liable: decision.liable, ...(delivery ? { deliveryId: delivery.id } : {}) },
  ];
  const what = `${step} ${one.kind} at ${one.status} ${JSON.stringify({ ...decision, duber: delivery?.duber })}`;
  const verdict = step === 'decide' ? predictDecision(life, one, { ...decision, delivery }) : predictClosing(one);
  const taken = await world.take(life, {
    ...{ actor: 'operator', verdict, what },
    send: ({ town }, idempotencyKey) => {
      if (step === 'close') return town.closeCase({ params: { id }, body: WORDS, idempotencyKey });
      return town.decideCase({ params: { id }, body: { ...WORDS, items }, idempotencyKey });
    },
  });
  if (taken === 0) return;
  if (step === 'decide') applyDecision(life, one, { ...decision, delivery }, world.now());
  else applyClosing(life, one, world.now());
}
