// The random life of an order: which steps are tried, until it has ended.

import { expect } from 'vitest';
import { MINUTE_MS } from '../domain/durations.ts';
import { placeOrder } from '../testing/orderSteps.ts';
import { setPresetForAdmitted } from '../testing/policies.ts';
import { chooseWeighted } from '../testing/random.ts';
import { openClaim, stepCase, stepCaseInTown } from './caseSteps.ts';
import { CASE_STEPS, predictCaseStep, predictClaim, predictClosing, TOWN_CASE_STEPS } from './claimModel.ts';
import { DELIVERY_STEPS, isBusyWith, predictDeliveryStep, WAY_ON } from './exceptionModel.ts';
import { predictReceived } from './handoverModel.ts';
import { PEOPLE, type World } from './lifeWorld.ts';
import { predictTownDeliveryStep, predictTownOrderStep, TOWN_DELIVERY_ACTS, TOWN_ORDER_ACTS } from './operatorModel.ts';
import { stepDeliveryInTown, stepOrderInTown } from './operatorSteps.ts';
import { createLife, type Life, termsOf } from './orderLife.ts';
import { ORDER_STEPS, predictOrderStep } from './orderModel.ts';
import {
  atBest,
  chooseDoor,
  isBusyElsewhere,
  pass,
  pressReceived,
  stepDelivery,
  stepOrder,
  stepWeighing,
} from './personSteps.ts';
import { JUMPS, LONG_JUMPS } from './timeModel.ts';
import * as weighing from './weighingModel.ts';

const STEPS_PER_LIFE = 50;
const LIVES_PER_BUD = 40;
/** How often a step that keeps a life short, or goes in circles, is among those to choose from. The others always are. */
const RARE: Readonly<Record<string, number>> = {
  ...{ 'cancel-order': 0.06, 'reject-order': 0.06, 'cancel-accepted': 0.06, 'cancel-by-operator': 0.06 },
  ...{ 'give-back': 0.15, 'drop-delivery': 0.2, 'report-lost': 0.3, 'call-off': 0.4 },
};
const isChosen = ({ random }: World, step: string) => random() < (RARE[step] ?? 1);

type Try = () => Promise<void>;

/** The steps of an order, of weighing and of deliveries that must succeed now. */
const openSteps = (world: World, life: Life): Try[] => [
  ...ORDER_STEPS.filter((step) => isChosen(world, step)).flatMap((step) =>
    PEOPLE.filter((actor) => predictOrderStep(life, actor, step) === true).map(
      (actor) => () => stepOrder(world, life, actor, step),
    ),
  ),
  ...weighing.WEIGHING_STEPS.flatMap((step) =>
    PEOPLE.filter((actor) => weighing.predictWeighing(life, actor, step, world.now())).map(
      (actor) => () => stepWeighing(world, life, actor, step),
    ),
  ),
  ...life.deliveries.flatMap((delivery) =>
    DELIVERY_STEPS.filter((step) => isChosen(world, step)).flatMap((step) =>
      PEOPLE.filter(
        (actor) => predictDeliveryStep(delivery, actor, step, atBest(world, life, delivery, actor)) === true,
      ).map((actor) => () => stepDelivery(world, life, { delivery, actor, step })),
    ),
  ),
];

/** The steps of an operator that must succeed now. */
const openTownSteps = (world: World, life: Life): Try[] => [
  ...TOWN_ORDER_ACTS.filter((step) => isChosen(world, step) && predictTownOrderStep(life, step) === true).map(
    (step) => () => stepOrderInTown(world, life, step),
  ),
  ...life.deliveries.flatMap((delivery) =>
    TOWN_DELIVERY_ACTS.filter(
      (step) =>
        isChosen(world, step) &&
        predictTownDeliveryStep(delivery, step, isBusyElsewhere(world, delivery, delivery.duber)) === true,
    ).map((step) => () => stepDeliveryInTown(world, life, delivery, step)),
  ),
];

/** The steps of claims and of other cases that must succeed now. */
const openCaseSteps = (world: World, life: Life): Try[] => [
  ...(['smell', 'missing'].some((kind) => predictClaim(life, kind as 'smell', world.now()) === true)
    ? [() => openClaim(world, life)]
    : []),
  ...life.cases.flatMap((one) =>
    CASE_STEPS.flatMap((step) =>
      PEOPLE.filter((actor) => predictCaseStep(life, one, actor, step, world.now()) === true).map(
        (actor) => () => stepCase(world, life, { one, actor, step }),
      ),
    ),
  ),
  ...life.cases
    .filter((one) => predictClosing(one) === true)
    .flatMap((one) => TOWN_CASE_STEPS.map((step) => () => stepCaseInTown(world, life, one, step))),
];

