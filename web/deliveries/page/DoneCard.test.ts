import { expect, test } from 'vitest';
import { nextText } from './DoneCard.tsx';

const brought = { deliveryType: 'Scrub_To_Bud' as const, order: { price: { loadPrice: 12.5 } } };
const DOOR = { ...brought, leftAtDoorAt: '2026-01-05T10:00:00.000Z' };

test('laundry at a door is not called home before its Bud has said that they have it', () => {
  expect(nextText(brought, 'Bud')).toMatch(/^Your laundry is home\./);
  expect(nextText(DOOR, 'Bud')).toBe(
    'Your laundry stands at your door. Say on the page of your order that you have it.',
  );
  expect(nextText(DOOR, 'Scrub')).toMatch(/stands at the door/);
});

test('laundry that comes home is not called clean: it may be that of a cancelled order', () => {
  for (const role of ['Bud', 'Scrub'] as const) expect(nextText(brought, role)).not.toMatch(/clean|folded/);
});

test('nobody is told that laundry is washed from now on that goes back as it is', () => {
  const there = { ...brought, deliveryType: 'Bud_To_Scrub' as const };
  expect(nextText(there, 'Bud')).toMatch(/washes, dries and folds/);
  expect(nextText({ ...there, order: { price: { loadPrice: 0 } } }, 'Bud')).toMatch(/does not wash it this time/);
});
