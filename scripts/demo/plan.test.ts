import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import { generateCity, pickHomes } from '../../sandbox/city.ts';
import { DEMO_HOMES } from './homes.ts';
import type { PlannedOrder } from './orders.ts';
import { planDemo, signUpTime } from './plan.ts';
import { addMinutes, DELIVERY_STEP_MINUTES } from './times.ts';

// Each hour of a day, on days of different weeks, months and years, and both changes of the clocks.
const STARTS = ['2026-11-22', '2026-03-29', '2026-10-25', '2027-01-01', '2028-02-29'].flatMap((day) =>
  Array.from({ length: 24 }, (_, hour) => new Date(`${day}T${String(hour).padStart(2, '0')}:07:00`)),
);

const timesOf = ({ times }: PlannedOrder) => Object.values(times).filter((time) => time !== undefined);

/** From when to when each Duber is on the way, in milliseconds. A delivery that is under way has no end. */
function listTrips(orders: readonly PlannedOrder[]) {
  return orders.flatMap(({ order, times }) =>
    [[order.outboundDelivery, times.outbound] as const, [order.returnDelivery, times.returned] as const].flatMap(
      ([delivery, from]) => {
        if (!delivery || !from) return [];
        const isDone = delivery.steps.length === DELIVERY_STEP_MINUTES.length;
        const last = addMinutes(from, DELIVERY_STEP_MINUTES[delivery.steps.length - 1] ?? 0);
        return [
          { duber: delivery.duber, from: from.getTime(), last, to: isDone ? last.getTime() : Number.POSITIVE_INFINITY },
        ];
      },
    ),
  );
}

it('dates eight weeks of orders, and nothing in the future, whenever the demo is added', () => {
  for (const startedAt of STARTS) {
    const orders = planDemo(startedAt);
    const latest = Math.max(
      ...orders.flatMap(timesOf).map(Number),
      ...listTrips(orders).map(({ last }) => Number(last)),
    );
    expect(latest, `${startedAt}`).toBeLessThanOrEqual(startedAt.getTime());
    expect(Math.min(...orders.flatMap(timesOf).map(Number))).toBeGreaterThan(signUpTime(startedAt).getTime());
    for (const order of orders) expect(timesOf(order), order.key).toEqual(timesOf(order).toSorted((a, b) => +a - +b));
    const days = new Set(orders.map(({ times }) => times.placed.toDateString()));
    expect(days.size).toBeGreaterThan(12);
    const weeks = new Set(orders.map(({ times }) => Math.floor((+startedAt - +times.placed) / (7 * DAY_MS))));
    expect(weeks.size).toBeGreaterThanOrEqual(7);
  }
});

it('gives the Bud and the Scrub whom visitors sign in as orders from all of the eight weeks, on every weekday', () => {
  for (const day of [23, 24, 25, 26, 27, 28, 29]) {
    const startedAt = new Date(`2026-11-${day}T10:00:00`);
    const orders = planDemo(startedAt);
    for (const role of ['bud', 'scrub'] as const) {
      const own = orders.filter(({ order }) => order[role] === role);
      const oldest = Math.min(...own.map(({ times }) => Number(times.placed)));
      expect(Number(startedAt) - oldest, `${role} on the ${day}th`).toBeGreaterThan(49 * DAY_MS);
    }
  }
});

it('sends no Duber on two ways at a time', () => {
  for (const startedAt of STARTS) {
    const trips = listTrips(planDemo(startedAt)).toSorted((a, b) => a.from - b.from);
    for (const [i, { duber, from }] of trips.entries())
      expect(trips.slice(0, i).filter((other) => other.duber === duber && other.to >= from)).toEqual([]);
  }
});

it('is the same for the same moment, and has an order under way for each role', () => {
  const startedAt = new Date('2026-11-22T18:00:00');
  const orders = planDemo(startedAt);
  expect(planDemo(startedAt)).toEqual(orders);
  const today = orders.filter(
    ({ times }) => +startedAt - Math.max(...timesOf({ times } as PlannedOrder).map(Number)) < 60 * MINUTE_MS,
  );
  const open = today.filter(({ order }) => order.steps.length < 3 && !order.steps.includes('cancel-order'));
  expect(open.some(({ order }) => order.bud === 'bud')).toBe(true);
  expect(open.some(({ order }) => order.scrub === 'scrub')).toBe(true);
  expect(listTrips(open).some(({ to }) => to === Number.POSITIVE_INFINITY)).toBe(true);
});

it('gives the demo people homes that the made-up city has, near each other', () => {
  const city = generateCity();
  const [longitude, latitude] = city.centre;
  const central = pickHomes(city, DEMO_HOMES.length * 10, 12).filter(
    (home) => Math.hypot(home.latitude - latitude, home.longitude - longitude) < 0.016,
  );
  expect(central.slice(0, DEMO_HOMES.length)).toEqual(DEMO_HOMES);
});
