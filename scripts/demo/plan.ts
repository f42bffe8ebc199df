import { createRandom, type Random } from '../../sandbox/city/random.ts';
import { drawDubers, drawHistoryOrder, HISTORY_DAYS } from './history.ts';
import { DEMO_ORDERS, type Delivery, type DemoOrder, type FixedOrder, type PlannedOrder } from './orders.ts';
import { openRoster, type Roster } from './roster.ts';
import { addMinutes, atHour, type Phase, type PhaseTimes } from './times.ts';

const SEED = 20;
/** Later days belong to the orders of the fixed list. An order takes two days. */
const NEWEST_HISTORY_DAY = 3;

/** When the demo people sign up: the day before the first order of a demo that is added at `startedAt`. */
export function signUpTime(startedAt: Date): Date {
  return atHour(startedAt, HISTORY_DAYS + 1, 9.5);
}

/**
 * Eight weeks of orders up to `startedAt`, and those that are under way. The same moment gives the same plan. No Duber
 * carries two bags at a time.
 */
export function planDemo(startedAt: Date): PlannedOrder[] {
  const planning = { startedAt, random: createRandom(SEED), roster: openRoster() };
  const recent = planFixedOrders(planning);
  const past: PlannedOrder[] = [];
  for (let daysAgo = HISTORY_DAYS; daysAgo >= NEWEST_HISTORY_DAY; daysAgo -= 1) {
    for (let left = countOrders(planning.random, atHour(startedAt, daysAgo, 12)); left > 0; left -= 1) {
      const draft = drawHistoryOrder(planning.random, past.length);
      past.push({ key: `history-${past.length + 1}`, ...planPastOrder(draft, daysAgo, planning) });
    }
  }
  return [...past, ...recent];
}

type Planning = { readonly startedAt: Date; readonly random: Random; readonly roster: Roster };

/** More people wash at the weekend. */
function countOrders(random: Random, day: Date): number {
  const isWeekend = day.getDay() === 0 || day.getDay() === 6;
  return random() < (isWeekend ? 0.75 : 0.22) ? 1 : 0;
}

function planFixedOrders(planning: Planning): PlannedOrder[] {
  const keyOf = (order: FixedOrder) => `demo-${DEMO_ORDERS.indexOf(order) + 1}`;
  const isUnderWay = ({ when }: FixedOrder) => 'minutesAgo' in when;
  // Those under way book their Dubers first: their times are fixed.
  const inBookingOrder = [...DEMO_ORDERS.filter(isUnderWay), ...DEMO_ORDERS.filter((order) => !isUnderWay(order))];
  return inBookingOrder.map((order) => {
    const { when } = order;
    if ('daysAgo' in when) return { key: keyOf(order), ...planPastOrder(order, when.daysAgo, planning) };
    return { key: keyOf(order), order, times: reserveTimes(order, when.minutesAgo, planning) };
  });
}

function reserveTimes(
  { outboundDelivery, returnDelivery }: DemoOrder,
  minutesAgo: { readonly placed: number } & { readonly [P in Phase]?: number },
  { startedAt, roster }: Planning,
): PhaseTimes {
  const times = Object.fromEntries(
    Object.entries(minutesAgo).map(([phase, minutes]) => [phase, addMinutes(startedAt, -minutes)]),
  ) as PhaseTimes;
  const reserve = (delivery: Delivery | undefined, at: Date | undefined) => {
    if (!delivery || !at) return;
    if (delivery.steps.at(-1) === 'delivered') roster.book(delivery.duber, at);
    else roster.keepBusy(delivery.duber, at);
  };
  reserve(outboundDelivery, times.outbound);
  reserve(returnDelivery, times.returned);
  return times;
}

/** The usual order: placed by day, fetched that evening, washed on the next day, and back in the evening. */
function planPastOrder(
  order: DemoOrder,
  daysAgo: number,
  { startedAt, random, roster }: Planning,
): Pick<PlannedOrder, 'order' | 'times'> {
  const between = (low: number, high: number) => low + random() * (high - low);
  const day = atHour(startedAt, daysAgo, 12).getDay();
  const isWeekend = day === 0 || day === 6;
  const placed = atHour(startedAt, daysAgo, isWeekend ? between(9, 14) : between(7, 16.5));
  const answered = addMinutes(placed, between(8, 75));
  if (order.steps.at(-1) !== 'complete-order') return { order, times: { placed, answered } };
  const bookDelivery = (delivery: Delivery | undefined, from: Date) => {
    if (!delivery) return { delivery, at: from };
    if (delivery.duber !== '') return { delivery, at: roster.book(delivery.duber, from) };
    const { duber, at } = roster.bookAny(drawDubers(random), from);
    return { delivery: { ...delivery, duber }, at };
  };
  const outbound = bookDelivery(order.outboundDelivery, atHour(startedAt, daysAgo, between(18, 20.5)));
  const started = atHour(startedAt, daysAgo - 1, between(7.5, 10));
  const completed = atHour(startedAt, daysAgo - 1, between(13, 16.5));
  const back = bookDelivery(order.returnDelivery, atHour(startedAt, daysAgo - 1, between(17.5, 20)));
  const times = { placed, answered, outbound: outbound.at, started, completed, returned: back.at };
  return {
    order: {
      ...order,
      ...(outbound.delivery ? { outboundDelivery: outbound.delivery } : {}),
      ...(back.delivery ? { returnDelivery: back.delivery } : {}),
    },
    times: { ...times, reviewed: addMinutes(back.at, between(45, 110)) },
  };
}
