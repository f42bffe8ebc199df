import { expect, test } from 'vitest';
import { missedPromiseText, type ToldPromise } from './promises.ts';

const LATE = { amount: '$5.00', promisedAt: 'Fri, 7 pm', backAt: 'Fri, 8 pm', borneBy: 'holder' } as const;
const paid = (holder: 'Scrub' | 'Duber'): ToldPromise => ({ ...LATE, state: 'paid', holder });

test('both sides read when laundry was promised, when it came back, who had it, and what follows', () => {
  expect(missedPromiseText('Bud', paid('Scrub'))).toBe(
    'It was promised by Fri, 7 pm, and came back Fri, 8 pm. Then your Scrub had the laundry. $5.00 goes back to your card.',
  );
  expect(missedPromiseText('Scrub', paid('Scrub'))).toBe(
    'It was promised by Fri, 7 pm, and came back Fri, 8 pm. Then you had the laundry. $5.00 goes back to the card of the customer, from what you have earned. You can contest that once, among your problems.',
  );
  expect(missedPromiseText('Scrub', paid('Duber'))).toContain('The Duber bears it.');
});

test('who bears nothing reads nothing about contesting', () => {
  const byTown = { ...paid('Scrub'), borneBy: 'town' } as const;
  expect(missedPromiseText('Scrub', byTown)).toMatch(/The town bears it\.$/);
  expect(missedPromiseText('Scrub', { ...byTown, state: 'owed' })).not.toContain('contest');
});

test('a Bud reads why nothing goes back, and what to do if that is wrong', () => {
  const unpaid = { ...LATE, state: 'unpaid', reason: 'late-pickup', holder: 'Scrub' } as const;
  expect(missedPromiseText('Bud', unpaid)).toBe(
    'It was promised by Fri, 7 pm, and came back Fri, 8 pm. Then your Scrub had the laundry. Nothing goes back for that: the laundry left you later than agreed. If that is wrong, report a problem.',
  );
  expect(missedPromiseText('Bud', { ...unpaid, reason: 'cancelled', backAt: undefined })).not.toContain('report');
});

test('laundry that was back in time is not called late', () => {
  expect(missedPromiseText('Bud', { ...LATE, state: 'kept', backAt: 'Fri, 6:50 pm' })).toBe(
    'It was promised by Fri, 7 pm, and back in time, Fri, 6:50 pm: a phone without a network said so later.',
  );
});
