import { expect, test } from 'vitest';
import type { DeliveryType } from '../../domain/deliveries.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { DeliverySituation } from '../../domain/process/situation.ts';
import { reachedStop, type StoppingOrder, stopNamesOf } from './stops.ts';

const leg = (deliveryType: DeliveryType, situation: DeliverySituation, round = 1) => ({
  deliveryType,
  situation,
  round,
});

const order = (
  status: OrderStatus,
  deliveries: StoppingOrder['deliveries'] = [],
  more: Partial<StoppingOrder> = {},
): StoppingOrder => ({
  status,
  deliveries,
  ...{ selfDelivery: false, selfPickup: false, round: 1, isHandedOver: false },
  scrub: { fullname: 'Sam Suds' },
  price: { loadPrice: 12.5 },
  ...more,
});

const nameOf = (one: StoppingOrder) => stopNamesOf(one)[reachedStop(one)];
const there = (situation: DeliverySituation) => leg('Bud_To_Scrub', situation);
const back = (situation: DeliverySituation) => [there('delivered'), leg('Scrub_To_Bud', situation)];

test.each<[StoppingOrder, string | undefined]>([
  [order('Requested'), undefined],
  [order('Accepted', [there('waits-for-duber')]), 'Accepted'],
  [order('Accepted', [there('at-pickup')]), 'Accepted'],
  [order('Accepted', [there('carried')]), 'Picked up'],
  [order('Accepted', [there('delivered')]), 'Picked up'],
  [order('Accepted', [there('brought-back')]), 'Accepted'],
  [order('In_Progress', [there('delivered')]), 'Washing'],
  [order('Completed', back('waits-for-duber')), 'Washed'],
  [order('Completed', back('at-pickup')), 'Washed'],
  [order('Completed', back('carried')), 'On its way'],
  [order('Completed', back('delivered'), { situation: 'home' }), 'Home'],
])('stage %#: an order stands at the last stop that its laundry has reached', (stage, name) => {
  expect(nameOf(stage)).toBe(name);
});

test('an order is not home before its laundry is', () => {
  expect(reachedStop(order('Completed', back('coming')))).toBeLessThan(4);
});

test('a Bud who carries the laundry reads no stop of a Duber', () => {
  const own = order('Completed', [], { selfDelivery: true, selfPickup: true });
  expect(stopNamesOf(own)).toEqual(['Accepted', 'Brought over', 'Washed', 'Ready', 'Home']);
  expect(nameOf(own)).toBe('Ready');
});

test('laundry that is cleaned again is picked up again before it is washed', () => {
  const again = (situation: DeliverySituation) =>
    order('In_Progress', [leg('Bud_To_Scrub', situation, 2)], { round: 2, isCleanedAgain: true });
  expect([again('coming'), again('carried'), again('delivered')].map(nameOf)).toEqual([
    'Accepted',
    'Picked up',
    'Washing',
  ]);
});

test('laundry that was not washed, or whose order was cancelled, is never called washed', () => {
  expect(stopNamesOf(order('Completed', back('carried'), { price: { loadPrice: 0 } }))[2]).toBe('Not washed');
  expect(stopNamesOf(order('Cancelled', back('carried')))[2]).toBe('Cancelled');
});
