// Who has the laundry of an order, written by hand: importing the product's rules would copy their mistakes.

import { hasEnded, watchScrub } from './dueModel.ts';
import { type Handover, holderOf, type Leg, type Life, openCase, type Person } from './orderLife.ts';

export const giverOf = (leg: Leg, { scrub }: Life): Person => (leg.type === 'Bud_To_Scrub' ? 'bud' : scrub);
export const takerOf = (leg: Leg, { scrub }: Life): Person => (leg.type === 'Bud_To_Scrub' ? scrub : 'bud');
/** Whom its Duber brings the laundry to now. */
export const receiverOf = (leg: Leg, life: Life): Person =>
  leg.status === 'Way_Back' ? giverOf(leg, life) : takerOf(leg, life);

const countedBags = ({ confirmed, bags, takesBack }: Handover) => confirmed ?? (takesBack ? undefined : bags);
/** How many bags were counted last. What was counted with a mistake that was taken back counts no more. */
const bagsBefore = (handovers: readonly Handover[]) =>
  handovers
    .filter((_, index) => handovers[index + 1]?.takesBack !== true)
    .map(countedBags)
    .findLast((count) => count !== undefined);

type HandOver = Partial<Pick<Handover, 'leg' | 'bags' | 'isPressed'>>;

/** The giver is the one who has the laundry. Another number of bags than before needs a case. */
export function handOver(
  life: Life,
  taker: Person,
  now: number,
  { leg, bags, isPressed = false }: HandOver = {},
): void {
  const giver = holderOf(life);
  if (giver === taker) return;
  const before = bagsBefore(life.handovers);
  if (bags !== undefined && before !== undefined && bags !== before) openBagsCase(life, leg, now);
  life.handovers.push({
    ...{ giver, taker, leg, attempt: leg?.attempt, bags, takesBack: false, isPressed, confirmed: undefined },
    at: now,
  });
  if (taker === life.scrub && leg === undefined) markHandedOver(life, now);
}

const openBagsCase = (life: Life, leg: Leg | undefined, now: number) =>
  openCase(life, 'handover', now, leg ? { leg } : {});

/** The Bud has brought the laundry. */
function markHandedOver(life: Life, now: number): void {
  life.isHandedOver = true;
  watchScrub(life, now);
}

/**
 * A hand-over was a mistake: the laundry is where it was, unless it has moved on. A Duber who collects what they had all the
 * time makes none.
 */
export function takeBack(life: Life, leg: Leg, now: number): void {
  const last = life.handovers.at(-1);
  if (last?.leg !== leg || last.takesBack) return;
  if (leg.status === 'Collected' && last.attempt !== leg.attempt) return;
  const { giver, taker, bags, attempt } = last;
  life.handovers.push({
    ...{ giver: taker, taker: giver, leg, attempt, bags, takesBack: true, isPressed: false, confirmed: undefined },
    at: now,
  });
}

/**
 * Whether somebody has got the laundry of a delivery in another way, before its Duber says that they delivered it. A Duber who
 * has tried again since still has it.
 */
export function hasMovedOn(life: Life, leg: Leg): boolean {
  const last = life.handovers.at(-1);
  if (last === undefined || last.leg === leg || last.taker === 'duber' || last.taker === 'otherDuber') return false;
  return leg.triedAgainAt === undefined || leg.triedAgainAt <= last.at;
}

/** The last hand-over of a delivery, also when the laundry has moved on since. */
const lastOf = ({ handovers }: Life, leg: Leg) => handovers.findLast((one) => one.leg === leg);

/** Whether the person whom a Duber brings the laundry to got it with the last hand-over of the delivery. */
export const hasReached = (life: Life, leg: Leg): boolean => lastOf(life, leg)?.taker === receiverOf(leg, life);

/** Whether the person who took the laundry of a delivery has said so on their own phone. */
export function isConfirmed(life: Life, leg: Leg): boolean {
  const last = lastOf(life, leg);
  if (last === undefined || last.taker === 'duber' || last.taker === 'otherDuber') return false;
  return last.isPressed || last.confirmed !== undefined;
}

/**
 * Whether the person whom a Duber brings the laundry to has said so, and still has it. Not when the Duber has gone on with it
 * since, which the town made possible: it was pressed by mistake.
 */
export function isTaken(life: Life, leg: Leg): boolean {
  const last = life.handovers.at(-1);
  if (last?.leg !== leg || !isConfirmed(life, leg) || !hasReached(life, leg)) return false;
  return leg.wentOnAt === undefined || leg.wentOnAt <= last.at;
}

const isCalledOff = ({ legs, round }: Life, type: Leg['type']) =>
  legs.some((leg) => leg.round === round && leg.type === type && leg.status === 'Called_Off');

/** The delivery that comes to a person now, with the laundry on board. */
const arrivingLeg = (life: Life, person: Person) =>
  life.legs.find(
    (leg) =>
      ['Way_To_Drop', 'Way_Back'].includes(leg.status) &&
      receiverOf(leg, life) === person &&
      leg.duber === holderOf(life),
  );

/** Whether a Duber has laundry of a delivery that goes on. */
const isCarried = ({ legs }: Life) =>
  legs.some(({ hasLaundry, carrier, status }) => hasLaundry || (carrier !== undefined && status !== 'Delivered'));

/** Whether a Duber brings the laundry of an order home that was cancelled. */
export const isBroughtHome = ({ wayHome, legs, round }: Life) =>
  wayHome !== undefined && legs.some((leg) => leg.round === round && leg.type === 'Scrub_To_Bud' && !hasEnded(leg));

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
  return arrivingLeg(life, actor) !== undefined;
}

/** Applies the press "I have N bags": it makes the hand-over that is due, or confirms the last one once. */
export function applyReceived(life: Life, actor: Person, bags: number, now: number): void {
  const last = life.handovers.at(-1);
  if (last?.taker !== actor) {
    const leg = comesWithoutDuber(life, actor) ? undefined : arrivingLeg(life, actor);
    handOver(life, actor, now, { ...(leg ? { leg } : {}), bags, isPressed: true });
    return;
  }
  if (last.confirmed !== undefined) return;
  const before =
    (last.takesBack ? undefined : last.bags) ?? bagsBefore(life.handovers.slice(0, last.takesBack ? undefined : -1));
  last.confirmed = bags;
  if (before !== undefined && before !== bags) openBagsCase(life, last.leg, now);
  if (actor === life.scrub && last.leg === undefined) markHandedOver(life, now);
}

/** Whether the Bud can choose that laundry stands at the door: it has no effect once the order has ended. */
export function applyLeaveAtDoor(life: Life, leaveAtDoor: boolean): void {
  const isGoingOn = (life.status !== 'Cancelled' && life.status !== 'Rejected') || life.wayHome === 'bring';
  if (isGoingOn && !life.isClosed) life.leaveAtDoor = leaveAtDoor;
}