const openPresses = (world: World, life: Life): Try[] =>
  PEOPLE.filter((actor) => predictReceived(life, actor)).map((actor) => () => pressReceived(world, life, actor));

/** Whatever anybody may try at any time. */
const anything = (world: World, life: Life): Try[] => {
  const { pick } = world;
  const [actor, delivery, one] = [pick(PEOPLE), pick(life.deliveries), pick(life.cases)];
  return [
    () => stepOrder(world, life, actor, pick(ORDER_STEPS)),
    () => stepWeighing(world, life, actor, pick(weighing.WEIGHING_STEPS)),
    () => stepOrderInTown(world, life, pick(TOWN_ORDER_ACTS)),
    () => openClaim(world, life),
    () => pressReceived(world, life, actor),
    () => chooseDoor(world, life, actor),
    ...(delivery ? [() => stepDeliveryInTown(world, life, delivery, pick(TOWN_DELIVERY_ACTS))] : []),
    ...(delivery
      ? [1, 2, 3, 4].map(() => () => stepDelivery(world, life, { delivery, actor, step: pick(DELIVERY_STEPS) }))
      : []),
    ...(one ? [() => stepCase(world, life, { one, actor, step: pick(CASE_STEPS) })] : []),
    ...(one ? [() => stepCaseInTown(world, life, one, pick(TOWN_CASE_STEPS))] : []),
  ];
};

/** An order is placed, in an open town or a careful one. */
export async function begin(world: World): Promise<Life> {
  const { random, people, lives } = world;
  if (lives.length > 0 && lives.length % LIVES_PER_BUD === 0) await world.replaceBud();
  await world.keepSignedIn();
  const town = { isCareful: random() < 0.4 };
  await setPresetForAdmitted(world.database.db, town.isCareful ? 'careful' : 'open', new Date(world.now()));
  const isSelf = () => !town.isCareful && random() < 0.15;
  const more = { selfDelivery: isSelf(), selfPickup: isSelf() };
  const hasPromo = random() < 0.3;
  const { id } = await placeOrder({ bud: people.bud, scrub: people.scrub }, { ...more, ...termsOf(town, hasPromo) });
  return createLife({ id, town, hasPromo, ...more }, world.now());
}

const hasArrivedForGood = ({ now }: World, { deliveries }: Life) =>
  deliveries.every(
    (delivery) =>
      delivery.status === 'Called_Off' ||
      (delivery.status === 'Delivered' && now() - delivery.changedAt > 10 * MINUTE_MS),
  );
const hasEnded = (world: World, life: Life) =>
  (life.status === 'Cancelled' &&
    life.deliveries.every(({ status }) => status === 'Delivered' || status === 'Called_Off')) ||
  life.status === 'Rejected' ||
  (life.status === 'Completed' && hasArrivedForGood(world, life));
const waitsForSomebody = ({ cases }: Life) => cases.some(({ status }) => status !== 'closed' && status !== 'closing');

/** People and operators take random steps until the order has ended. `look` looks at the life after each. */
export async function takeSteps<W extends World>(
  world: W,
  life: Life,
  look: (world: W, life: Life) => Promise<void>,
): Promise<void> {
  const { random, pick } = world;
  for (let step = 0; step < STEPS_PER_LIFE; step += 1) {
    const isOver = hasEnded(world, life);
    if (isOver && random() < (waitsForSomebody(life) ? 0.04 : 0.3)) return;
    const choices = {
      ...{ open: openSteps(world, life), town: openTownSteps(world, life), cases: openCaseSteps(world, life) },
      ...{ presses: openPresses(world, life), anything: anything(world, life) },
    };
    const weights = { open: 14, town: 2, cases: isOver ? 12 : 2, presses: 1, anything: 4, time: 3 };
    const kind = chooseWeighted(random, weights);
    if (kind === 'time') await pass(world, life, pick(isOver || random() < 0.03 ? LONG_JUMPS : JUMPS));
    else if (choices[kind].length > 0) await pick(choices[kind])();
    await look(world, life);
  }
}

/** Ends what the Dubers are doing, so that they are free for the next life. */
export async function finish(world: World, life: Life): Promise<void> {
  for (const delivery of life.deliveries) {
    for (let tries = 1; delivery.duber && isBusyWith(delivery, delivery.duber); tries += 1) {
      expect(tries, `${delivery.type} does not end`).toBeLessThan(STEPS_PER_LIFE);
      const step = tries > 8 ? 'report-lost' : (WAY_ON[delivery.status] ?? expect.fail(delivery.status));
      if (delivery.isLost) await stepDeliveryInTown(world, life, delivery, 'call-off');
      else await stepDelivery(world, life, { delivery, actor: delivery.duber, step, wanted: { hasProof: true } });
    }
  }
}
