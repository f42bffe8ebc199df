import { expect, test } from 'vitest';
import { eventToastOf } from './eventToasts.ts';

test('the toast about a cancelled job does not guess who cancelled it: the event does not say it', () => {
  const at = '2026-11-22T12:00:00.000Z';
  const toast = eventToastOf({ entity: 'order', id: 'o1', status: 'Cancelled', at } as never, 'Scrub');
  expect(toast).toMatchObject({ title: 'Job cancelled', to: '/scrub/jobs/o1' });
  expect(toast?.description).not.toMatch(/customer|answer|town/i);
});

test('the toast about a rejected order says nothing about a Duber who may have been paid before', () => {
  const toast = eventToastOf({ entity: 'order', id: 'o1', status: 'Rejected', at: '' } as never, 'Bud');
  expect(toast?.description).toBe('You pay your Scrub nothing.');
});
