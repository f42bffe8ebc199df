// How an operator takes the steps of an order and its deliveries.

import type { DeliveryTownCall, OrderTownCall } from '../contract/operator/orderActs.ts';
import { applyDeliveryStep } from './exceptionModel.ts';
import { keepOperatorSignedIn, type World } from './lifeWorld.ts';
import { predictTownDeliveryStep, predictTownOrderStep, TOWN_REASONS, type TownDeliveryAct } from './operatorModel.ts';
import type { Delivery, Life } from './orderLife.ts';
import { applyOrderStep, type TownOrderStep, waysHome } from './orderModel.ts';
import { addDelivery, isBusyElsewhere, readOrder } from './personSteps.ts';

const WORDS = { words: 'Said by the test.', reason: 'The test wants it' };

/** An operator tries a step of a delivery. */
export async function stepDeliveryInTown(
  world: World,
  life: Life,
  delivery: Delivery,
  step: TownDeliveryAct,
): Promise<void> {
  await keepOperatorSignedIn(world);
  const { latitude, longitude } = (await readOrder(world, life)).budAddress;
  const place = { latitude: latitude + 0.002, longitude };
  const body = { ...WORDS, why: TOWN_REASONS[step], ...(step === 'relay' ? { place } : {}) };
  const verdict = predictTownDeliveryStep(delivery, step, isBusyElsewhere(world, delivery, delivery.duber));
  const name = `delivery-${step}` as `delivery-${DeliveryTownCall}`;
  const taken = await world.take(life, {
    ...{
      actor: 'operator',
      verdict,
      what: `${step} ${delivery.type} of round ${delivery.round} at ${delivery.status}`,
    },
    send: ({ town }, idempotencyKey) =>
      town[name as 'delivery-relay']({ params: { id: delivery.id }, body: body as never, idempotencyKey }),
  });
  if (taken === 0) return;
  applyDeliveryStep(life, delivery, 'operator', step, world.now());
  if (step === 'relay') delivery.meetingPlace = place;
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
  await addDelivery(world, life, step);
}
