import { expect, test } from 'vitest';
import type { TownDelivery, TownStep } from '../../../contract/operator/orders.ts';
import { mergeSteps } from './OrderTimeline.tsx';

const stepAt = (minute: number, action: string): TownStep => ({
  ...{ at: `2026-11-30T12:0${minute}:00.000Z`, takenAt: null, action, status: 'Accepted', attempt: 1 },
  ...{ by: { role: 'Bud', id: null, name: 'Bea' }, reason: null, words: null, fileIds: [] },
});
const deliveryOf = (steps: TownStep[]) => ({ id: 'one', type: 'Bud_To_Scrub', steps }) as unknown as TownDelivery;

test('the steps of an order and of its deliveries are one line, the newest first', () => {
  const delivery = deliveryOf([stepAt(1, 'open-delivery'), stepAt(3, 'collected')]);
  const merged = mergeSteps({ steps: [stepAt(0, 'place-order'), stepAt(2, 'start-order')], deliveries: [delivery] });
  expect(merged.map((step) => [step.action, step.delivery?.type])).toEqual([
    ['collected', 'Bud_To_Scrub'],
    ['start-order', undefined],
    ['open-delivery', 'Bud_To_Scrub'],
    ['place-order', undefined],
  ]);
});

test('of two steps at the same time, that of the delivery comes after that of the order which caused it', () => {
  const merged = mergeSteps({
    steps: [stepAt(1, 'accept-order')],
    deliveries: [deliveryOf([stepAt(1, 'open-delivery')])],
  });
  expect(merged.map(({ action }) => action)).toEqual(['open-delivery', 'accept-order']);
});
