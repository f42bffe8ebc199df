import { expect, test } from 'vitest';
import { blockingDelivery } from './busyWith.ts';

test('a Duber with an active delivery cannot accept another one', () => {
  expect(blockingDelivery('offer', { active: { id: 'active' }, queued: [] })).toBe('active');
});

test('nothing is in the way without one, or while it is not known', () => {
  for (const active of [null, undefined, { id: 'offer' }])
    expect(blockingDelivery('offer', { active, queued: [] })).toBeUndefined();
});

test('an active delivery with steps that wait on the device may be over by then, so the server decides', () => {
  const active = { id: 'active' };
  expect(blockingDelivery('offer', { active, queued: [{ deliveryId: 'active' }] })).toBeUndefined();
  expect(blockingDelivery('offer', { active, queued: [{ deliveryId: 'other' }] })).toBe('active');
});
