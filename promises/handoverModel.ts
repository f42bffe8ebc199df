// Who has the laundry of an order, written by hand: importing the product's rules would copy their mistakes.

import { hasEnded, watchScrub } from './dueModel.ts';
import { type Delivery, type Handover, holderOf, type Life, openCase, type Person } from './orderLife.ts';

export const senderOf = (delivery: Delivery, { scrub }: Life): Person =>
  delivery.type === 'Bud_To_Scrub' ? 'bud' : scrub;
export const recipientOf = (delivery: Delivery, { scrub }: Life): Person =>
  delivery.type === 'Bud_To_Scrub' ? scrub : 'bud';
/** Whom its Duber brings the laundry to now. */
export const receiverOf = (delivery: Delivery, life: Life): Person =>
  delivery.status === 'Way_Back' ? senderOf(delivery, life) : recipientOf(delivery, life);

const countedBags = ({ confirmed, bags, takesBack }: Handover) => confirmed ?? (takesBack ? undefined : bags);
/** How many bags were counted last. What was counted with a mistake that was taken back counts no more. */
const bagsBefore = (handovers: readonly Handover[]) =>
  handovers
    .filter((_, index) => handovers[index + 1]?.takesBack !== true)
    .map(countedBags)
    .findLast((count) => count !== undefined);

type HandOver = Partial<Pick<Handover, 'delivery' | 'bags' | 'isPressed'>>;

/** The giver is the one who has the laundry. Another number of bags than before needs a case. */
export function handOver(
  life: Life,
  taker: Person,
  now: number,
  { delivery, bags, isPressed = false }: HandOver = {},
): void {
  const giver = holderOf(life);
  if (giver === taker) return;
  const before = bagsBefore(life.handovers);
  if (bags !== undefined && before !== undefined && bags !== before) openBagsCase(life, delivery, now);
  life.handovers.push({
    ...{ giver, taker, delivery, attempt: delivery?.attempt, bags, takesBack: false, isPressed, confirmed: undefined },
    at: now,
  });
  if (taker === life.scrub && delivery === undefined) markHandedOver(life, now);
}

const openBagsCase = (life: Life, delivery: Delivery | undefined, now: number) =>
  openCase(life, 'handover', now, delivery ? { delivery } : {});

/** The Bud has brought the laundry. */
function markHandedOver(life: Life, now: number): void {
  life.isHandedOver = true;
  watchScrub(life, now);
}

/**
 * A hand-over was a mistake: the laundry is where it was, unless it has moved on. A Duber who collects what they had all the
 * time makes none.
 */
export function takeBack(life: Life, delivery: Delivery, now: number): void {
  const last = life.handovers.at(-1);
  if (last?.delivery !== delivery || last.takesBack) return;
  if (delivery.status === 'Collected' && last.attempt !== delivery.attempt) return;
  const { giver, taker, bags, attempt } = last;
  life.handovers.push({
    ...{ giver: taker, taker: giver, delivery, attempt, bags, takesBack: true, isPressed: false, confirmed: undefined },
    at: now,
  });
}

/**
 * Whether somebody has got the laundry of a delivery in another way, before its Duber says that they delivered it. A Duber who
 * has tried again since still has it.
 */
export function hasMovedOn(life: Life, delivery: Delivery): boolean {
  const last = life.handovers.at(-1);
  if (last === undefined || last.delivery === delivery || last.taker === 'duber' || last.taker === 'otherDuber')
    return false;
  return delivery.triedAgainAt === undefined || delivery.triedAgainAt <= last.at;
}

/** The last hand-over of a delivery, also when the laundry has moved on since. */
const lastOf = ({ handovers }: Life, delivery: Delivery) => handovers.findLast((one) => one.delivery === delivery);

/** Whether the person whom a Duber brings the laundry to got it with the last hand-over of the delivery. */
export const hasReached = (life: Life, delivery: Delivery): boolean =>
  lastOf(life, delivery)?.taker === receiverOf(delivery, life);

/** Whether the person who took the laundry of a delivery has said so on their own phone. */
export function isConfirmed(life: Life, delivery: Delivery): boolean {
  const last = lastOf(life, delivery);
  if (last === undefined || last.taker === 'duber' || last.taker === 'otherDuber') return false;
  return last.isPressed || last.confirmed !== undefined;
}

