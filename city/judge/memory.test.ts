import { expect, test } from 'vitest';
import { createDiary } from '../findings.ts';
import { createMemory } from './memory.ts';

const step = (status: string, minute: number) => ({ status, createdAt: `2026-11-23T10:0${minute}:00.000Z` });
/** A large load that the Bud brings and fetches. */
const PRICE = { loadPrice: 20, delivery: 0, pickup: 0, platformFee: 2, taxes: 1.76, totalPrice: 23.76 };
const order = (status: string, ...statusHistory: ReturnType<typeof step>[]) => ({
  ...{ id: 'order-1', number: 'R-1', status, statusHistory, exceptions: [], deliveries: [] },
  ...{ loadSize: 'Large', selfDelivery: true, selfPickup: true },
  price: PRICE,
});
const open = (isWeighed = false) => {
  const diary = createDiary(() => 0);
  return { diary, memory: createMemory('Bud 1', diary, { isWeighed, hasDefaultPrices: true }) };
};
const found = ({ findings }: { findings: readonly { what: string }[] }) => findings.map(({ what }) => what);

test('an order that goes on agrees with what was known of it', () => {
  const { diary, memory } = open();
  memory.sawOrder(order('Requested', step('Requested', 0)));
  memory.sawOrder(order('Accepted', step('Requested', 0), step('Accepted', 1)));
  expect(found(diary)).toEqual([]);
  expect(memory.orders.get('order-1')).toBe('Accepted');
});

test('a read that does not have an answered step yet is found', () => {
  const { diary, memory } = open();
  memory.sawOrder(order('Requested', step('Requested', 0)));
  memory.took('order-1', step('Cancelled', 1));
  memory.sawOrder(order('Requested', step('Requested', 0)));
  expect(found(diary)).toEqual([
    'Bud 1 knew of the order R-1 Cancelled at 2026-11-23T10:01:00.000Z, and then read Requested at 2026-11-23T10:00:00.000Z',
  ]);
});

test('a status that is not the last of the history is found, also after a step that was not planned', () => {
  const { diary, memory } = open();
  memory.sawOrder({
    ...order('Requested', step('Requested', 0), step('Accepted', 1)),
    exceptions: [step('Requested', 2)],
  });
  expect(found(diary)).toEqual([]);
  memory.sawOrder({ ...order('Accepted', step('Requested', 0)), id: 'order-2' });
  expect(found(diary)).toEqual(['Bud 1 read that the order R-1 is Accepted, and its history ends with Requested']);
});

test('a price that changes is found, unless laundry is weighed', () => {
  const dearer = { ...order('Requested', step('Requested', 0)), price: { ...PRICE, totalPrice: 21 } };
  for (const isWeighed of [false, true]) {
    const { diary, memory } = open(isWeighed);
    memory.sawOrder(order('Requested', step('Requested', 0)));
    memory.sawOrder(dearer);
    expect(found(diary)).toEqual(
      isWeighed
        ? []
        : [
            'Bud 1 read a total of $23.76 for R-1, and then $21',
            'Bud 1 read totalPrice $21 for R-1, and it should be $23.76',
          ],
    );
  }
});

test('what somebody has given up is no longer compared', () => {
  const { diary, memory } = open();
  memory.sawOrder(order('Accepted', step('Requested', 0), step('Accepted', 1)));
  memory.gaveUp('order-1');
  memory.sawOrder(order('Requested', step('Requested', 2)));
  expect([found(diary), memory.orders.size]).toEqual([[], 0]);
});

test('the steps after the first look are those that somebody must have been told of', () => {
  const { memory } = open();
  memory.sawOrder(order('Accepted', step('Requested', 0), step('Accepted', 1)));
  memory.sawOrder(order('In_Progress', step('Requested', 0), step('Accepted', 1), step('In_Progress', 2)));
  expect(memory.newSteps.get('order-1')).toEqual([step('In_Progress', 2)]);
});
