import { expect, test } from 'vitest';
import type { Order } from '../../contract/orders.ts';
import { DELIVERY_STATUSES } from '../../domain/deliveries.ts';
import { ORDER_STATUSES } from '../../domain/orders.ts';
import { isAtScrub } from '../../domain/process/holder.ts';
import { ORDER_CALL_ROWS } from '../../domain/process/order.ts';
import { situated } from '../../testing/situated.ts';
import { completionWaitsFor, hintFor, startWaitsFor } from './stepHints.ts';

const accepted = (more: object = {}) =>
  situated({
    ...{ status: 'Accepted', selfDelivery: false, selfPickup: false, round: 1, isHandedOver: false, scrubEarning: 12 },
    ...{ exceptions: [], statusHistory: [], deliveries: [], price: { loadPrice: 12 } },
    ...{ scrub: { fullname: 'Sam Suds' }, bud: { fullname: 'Ada Byron' } },
    ...more,
  }) as unknown as Order;
const delivery = (status: string, ...actions: string[]) => ({
  ...{ status, deliveryType: 'Bud_To_Scrub', round: 1, hasLaundry: false },
  exceptions: actions.map((action) => ({ action })),
});

const waitsFor = (order: Order) => startWaitsFor(order, { startsWithLaundry: true });

test('where a town starts only with laundry, the start waits exactly until it is there, and says for what', () => {
  for (const status of DELIVERY_STATUSES) {
    const order = accepted({ deliveries: [delivery(status)] });
    expect([status, waitsFor(order) === undefined]).toEqual([status, isAtScrub(order)]);
  }
  expect(waitsFor(accepted({ deliveries: [delivery('Pending')] }))).toBe(
    'Waiting for the laundry. A Duber will bring it to you.',
  );
  expect(waitsFor(accepted({ isHandedOver: true, selfDelivery: true }))).toBeUndefined();
});

test('a Scrub whom the Bud brings the laundry learns that the start waits for their own word', () => {
  const words = 'Once you have it, say so below “Laundry”.';
  expect(waitsFor(accepted({ selfDelivery: true }))).toContain(words);
  for (const before of [[], ['relay'], ['report-lost']])
    expect(waitsFor(accepted({ deliveries: [delivery('Called_Off', ...before, 'call-off')] }))).toContain(words);
  expect(waitsFor(accepted({ deliveries: [delivery('Failed', 'report-lost')] }))).not.toContain(words);
  expect(waitsFor(accepted({ deliveries: [delivery('Way_Back')] }))).not.toContain(words);
});

test('a Scrub is not offered to start while the laundry is reported as lost, whatever the town chose', () => {
  const lost = accepted({ deliveries: [{ ...delivery('Failed', 'report-lost'), hasLaundry: true }] });
  for (const config of [{ startsWithLaundry: false }, undefined])
    expect(startWaitsFor(lost, config)).toBe('Waiting for the laundry. It is reported as lost.');
  const found = accepted({
    deliveries: [{ ...delivery('Way_To_Drop', 'report-lost', 'try-again'), hasLaundry: true }],
  });
  expect(startWaitsFor(found, { startsWithLaundry: false })).toBeUndefined();
});

test('until it is known whether the town starts only with laundry, the start waits for that', () => {
  const [coming, here] = [
    accepted({ deliveries: [delivery('Pending')] }),
    accepted({ deliveries: [delivery('Delivered')] }),
  ];
  expect(startWaitsFor(coming, undefined)).toBe('You can start once the rules of your town have loaded.');
  expect(startWaitsFor(here, undefined)).toBeUndefined();
  for (const config of [{ startsWithLaundry: false }, {}]) expect(startWaitsFor(coming, config)).toBeUndefined();
});

test('nothing but an accepted order waits to be started', () => {
  for (const status of ORDER_STATUSES.filter((one) => one !== 'Accepted'))
    expect(waitsFor(accepted({ status }))).toBeUndefined();
});

test('a Scrub who cleans laundry again learns that it can only be completed once they have it', () => {
  const again = (more: object = {}) =>
    accepted({ status: 'In_Progress', round: 2, exceptions: [{ action: 'reopen' }], ...more });
  const coming = again({ deliveries: [delivery('Delivered'), { ...delivery('Pending'), round: 2 }] });
  const careful = { startsWithLaundry: true };
  for (const holder of ['Bud', 'Duber', undefined] as const)
    expect(completionWaitsFor(coming, careful, holder)).toBe('Waiting for the laundry. A Duber will bring it to you.');
  expect(completionWaitsFor(again({ selfDelivery: true }), careful, 'Bud')).toBe(
    'Waiting for the laundry. Ada Byron will bring you the laundry. Once you have it, say so below “Laundry”.',
  );
});

test('the completion waits for no laundry that the Scrub has, and not where a town does not ask for it', () => {
  const order = (more: object) => accepted({ status: 'In_Progress', ...more });
  const coming = order({ deliveries: [delivery('Pending')] });
  const careful = { startsWithLaundry: true };
  expect(completionWaitsFor(coming, careful, 'Scrub')).toBeUndefined();
  expect(completionWaitsFor(order({ deliveries: [delivery('Delivered')] }), careful, undefined)).toBeUndefined();
  for (const config of [{ startsWithLaundry: false }, {}, undefined])
    expect(completionWaitsFor(coming, config, 'Bud')).toBeUndefined();
  expect(completionWaitsFor(accepted({ deliveries: [delivery('Pending')] }), careful, 'Bud')).toBeUndefined();
});

test('every step has a hint in every status, also of laundry that is cleaned again or goes back unwashed', () => {
  const orders = [
    accepted(),
    accepted({ exceptions: [{ action: 'reopen' }] }),
    accepted({ ceilingSize: 'Large', price: { loadPrice: 0 } }),
  ];
  for (const order of orders)
    for (const { action } of ORDER_CALL_ROWS) expect(hintFor(action, order)).toMatch(/^[A-Z].*\.$/);
  expect(hintFor('complete-order', accepted())).toContain('Earns you $12.00');
  expect(hintFor('complete-order', accepted({ exceptions: [{ action: 'reopen' }] }))).toBe(
    'Ends the job and calls a Duber to take the laundry back.',
  );
  expect(hintFor('start-order', accepted({ deliveries: [delivery('Pending')] }))).toBe(
    'You can start before the laundry is there.',
  );
});
