import { expect, test } from 'vitest';
import { giveBackText, givenBackTitle, leaveHint } from './orderChanges.ts';

test('a Scrub reads that they pay for the trip of a Duber who is on the way, before they give the job back', () => {
  const order = (status: string) => ({ bud: { fullname: 'Ada Bud' }, deliveries: [{ status }] });
  expect(giveBackText(order('Way_To_Pick'))).toMatch(/you pay for their trip\.$/);
  expect(giveBackText(order('Accepted'))).toMatch(/You earn nothing for this job\.$/);
});

test('an order is left before its laundry is where it goes, by who brings it there', () => {
  expect(leaveHint('Bud', false)).toBe('You can cancel until your laundry is collected.');
  expect(leaveHint('Bud', true)).toBe('You can cancel until your Scrub has your laundry.');
  expect(leaveHint('Scrub', true)).toBe("If you can't do this job, tell us before the customer brings the laundry.");
});

test('a Scrub is said to be unable only when they said so, and not when the town took the order from them', () => {
  const title = (situation: 'given-back' | 'taken-back') =>
    givenBackTitle({ scrub: { fullname: 'Ira Iron' }, situation });
  expect(title('given-back')).toBe("Ira can't do your laundry after all");
  expect(title('taken-back')).toBe('Your order needs another Scrub');
});
