import { expect, test } from 'vitest';
import { createRunLog } from '../findings.ts';
import { createKnowledge } from './knowledge.ts';

const step = (status: string, minute: number) => ({ status, createdAt: `2026-11-23T10:0${minute}:00.000Z` });
/** A large load that the Bud brings and fetches. */
const PRICE = { loadPrice: 20, delivery: 0, pickup: 0, platformFee: 2, taxes: 1.76, totalPrice: 23.76 };
const order = (status: string, ...statusHistory: ReturnType<typeof step>[]) => ({
  ...{ id: 'order-1', number: 'R-1', status, statusHistory, exceptions: [], deliveries: [] },
  ...{ loadSize: 'Large', selfDelivery: true, selfPickup: true },
  price: PRICE,
});
const open = (isWeighed = false) => {
  const log = createRunLog(() => 0);
  return { log, knowledge: createKnowledge('Bud 1', log, { isWeighed, hasDefaultPrices: true }) };
};
const found = ({ findings }: { findings: readonly { what: string }[] }) => findings.map(({ what }) => what);

test('a new answer about an order that continues its history is accepted', () => {
  const { log, knowledge } = open();
  knowledge.sawOrder(order('Requested', step('Requested', 0)));
  knowledge.sawOrder(order('Accepted', step('Requested', 0), step('Accepted', 1)));
  expect(found(log)).toEqual([]);
  expect(knowledge.orders.get('order-1')).toBe('Accepted');
});

test('an order keeps the surcharge of the times at which it was placed', () => {
  const { log, knowledge } = open();
  const times = (back: string) => ({ pickup: { from: '2026-11-24T09:00:00Z' }, return: { from: back } });
  const price = { ...PRICE, loadPrice: 24, platformFee: 2.4, taxes: 2.11, totalPrice: 28.51 };
  const placed = { ...order('Requested', step('Requested', 0)), price };
  knowledge.placed('order-1');
  knowledge.sawOrder({ ...placed, times: times('2026-11-25T09:00:00Z') });
  knowledge.sawOrder({ ...placed, times: times('2026-11-28T09:00:00Z') });
  expect(found(log)).toEqual([]);
});

test('a reminder of the Scrub is an event for nobody else', () => {
  const { knowledge } = open();
  const placed = order('Accepted', step('Accepted', 0));
  knowledge.sawOrder(placed);
  const exceptions = [
    { ...step('Accepted', 1), action: 'promise-near' },
    { ...step('Accepted', 2), action: 'move-window' },
  ];
  knowledge.sawOrder({ ...placed, exceptions });
  expect(knowledge.newSteps.get('order-1')).toEqual([exceptions[1]]);
});

test('a read that does not have an answered step yet is found', () => {
  const { log, knowledge } = open();
  knowledge.sawOrder(order('Requested', step('Requested', 0)));
  knowledge.took('order-1', step('Cancelled', 1));
  knowledge.sawOrder(order('Requested', step('Requested', 0)));
  expect(found(log)).toEqual([
    'Bud 1 knew of the order R-1 Cancelled at 2026-11-23T10:01:00.000Z, and then read Requested at 2026-11-23T10:00:00.000Z',
  ]);
});

test('a status that is not the last of the history is found, also after a step that was not planned', () => {
  const { log, knowledge } = open();
  knowledge.sawOrder({
    ...order('Requested', step('Requested', 0), step('Accepted', 1)),
    exceptions: [step('Requested', 2)],
  });
  expect(found(log)).toEqual([]);
  knowledge.sawOrder({ ...order('Accepted', step('Requested', 0)), id: 'order-2' });
  expect(found(log)).toEqual(['Bud 1 read that the order R-1 is Accepted, and its history ends with Requested']);
});

test('a price that changes is found, unless laundry is weighed', () => {
  const dearer = { ...order('Requested', step('Requested', 0)), price: { ...PRICE, totalPrice: 21 } };
  for (const isWeighed of [false, true]) {
    const { log, knowledge } = open(isWeighed);
    knowledge.sawOrder(order('Requested', step('Requested', 0)));
    knowledge.sawOrder(dearer);
    expect(found(log)).toEqual(
      isWeighed
        ? []
        : [
            'Bud 1 read a total of $23.76 for R-1, and then $21',
            'Bud 1 read totalPrice $21 for R-1, and it should be $23.76',
          ],
    );
  }
});

test('a record that somebody has given up is no longer compared', () => {
  const { log, knowledge } = open();
  knowledge.sawOrder(order('Accepted', step('Requested', 0), step('Accepted', 1)));
  knowledge.gaveUp('order-1');
  knowledge.sawOrder(order('Requested', step('Requested', 2)));
  expect([found(log), knowledge.orders.size]).toEqual([[], 0]);
});

test('the steps after the first look are those that somebody must have been told of', () => {
  const { knowledge } = open();
  knowledge.sawOrder(order('Accepted', step('Requested', 0), step('Accepted', 1)));
  knowledge.sawOrder(order('In_Progress', step('Requested', 0), step('Accepted', 1), step('In_Progress', 2)));
  expect(knowledge.newSteps.get('order-1')).toEqual([step('In_Progress', 2)]);
});

test('a promo code that takes off something else than when the order was placed is found', () => {
  const { log, knowledge } = open();
  const placed = order('Requested', step('Requested', 0));
  knowledge.sawOrder(placed);
  knowledge.usedPromo('order-1', { code: 'CITY-1-1', discount: 4 });
  knowledge.sawOrder({ ...placed, promo: { code: 'CITY-1-1', discount: 4 } });
  knowledge.sawOrder(placed);
  expect(found(log)).toEqual([]);
  knowledge.sawOrder({ ...placed, promo: { code: 'CITY-1-1', discount: 3 } });
  expect(found(log)).toEqual(['Bud 1 placed R-1 with CITY-1-1, $4 off, and then read CITY-1-1, $3']);
});
