// How the people of a life take the steps of its order and its deliveries.

import { expect } from 'vitest';
import type { Order } from '../contract/orders.ts';
import { MINUTE_MS } from '../domain/durations.ts';
import { distanceInMeters } from '../domain/places.ts';
import { asBlob, SMALL_PHOTO } from '../testing/photos.ts';
import { isOfferDue } from './claimModel.ts';
import {
  applyDeliveryStep,
  type DeliveryStep,
  isBusyWith,
  type Moment,
  predictDeliveryStep,
  type Report,
} from './exceptionModel.ts';
import { applyLeaveAtDoor, applyReceived, predictReceived, receiverOf } from './handoverModel.ts';
import { DUBERS, type World } from './lifeWorld.ts';
import { observeCover } from './offerCover.ts';
import { type Actor, createDelivery, type Delivery, type Life, type Person } from './orderLife.ts';
import { applyOrderStep, deliveryFor, type OrderStep, otherScrubOf, predictOrderStep } from './orderModel.ts';
import { applyTime, nextDueAt } from './timeModel.ts';
import * as weighing from './weighingModel.ts';

/** The reasons that some steps take. */
const REASONS: Partial<Record<DeliveryStep | OrderStep, string>> = {
  'drop-delivery': 'breakdown',
  'pickup-failed': 'nobody-home',
  'drop-failed': 'nobody-home',
  'cancel-accepted': 'changed-mind',
  'give-back': 'ill',
};
const NEEDS_PHOTO: readonly DeliveryStep[] = ['arrived-at-pickup', 'arrived-at-drop', 'pickup-failed', 'drop-failed'];
const HANDS_OVER: readonly DeliveryStep[] = ['collected', 'delivered', 'brought-back'];
const DAY_STEPS: readonly DeliveryStep[] = [
  'accept-delivery',
  'way-to-pickup',
  'collected',
  'way-to-drop',
  'delivered',
];

/** Creates a random report of a step, usually a sufficient one. */
function makeReport({ random }: World, { leaveAtDoor }: Life, step: DeliveryStep): Report {
  const isUnsafe = (step === 'pickup-failed' || step === 'drop-failed') && random() < 0.2;
  const mayBePhoto = NEEDS_PHOTO.includes(step) || (leaveAtDoor && HANDS_OVER.includes(step));
  const hasPhoto = step !== 'collected' && random() < (mayBePhoto ? 0.6 : 0.02);
  const hasProof = HANDS_OVER.includes(step) && random() < 0.7;
  return { isUnsafe, hasPhoto, isNear: random() < 0.6, hasProof };
}

/** Whether a Duber has another delivery. */
export const isBusyElsewhere = ({ lives }: World, delivery: Delivery, actor: Actor | undefined) =>
  DUBERS.some(
    (duber) =>
      duber === actor &&
      lives.some(({ deliveries }) => deliveries.some((one) => one !== delivery && isBusyWith(one, duber))),
  );

/** The moment of a step that is well reported. */
export const atBest = (world: World, life: Life, delivery: Delivery, actor: Actor): Moment => ({
  ...{ now: world.now(), isBusy: isBusyElsewhere(world, delivery, actor), life },
  report: { isUnsafe: true, hasPhoto: true, isNear: true, hasProof: true },
});

export const readOrder = ({ people }: World, { id }: Life): Promise<Order> =>
  people.bud.api.readOrder({ params: { id } });

/** Where the Duber of a delivery is expected now. */
const doorOf = (world: World, life: Life, delivery: Delivery) =>
  placeOf(world, life, delivery, delivery.status === 'Way_To_Pick');

/** Where a delivery is collected now, or where it is brought. */
async function placeOf(world: World, life: Life, delivery: Delivery, isPickup: boolean) {
  const order = await readOrder(world, life);
  const scrub = order.scrub.addresses[0] ?? order.budAddress;
  if (isPickup && delivery.meetingPlace) return delivery.meetingPlace;
  const { latitude, longitude } = isPickup === (delivery.type === 'Bud_To_Scrub') ? order.budAddress : scrub;
  return { latitude, longitude };
}

