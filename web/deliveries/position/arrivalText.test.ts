import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, type DeliveryType } from '../../../domain/deliveries.ts';
import { arrivalText } from './arrivalText.ts';

const delivery = (deliveryType: DeliveryType) =>
  DELIVERY_STATUSES.map((status) => ({
    status,
    deliveryType,
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
