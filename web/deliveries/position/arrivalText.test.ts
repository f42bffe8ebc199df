import { expect, test } from 'vitest';
import type { Delivery } from '../../../contract/deliveries.ts';
import { DELIVERY_STATUSES, type DeliveryType } from '../../../domain/deliveries.ts';
import { arrivalText } from './arrivalText.ts';

const delivery = (deliveryType: DeliveryType) =>
  DELIVERY_STATUSES.map((status) => ({
    ...{ status, deliveryType, attempt: 1, exceptions: [] as Delivery['exceptions'] },
    duber: { fullname: 'Pia Moor' },
    bud: { fullname: 'Ines Brook' },
    scrub: { fullname: 'Theo Linden' },
  }));

test.each([
  ['Bud_To_Scrub', 'Bud', ['Pia is on the way to you', 'Pia has the laundry', 'Pia is bringing the laundry to Theo']],
  ['Bud_To_Scrub', 'Scrub', ['Pia is on the way to Ines', 'Pia has the laundry', 'Pia is bringing the laundry to you']],
  ['Scrub_To_Bud', 'Bud', ['Pia is on the way to Theo', 'Pia has the laundry', 'Pia is bringing the laundry to you']],
  ['Scrub_To_Bud', 'Scrub', ['Pia is on the way to you', 'Pia has the laundry', 'Pia is bringing the laundry to Ines']],
  ['Scrub_To_Bud', 'Duber', ['Next stop: Theo', 'Next stop: Ines', 'Next stop: Ines']],
] as const)(
  '%s for a %s: what happens while a Duber is under way, and nothing before or after',
  (type, viewer, texts) => {
    const said = delivery(type).map((one) => arrivalText(one, viewer));
    expect(said.filter((text) => text !== undefined)).toEqual(texts);
  },
);

test('a Duber who has arrived is no longer on the way', () => {
  const arrival = { action: 'arrived-at-pickup', attempt: 1, by: 'Duber', reason: null, words: null } as const;
  const exceptions = [{ ...arrival, status: 'Way_To_Pick' as const, createdAt: '2026-11-22T12:00:00.000Z' }];
  const said = delivery('Bud_To_Scrub').map((one) => arrivalText({ ...one, exceptions }, 'Bud'));
  expect(said.filter((text) => text !== undefined)).toEqual([
    'Pia has the laundry',
    'Pia is bringing the laundry to Theo',
  ]);
});
