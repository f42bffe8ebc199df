import { expect, test } from 'vitest';
import { bagText } from './BagPage.tsx';

test('a bag is part of the order of a Bud, the job of a Scrub and the delivery of a Duber', () => {
  expect((['Bud', 'Scrub', 'Duber'] as const).map((role) => bagText(role, 2))).toEqual([
    'Bag 2 of your order.',
    'Bag 2 of your job.',
    'Bag 2 of your delivery.',
  ]);
});