/** When a Duber can be at the door: nobody drives faster than 25 m/s from where they live, or where they collected it. */
async function earliestArrivalOf(world: World, life: Life, delivery: Delivery): Promise<number> {
  const isPickup = delivery.status === 'Way_To_Pick';
  const pickup = await placeOf(world, life, delivery, true);
  const home = delivery.duber && world.people[delivery.duber].user.addresses[0];
  const meters = isPickup
    ? distanceInMeters(home ?? pickup, pickup)
    : distanceInMeters(pickup, await placeOf(world, life, delivery, false));
  return (isPickup ? delivery.acceptedAt : delivery.collectedAt) + (meters / 25) * 1000;
}

/** An arrival counts from when its Duber can have been there. */
async function arrive(world: World, life: Life, delivery: Delivery): Promise<void> {
  if (delivery.arrivals[delivery.status] !== undefined) return;
  delivery.arrivals[delivery.status] = Math.max(world.now(), await earliestArrivalOf(world, life, delivery));
}

export async function sendPhoto({ people }: World, person: Person): Promise<string> {
  return (await people[person].api.createFile({ photo: asBlob(SMALL_PHOTO) })).id;
}

type DeliveryTry = {
  readonly delivery: Delivery;
  readonly actor: Person;
  readonly step: DeliveryStep;
  readonly wanted?: Partial<Report>;
};

/** The body of a step that was not planned, or of a proof: the PIN of the one who takes it, a photo, a place. */
async function bodyOf(world: World, life: Life, { delivery, actor, step }: DeliveryTry, report: Report) {
  const place = report.isNear ? { place: await doorOf(world, life, delivery) } : {};
  const fileIds = report.hasPhoto ? [await sendPhoto(world, actor)] : [];
  return { ...(DAY_STEPS.includes(step) ? {} : reasonOf(step, report)), fileIds, ...place };
}
const reasonOf = (step: DeliveryStep, { isUnsafe }: Report) => ({
  reason: isUnsafe ? 'unsafe' : (REASONS[step] ?? 'other'),
  words: 'Said by the test.',
});

async function pinOf({ people }: World, { id }: Life, recipient: Person): Promise<string | null> {
  return (await people[recipient].api.readCustody({ params: { id } })).pin;
}

/** Somebody tries a step of a delivery. */
export async function stepDelivery(world: World, life: Life, tried: DeliveryTry): Promise<void> {
  const { delivery, actor, step, wanted } = tried;
  const { pick, now } = world;
  const planned = { ...makeReport(world, life, step), ...wanted };
  const isToPerson = step === 'delivered' || step === 'brought-back';
  const pin = isToPerson && planned.hasProof ? await pinOf(world, life, receiverOf(delivery, life)) : null;
  const report = { ...planned, hasProof: step === 'collected' ? planned.hasProof : pin !== null };
  const bags = report.hasProof && DAY_STEPS.includes(step) ? pick([2, 2, 2, 3]) : undefined;
  const isBusy = isBusyElsewhere(world, delivery, actor);
  const verdict = predictDeliveryStep(delivery, actor, step, { now: now(), isBusy, report, life });
  const params = { id: delivery.id };
  const hasBody = !DAY_STEPS.includes(step) || pin !== null || (isToPerson && report.hasPhoto);
  const body = hasBody ? await bodyOf(world, life, tried, report) : {};
  const proof = { ...body, ...(pin === null ? {} : { pin }), ...(bags === undefined ? {} : { bags }) };
  const what = `${step} ${delivery.type} of round ${delivery.round} at ${delivery.status} ${JSON.stringify({ ...report, bags })}`;
  const taken = await world.take(life, {
    ...{ actor, verdict, what },
    send: ({ api }, idempotencyKey) => {
      if (step === 'collected' && bags) return api.collectWithProof({ params, body: { bags }, idempotencyKey });
      if (step === 'delivered' && hasBody) return api.deliverWithProof({ params, body: proof, idempotencyKey });
      if (DAY_STEPS.includes(step)) return api[step as 'collected']({ params, idempotencyKey });
      return api[step as 'brought-back']({
        params,
        body: { ...body, ...(pin === null ? {} : { pin }) },
        idempotencyKey,
      });
    },
  });
  if (taken === 0) return;
  const receiver = receiverOf(delivery, life);
  if (step === 'arrived-at-pickup' || step === 'arrived-at-drop') await arrive(world, life, delivery);
  applyDeliveryStep(life, delivery, actor, step, now(), bags);
  if (pin !== null) expect(await pinOf(world, life, receiver), 'a PIN opens one hand-over').not.toBe(pin);
}

