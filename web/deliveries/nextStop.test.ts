import { expect, test } from 'vitest';
import type { Delivery } from '../../contract/deliveries.ts';
import type { DeliveryStatus, DeliveryType } from '../../domain/deliveries.ts';
import { isDriving, nextStopOf } from './nextStop.ts';

const place = (address: string) => ({ id: address, label: 'Default', address, latitude: 24, longitude: 67 });
const delivery = (status: DeliveryStatus, deliveryType: DeliveryType = 'Bud_To_Scrub', pickup: object | null = null) =>
  ({
    ...{ status, deliveryType, pickup, hasLaundry: false },
    bud: { fullname: 'Theo Baker', phone: '+12025550123' },
    scrub: { fullname: 'Ines Sol', phone: null, addresses: [place('3 Foam Lane')] },
    order: { budAddress: place('12 Heron Street') },
  }) as unknown as Delivery;

test.each([
  ['Accepted', 'Theo', '12 Heron Street'],
  ['Way_To_Pick', 'Theo', '12 Heron Street'],
  ['Collected', 'Ines', '3 Foam Lane'],
  ['Way_To_Drop', 'Ines', '3 Foam Lane'],
  ['Way_Back', 'Theo', '12 Heron Street'],
] as const)('at %s a Duber who brings laundry to a Scrub goes to %s', (status, name, address) => {
  expect(isDriving({ status })).toBe(true);
  expect(nextStopOf(delivery(status), 'recipient')).toMatchObject({ name, address });
});

test('the return delivery is collected from the Scrub and goes home', () => {
  expect(nextStopOf(delivery('Accepted', 'Scrub_To_Bud'), 'recipient')).toMatchObject({ name: 'Ines', phone: null });
  expect(nextStopOf(delivery('Collected', 'Scrub_To_Bud'), 'recipient')).toMatchObject({ phone: '+12025550123' });
});

test('relayed laundry waits with a Duber whose phone number is not told, and its holder goes on to the drop-off', () => {
  const relayed = delivery('Way_To_Pick', 'Bud_To_Scrub', { latitude: 24.1, longitude: 67.1 });
  const meeting = { name: 'the Duber who has the laundry', phone: null, address: 'Where they wait for you' };
  expect(nextStopOf(relayed, 'recipient')).toMatchObject(meeting);
  expect(nextStopOf(relayed, 'holder')).toMatchObject({ name: 'Ines', address: '3 Foam Lane' });
});

test('nobody drives an offer, a delivery that failed, or one that is done', () => {
  for (const status of ['Pending', 'Failed', 'Delivered', 'Returned', 'Called_Off'] as const)
    expect(isDriving({ status })).toBe(false);
});
