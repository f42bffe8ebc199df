import { expect, it } from 'vitest';
import { drawReview, planScrub, type ScrubOrder } from './scrub.ts';
import { TIMES } from './times.ts';

const SINCE = Date.parse('2026-11-23T10:00:00Z');
const NEIGHBOUR_DUBER = 'a neighbour who drives';
const town = { since: SINCE, pace: 1, isNeighbour: (id: string) => id === NEIGHBOUR_DUBER };
const at = (ms: number) => [{ createdAt: new Date(SINCE + ms).toISOString() }];

const orderOf = (changes: Partial<ScrubOrder>): ScrubOrder => ({
  ...{ id: 'an order', status: 'Requested', statusHistory: at(1_000), selfDelivery: false, deliveries: [] },
  ...changes,
});
const deliveryOf = (changes: Partial<ScrubOrder['deliveries'][number]>): Pick<ScrubOrder, 'deliveries'> => ({
  deliveries: [
    {
      ...{ deliveryType: 'Bud_To_Scrub', status: 'Pending', duberId: null, statusHistory: at(2_000) },
      ...changes,
    },
  ],
});
const planOf = (changes: Partial<ScrubOrder>, pace = 1) => planScrub([orderOf(changes)], { ...town, pace })[0];
const after = (ms: number) => SINCE + ms;

it('a Scrub accepts an order after a few seconds, which are always the same for it', () => {
  const plan = planOf({});
  expect(plan?.act).toBe('accept-order');
  expect(plan?.at).toBeGreaterThanOrEqual(after(1_000 + TIMES.answer.from));
  expect(plan?.at).toBeLessThan(after(1_000 + TIMES.answer.to));
  expect(planOf({})).toEqual(plan);
  expect(planOf({ id: 'another order' })?.at).not.toBe(plan?.at);
});

it('a Scrub starts once the laundry is there, and not before', () => {
  const accepted = { status: 'Accepted', statusHistory: at(1_000) } as const;
  expect(planOf(accepted)).toBeUndefined();
  expect(planOf({ ...accepted, ...deliveryOf({}) })).toBeUndefined();
  expect(planOf({ ...accepted, ...deliveryOf({ status: 'Way_To_Drop' }) })).toBeUndefined();
  const there = planOf({ ...accepted, ...deliveryOf({ status: 'Delivered', statusHistory: at(90_000) }) });
  expect(there?.act).toBe('start-order');
  expect(there?.at).toBeGreaterThanOrEqual(after(90_000 + TIMES.start.from));
  const brought = planOf({ ...accepted, selfDelivery: true });
  expect(brought?.act).toBe('start-order');
  expect(brought?.at).toBeGreaterThanOrEqual(after(1_000 + TIMES.bringing.from));
});

it('a Scrub says that the laundry is there only when a neighbour brings it', () => {
  const brings = (duberId: string | null) =>
    planOf({ status: 'Accepted', ...deliveryOf({ status: 'Way_To_Drop', duberId }) })?.act;
  expect(brings(NEIGHBOUR_DUBER)).toBe('receive');
  expect(brings('a visitor')).toBeUndefined();
  expect(brings(null)).toBeUndefined();
});

it('a Scrub washes for some seconds and is then done', () => {
  const plan = planOf({ status: 'In_Progress', statusHistory: at(5_000) });
  expect(plan?.act).toBe('complete-order');
  expect(plan?.at).toBeGreaterThanOrEqual(after(5_000 + TIMES.wash.from));
  expect(plan?.at).toBeLessThan(after(5_000 + TIMES.wash.to));
});

it('a Scrub leaves alone what happened before the demo was complete, until somebody changes it', () => {
  const old = { status: 'Accepted', statusHistory: at(-60_000) } as const;
  expect(planOf({ status: 'Requested', statusHistory: at(-1) })).toBeUndefined();
  expect(planOf({ ...old, ...deliveryOf({ status: 'Delivered', statusHistory: at(-1) }) })).toBeUndefined();
  expect(planOf({ ...old, ...deliveryOf({ status: 'Delivered', statusHistory: at(1) }) })?.act).toBe('start-order');
});

it('a Scrub does nothing with an order that has ended', () => {
  for (const status of ['Completed', 'Cancelled', 'Rejected'] as const) expect(planOf({ status })).toBeUndefined();
});

it('a Scrub with several orders does the soonest first, and a faster pace makes all of it sooner', () => {
  const plans = planScrub([orderOf({ id: 'late', statusHistory: at(60_000) }), orderOf({ id: 'early' })], town);
  expect(plans.map(({ orderId }) => orderId)).toEqual(['early', 'late']);
  expect(planOf({}, 100)?.at).toBeLessThan(after(1_000 + TIMES.answer.to / 100));
});

it('a Scrub reviews some Buds, with the same words whenever they are asked', () => {
  const orders = Array.from({ length: 400 }, (_, i) => `order ${i}`);
  const reviews = orders.map(drawReview);
  const written = reviews.filter((review) => review !== undefined);
  expect(written.length).toBeGreaterThan(80);
  expect(written.length).toBeLessThan(160);
  expect(orders.map(drawReview)).toEqual(reviews);
});
