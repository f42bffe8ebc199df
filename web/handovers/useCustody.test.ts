import { expect, test } from 'vitest';
import type { Delivery } from '../../contract/deliveries.ts';
import { stepsOf } from './useCustody.ts';

const order = { status: 'Accepted', round: 1, isHandedOver: false } as const;
const delivery = (steps: readonly Delivery['status'][], attempt: number, exceptions = 0) => ({
  id: 'a-delivery',
  status: steps.at(-1) ?? 'Pending',
  attempt,
  statusHistory: steps.map((status) => ({ status, createdAt: '', takenAt: null, deliveryId: 'a-delivery' })),
  exceptions: Array.from({ length: exceptions }, () => ({}) as Delivery['exceptions'][number]),
});

test('who has the laundry is asked again after each step, also after one that leads back to an earlier status', () => {
  const moments = [
    { ...order, deliveries: [delivery(['Collected', 'Way_To_Drop'], 1)] },
    { ...order, deliveries: [delivery(['Collected', 'Way_To_Drop', 'Delivered'], 1)] },
    { ...order, deliveries: [delivery(['Collected', 'Way_To_Drop', 'Delivered', 'Way_To_Drop'], 2, 1)] },
    { ...order, status: 'In_Progress' as const, deliveries: [delivery(['Collected', 'Way_To_Drop'], 1)] },
    { ...order, round: 2, deliveries: [] },
    { ...order, isHandedOver: true, deliveries: [] },
  ];
  const keys = moments.map((moment) => stepsOf(moment).join(', '));
  expect(new Set(keys).size).toBe(moments.length);
  expect(stepsOf(moments[0] as (typeof moments)[0])).toEqual(stepsOf(structuredClone(moments[0]) as never));
});
