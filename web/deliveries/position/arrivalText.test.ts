import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, type DeliveryType } from '../../../domain/deliveries.ts';
import { situatedDelivery } from '../../../testing/situated.ts';
import { arrivalText } from './arrivalText.ts';

const delivery = (deliveryType: DeliveryType) =>
  DELIVERY_STATUSES.map((status) => ({
    ...{ status, deliveryType, hasLaundry: false, exceptions: [] as readonly { readonly action: string }[] },
    duber: { fullname: 'Pia Moor' },
    bud: { fullname: 'Ines Brook' },
    scrub: { fullname: 'Theo Linden' },
  }));

test.each([
  ['Bud_To_Scrub', 'Bud', ['Pia is on the way to you', 'Pia has the laundry', 'Pia is bringing the laundry to Theo']],
  ['Bud_To_Scrub', 'Scrub', ['Pia is on the way to Ines', 'Pia has the laundry', 'Pia is bringing the laundry to you']],
  ['Scrub_To_Bud', 'Bud', ['Pia is on the way to Theo', 'Pia has the laundry', 'Pia is bringing the laundry to you']],
  ['Scrub_To_Bud', 'Scrub', ['Pia is on the way to you', 'Pia has the laundry', 'Pia is bringing the laundry to Ines']],
] as const)(
  '%s for a %s: what happens while a Duber is under way, and nothing before or after',
  (type, viewer, texts) => {
    const said = delivery(type).map((one) => arrivalText(one, viewer));
    expect(said.filter((text) => text !== undefined)).toEqual(texts);
  },
);

const said = (
  viewer: Parameters<typeof arrivalText>[1],
  more: object,
  type: DeliveryType = 'Bud_To_Scrub',
  holderId?: string,
) =>
  delivery(type)
    .map((one) => arrivalText(situatedDelivery({ ...one, ...more }), viewer, holderId))
    .filter((text) => text !== undefined);
const RELAYED = { exceptions: [{ action: 'relay' }] } as const;
const PICKUP = { pickup: { latitude: 24.01, longitude: 67 } };

test('a Duber who collects relayed laundry is on the way to the Duber who has it, and not to a door', () => {
  for (const type of ['Bud_To_Scrub', 'Scrub_To_Bud'] as const)
    for (const viewer of ['Bud', 'Scrub'] as const)
      expect(said(viewer, { ...RELAYED, duberId: 'pia' }, type, 'dora')[0]).toBe(
        'Pia is on the way to the Duber who has the laundry',
      );
  expect(said('Bud', RELAYED)[2]).toBe('Pia is bringing the laundry to Theo');
});

test('a Duber who goes on with the laundry after all is not on the way to themselves', () => {
  expect(said('Bud', { ...RELAYED, duberId: 'pia' }, 'Bud_To_Scrub', 'pia')[0]).toBe('Pia has the laundry');
  // Where the page does not know who has it, the sentence is true of both.
  expect(said('Bud', RELAYED)[0]).toBe('Pia continues with the laundry');
});

test('the Duber who waits with the laundry reads that the next one is on the way to them', () => {
  expect(said('sender', PICKUP)[0]).toBe('Pia is on the way to you');
  // They are there.
  expect(said('sender', { ...PICKUP, isNextHere: true })).toEqual([]);
});

test('a Duber who has arrived is no longer on the way', () => {
  const arrivedAt = '2026-11-22T12:00:00.000Z';
  const said = delivery('Bud_To_Scrub').map((one) =>
    arrivalText({ ...one, arrivedAt: one.status === 'Way_To_Pick' ? arrivedAt : null }, 'Bud'),
  );
  expect(said.filter((text) => text !== undefined)).toEqual([
    'Pia has the laundry',
    'Pia is bringing the laundry to Theo',
  ]);
});
