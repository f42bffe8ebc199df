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
  const queued = (deliveryId: string) => [{ deliveryId, action: 'collected' as const }];
  expect(blockingDelivery('offer', { active, queued: queued('active') })).toBeUndefined();
  expect(blockingDelivery('offer', { active, queued: queued('other') })).toBe('active');
});

test('a Duber who has set off without a network for a delivery that they had accepted ahead is busy until it is delivered', () => {
  const steps = (...actions: ('way-to-pickup' | 'collected' | 'delivered')[]) =>
    actions.map((action) => ({ deliveryId: 'ahead', action }));
  const blocking = (id: string, queued: ReturnType<typeof steps>) => blockingDelivery(id, { active: null, queued });
  expect(blocking('next', steps('way-to-pickup', 'collected'))).toBe('ahead');
  expect(blocking('ahead', steps('way-to-pickup'))).toBeUndefined();
  expect(blocking('next', steps('way-to-pickup', 'collected', 'delivered'))).toBeUndefined();
  expect(
    blockingDelivery('next', {
      active: null,
      queued: steps('way-to-pickup').map((step) => ({ ...step, problem: 'refused' })),
    }),
  ).toBeUndefined();
});