/**
 * Whether the person whom a Duber brings the laundry to has said so, and still has it. Not when the Duber has gone on with it
 * since, which the town made possible: it was pressed by mistake.
 */
export function isTaken(life: Life, delivery: Delivery): boolean {
  const last = life.handovers.at(-1);
  if (last?.delivery !== delivery || !isConfirmed(life, delivery) || !hasReached(life, delivery)) return false;
  return delivery.wentOnAt === undefined || delivery.wentOnAt <= last.at;
}

const isCalledOff = ({ deliveries, round }: Life, type: Delivery['type']) =>
  deliveries.some((delivery) => delivery.round === round && delivery.type === type && delivery.status === 'Called_Off');

/** The delivery that comes to a person now, with the laundry on board. */
const arrivingDelivery = (life: Life, person: Person) =>
  life.deliveries.find(
    (delivery) =>
      ['Way_To_Drop', 'Way_Back'].includes(delivery.status) &&
      receiverOf(delivery, life) === person &&
      delivery.duber === holderOf(life),
  );

/** Whether a Duber has laundry of a delivery that goes on. */
const isCarried = ({ deliveries }: Life) =>
  deliveries.some(({ hasLaundry, carrier, status }) => hasLaundry || (carrier !== undefined && status !== 'Delivered'));

/** Whether a Duber brings the laundry of an order home that was cancelled. */
export const isBroughtHome = ({ wayHome, deliveries, round }: Life) =>
  wayHome !== undefined &&
  deliveries.some((delivery) => delivery.round === round && delivery.type === 'Scrub_To_Bud' && !hasEnded(delivery));

/** Whether the laundry comes to a person without a Duber, also when an earlier one, whose delivery was called off, has it. */
function comesWithoutDuber(life: Life, person: Person): boolean {
  const isBegun = life.status === 'Accepted' || life.status === 'In_Progress';
  const holder = holderOf(life);
  const isStranded = (holder === 'duber' || holder === 'otherDuber') && !isCarried(life);
  if (person === life.scrub)
    return isBegun && (holder === 'bud' || isStranded) && (life.selfDelivery || isCalledOff(life, 'Bud_To_Scrub'));
  if (life.status === 'Cancelled') return holder !== 'bud' && !isBroughtHome(life);
  const comesFromScrub = holder === 'scrub' || holder === 'otherScrub' || isStranded;
  return life.status === 'Completed' && comesFromScrub && (life.selfPickup || isCalledOff(life, 'Scrub_To_Bud'));
}

/** Whether a person can press that they have the laundry. */
export function predictReceived(life: Life, actor: Person): boolean {
  if (actor !== 'bud' && actor !== life.scrub) return false;
  if (life.handovers.at(-1)?.taker === actor) return true;
  if (holderOf(life) !== actor && comesWithoutDuber(life, actor)) return true;
  return arrivingDelivery(life, actor) !== undefined;
}

/** Applies the press "I have N bags": it makes the hand-over that is due, or confirms the last one once. */
export function applyReceived(life: Life, actor: Person, bags: number, now: number): void {
  const last = life.handovers.at(-1);
  if (last?.taker !== actor) {
    const delivery = comesWithoutDuber(life, actor) ? undefined : arrivingDelivery(life, actor);
    handOver(life, actor, now, { ...(delivery ? { delivery } : {}), bags, isPressed: true });
    return;
  }
  if (last.confirmed !== undefined) return;
  const before =
    (last.takesBack ? undefined : last.bags) ?? bagsBefore(life.handovers.slice(0, last.takesBack ? undefined : -1));
  last.confirmed = bags;
  if (before !== undefined && before !== bags) openBagsCase(life, last.delivery, now);
  if (actor === life.scrub && last.delivery === undefined) markHandedOver(life, now);
}

/** Whether the Bud can choose that laundry stands at the door: it has no effect once the order has ended. */
export function applyLeaveAtDoor(life: Life, leaveAtDoor: boolean): void {
  const isGoingOn = (life.status !== 'Cancelled' && life.status !== 'Rejected') || life.wayHome === 'bring';
  if (isGoingOn && !life.isClosed) life.leaveAtDoor = leaveAtDoor;
}
