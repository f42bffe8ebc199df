import { expect, test } from 'vitest';
import { ORDER_STATUSES } from '../../../domain/orders.ts';
import { isLaundryAwaited, whatHappens } from './statusText.ts';

const order = {
  status: 'Accepted',
  selfDelivery: false,
  selfPickup: false,
  scrub: { fullname: 'Sam Suds' },
  bud: { fullname: 'Ada Byron' },
  deliveries: [],
} as const;
const there = { deliveryType: 'Bud_To_Scrub' } as const;
const back = { deliveryType: 'Scrub_To_Bud' } as const;

test('laundry is awaited until its delivery is delivered, unless the Bud brings it', () => {
  expect(isLaundryAwaited({ ...order, deliveries: [{ ...there, status: 'Way_To_Drop' }] })).toBe(true);
  expect(isLaundryAwaited({ ...order, deliveries: [{ ...there, status: 'Delivered' }] })).toBe(false);
  expect(isLaundryAwaited({ ...order, selfDelivery: true })).toBe(false);
});

test('a Scrub is told that the laundry has not arrived yet, and when it has', () => {
  const waiting = { ...order, deliveries: [{ ...there, status: 'Pending' as const }] };
  const arrived = { ...order, deliveries: [{ ...there, status: 'Delivered' as const }] };
  expect(whatHappens(waiting, 'Scrub')).toContain('has not arrived yet');
  expect(whatHappens(arrived, 'Scrub')).toBe('The laundry has arrived.');
  expect(whatHappens({ ...order, selfDelivery: true }, 'Scrub')).toBe('Ada Byron brings the laundry to you.');
});

test('a Bud is told who moves the laundry once it is done', () => {
  const done = { ...order, status: 'Completed' } as const;
  expect(whatHappens(done, 'Bud')).toContain('A Duber brings it back');
  expect(whatHappens({ ...done, selfPickup: true }, 'Bud')).toContain('fetch it from Sam Suds');
  expect(whatHappens({ ...done, deliveries: [{ ...back, status: 'Delivered' }] }, 'Bud')).toContain('back with you');
});

test('every status says something to both sides', () => {
  for (const status of ORDER_STATUSES)
    for (const reader of ['Bud', 'Scrub'] as const)
      expect(whatHappens({ ...order, status }, reader), `${reader} ${status}`).toMatch(/\.$/);
});