/** The model learns of the delivery that a step has opened. */
export async function addDelivery(world: World, life: Life, step: string): Promise<void> {
  const type = deliveryFor(life, step);
  if (type === undefined) return;
  const { deliveries } = await readOrder(world, life);
  const known = new Set(life.deliveries.map(({ id }) => id));
  const { id } = deliveries.find((one) => one.deliveryType === type && !known.has(one.id)) ?? expect.fail(`no ${type}`);
  life.deliveries.push(createDelivery({ id, type, round: life.round }, world.now()));
}

/** Somebody tries a step of the order. */
export async function stepOrder(world: World, life: Life, actor: Person, step: OrderStep): Promise<void> {
  const scrubId = world.people[otherScrubOf(life)].user.id;
  const params = { id: life.id };
  const reason = REASONS[step] ?? 'other';
  const taken = await world.take(life, {
    ...{ actor, verdict: predictOrderStep(life, actor, step), what: `${step} at ${life.status}` },
    send: ({ api }, idempotencyKey) => {
      if (step === 'choose-scrub') return api['choose-scrub']({ params, body: { scrubId }, idempotencyKey });
      if (step === 'cancel-accepted' || step === 'give-back')
        return api[step]({ params, body: { reason }, idempotencyKey });
      return api[step]({ params, idempotencyKey });
    },
  });
  if (taken === 0) return;
  applyOrderStep(life, actor, step, world.now());
  await addDelivery(world, life, step);
}

export async function stepWeighing(
  world: World,
  life: Life,
  actor: Person,
  step: weighing.WeighingStep,
): Promise<void> {
  const report = { pounds: world.pick(weighing.POUNDS), splits: world.random() < 0.5 };
  const call = weighing.weighingCall(life, step, report);
  if (!call) return;
  const verdict = weighing.predictWeighing(life, actor, step, world.now());
  const what = `${step} ${JSON.stringify(report)} at ${life.status}`;
  const taken = await world.take(life, { actor, verdict, what, send: ({ api }, key) => call(api, key) });
  if (taken > 0) weighing.applyWeighing(life, step, report, world.now());
}

/** Somebody presses "I have N bags". */
export async function pressReceived(world: World, life: Life, actor: Person): Promise<void> {
  const bags = world.pick([2, 2, 2, 3]);
  const taken = await world.take(life, {
    ...{ actor, verdict: predictReceived(life, actor), what: `has ${bags} bags at ${life.status}`, isRepeatable: true },
    send: ({ api }) => api.confirmReceived({ params: { id: life.id }, body: { bags } }),
  });
  for (let times = 0; times < taken; times += 1) applyReceived(life, actor, bags, world.now());
}

/** Somebody says whether the laundry may stand at the door. */
export async function chooseDoor(world: World, life: Life, actor: Person): Promise<void> {
  const leaveAtDoor = world.random() < 0.8;
  const taken = await world.take(life, {
    ...{ actor, verdict: actor === 'bud', what: `leave at door: ${leaveAtDoor}`, isRepeatable: true },
    send: ({ api }) => api.chooseLeaveAtDoor({ params: { id: life.id }, body: { leaveAtDoor } }),
  });
  if (taken > 0) applyLeaveAtDoor(life, leaveAtDoor);
}

/** Lets time pass, stopping whenever the servers do something by themselves. */
export async function pass(world: World, life: Life, ms: number): Promise<void> {
  life.trace.push(`${ms / MINUTE_MS} minutes pass`);
  const until = world.now() + ms;
  while (world.now() < until) {
    await world.advanceClock(Math.max(0, Math.min(until, nextDueAt(life)) - world.now()));
    await world.runTimers();
    for (const one of life.cases) if (isOfferDue(life, one, world.now())) await observeCover(world, life, one);
    if (applyTime(life, world.now())) await addDelivery(world, life, 'reopen');
  }
}
