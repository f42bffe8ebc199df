// How an operator takes the steps of an order and its deliveries.

import type { DeliveryTownCall, OrderTownCall } from '../contract/operator/orderActs.ts';
import { applyLegStep } from './exceptionModel.ts';
import { keepOperatorSignedIn, type World } from './lifeWorld.ts';
import { predictTownLegStep, predictTownOrderStep, TOWN_REASONS, type TownLegAct } from './operatorModel.ts';
import type { Leg, Life } from './orderLife.ts';
import { applyOrderStep, type TownOrderStep, waysHome } from './orderModel.ts';
import { addLeg, isBusyElsewhere, readOrder } from './personSteps.ts';

const WORDS = { words: 'Said by the test.', reason: 'The test wants it' };

/** An operator tries a step of a delivery. */
export async function stepLegInTown(world: World, life: Life, leg: Leg, step: TownLegAct): Promise<void> {
  await keepOperatorSignedIn(world);
  const { latitude, longitude } = (await readOrder(world, life)).budAddress;
  const place = { latitude: latitude + 0.002, longitude };
  const body = { ...WORDS, why: TOWN_REASONS[step], ...(step === 'relay' ? { place } : {}) };
  const verdict = predictTownLegStep(leg, step, isBusyElsewhere(world, leg, leg.duber));
  const name = `delivery-${step}` as `delivery-${DeliveryTownCall}`;
  const taken = await world.take(life, {
    ...{ actor: 'operator', verdict, what: `${step} ${leg.type} of round ${leg.round} at ${leg.status}` },
    send: ({ town }, idempotencyKey) =>
      town[name as 'delivery-relay']({ params: { id: leg.id }, body: body as never, idempotencyKey }),
  });
  if (taken === 0) return;
  applyLegStep(life, leg, 'operator', step, world.now());
  if (step === 'relay') leg.meetingPlace = place;
}

/** An operator tries a step of the order. */
export async function stepOrderInTown(world: World, life: Life, step: TownOrderStep): Promise<void> {
  await keepOperatorSignedIn(world);
  const name = `order-${step}` as `order-${OrderTownCall}`;
  const ways = step === 'cancel-by-operator' ? waysHome(life) : [];
  const wayHome = ways.length > 0 ? world.pick(ways) : undefined;
  const home = wayHome ? { wayHome, waysPaidBy: world.pick(['platform', 'scrub', 'bud']) } : {};
  const body = { ...WORDS, why: TOWN_REASONS[step], ...home };
  const taken = await world.take(life, {
    ...{
      actor: 'operator',
      verdict: predictTownOrderStep(life, step),
      what: `${step} ${wayHome ?? ''} at ${life.status}`,
    },
    send: ({ town }, idempotencyKey) =>
      town[name as 'order-reopen']({ params: { id: life.id }, body: body as never, idempotencyKey }),
  });
  if (taken === 0) return;
  life.wayHome ??= wayHome;
  applyOrderStep(life, 'operator', step, world.now());
  await addLeg(world, life, step);
}
