import { expect, test } from 'vitest';
import { pickupAndDropOf } from './pickupAndDrop.ts';

const budAddress = { id: '1', label: 'Home', address: '12 Heron Street', latitude: 24.01, longitude: 67.01 };
const scrubAddress = { id: '2', label: 'Default', address: '3 Foam Lane', latitude: 24.02, longitude: 67.02 };
const scrub = { id: '3', fullname: 'Sam Scrub', email: null, phone: null };
const delivery = {
  status: 'Way_To_Pick' as const,
  pickup: null,
  order: { budAddress: budAddress },
  scrub: { ...scrub, addresses: [scrubAddress] },
};

test('the laundry goes from the customer to the Scrub’s first address', () => {
  const { pickup, drop } = pickupAndDropOf({ ...delivery, deliveryType: 'Bud_To_Scrub' }, 'Duber');
  expect(pickup).toEqual({ label: 'Pickup · Customer', address: '12 Heron Street', point: budAddress });
  expect(drop).toEqual({ label: 'Drop · Service Provider', address: '3 Foam Lane', point: scrubAddress });
});

test('the return delivery goes the other way', () => {
  const { pickup, drop } = pickupAndDropOf({ ...delivery, deliveryType: 'Scrub_To_Bud' }, 'Bud');
  expect(pickup).toEqual({ label: 'Pickup · Service Provider', address: '3 Foam Lane', point: scrubAddress });
  expect(drop).toEqual({ label: 'Drop · Your address', address: '12 Heron Street', point: budAddress });
});

test('a Scrub without an address leaves that end without text and pin', () => {
  const { drop } = pickupAndDropOf(
    { ...delivery, scrub: { ...scrub, addresses: [] }, deliveryType: 'Bud_To_Scrub' },
    'Scrub',
  );
  expect(drop).toEqual({ label: 'Drop · Your address', address: undefined, point: undefined });
});

test('a Duber who takes over from another one drives to where they wait', () => {
  const pickup = { latitude: 24.015, longitude: 67.015 };
  const ends = pickupAndDropOf({ ...delivery, pickup, deliveryType: 'Bud_To_Scrub' }, 'Duber');
  expect(ends.pickup).toMatchObject({ label: 'Pickup · Another Duber', point: pickup });
  expect(ends.drop.point).toEqual(scrubAddress);
});

test('the Duber who waits there with the laundry reads that it is their own place', () => {
  const pickup = { latitude: 24.015, longitude: 67.015 };
  const ends = pickupAndDropOf({ ...delivery, pickup, deliveryType: 'Bud_To_Scrub' }, 'Duber', 'sender');
  expect(ends.pickup).toEqual({ label: 'Pickup · You', address: 'Where you wait for the next Duber', point: pickup });
});

test('a Duber who accepts again what they could not go on with has nobody to meet', () => {
  const pickup = { latitude: 24.015, longitude: 67.015 };
  const ends = pickupAndDropOf({ ...delivery, pickup, deliveryType: 'Bud_To_Scrub' }, 'Duber', 'holder');
  expect(ends.pickup).toEqual({ label: 'Pickup · You', address: 'You have the laundry', point: pickup });
});

test('once the laundry has left the Duber who waited, nobody waits there any more', () => {
  const relayed = {
    ...delivery,
    pickup: { latitude: 24.015, longitude: 67.015 },
    deliveryType: 'Bud_To_Scrub' as const,
  };
  const met = { label: 'Pickup · On the way', address: 'Where the laundry was handed on', point: relayed.pickup };
  for (const status of ['Collected', 'Way_To_Drop', 'Delivered'] as const)
    expect(pickupAndDropOf({ ...relayed, status }, 'Duber').pickup).toEqual(met);
  expect(pickupAndDropOf({ ...relayed, status: 'Failed', hasLaundry: true }, 'Duber').pickup).toEqual(met);
  const { pickup } = pickupAndDropOf({ ...relayed, status: 'Failed', hasLaundry: false }, 'Duber');
  expect(pickup.label).toBe('Pickup · Another Duber');
});

test('relayed laundry that is brought back goes to where it came from', () => {
  const onTheWayBack = { ...delivery, status: 'Way_Back' as const, pickup: { latitude: 24.015, longitude: 67.015 } };
  const { pickup } = pickupAndDropOf({ ...onTheWayBack, deliveryType: 'Bud_To_Scrub' }, 'Duber');
  expect(pickup).toEqual({ label: 'Pickup · Customer', address: '12 Heron Street', point: budAddress });
});
