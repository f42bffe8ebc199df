import { expect, test } from 'vitest';
import { centsToRefund, linesOfDuberEarning, orderLinesOf, orderShareOfEarning } from './earnings.ts';
import { credit, creditsOfDelivery, debit, dropZeroLines, type LedgerLine, reversalOf } from './ledger.ts';
import { addUp, linesOfCutEarning } from './orderBalance.ts';

const PAY = { duberId: 'Dee', cents: 599, fromOrder: 200, bearerId: null };

test.each([
  [599, { fee: 599, order: 1198 }, 599],
  [599, { fee: 0, order: 1198 }, 0],
  [599, { fee: 599, order: 100 }, 100],
  [599, { fee: -5, order: -5 }, 0],
])('of %i cents the order bears what is left of %o', (cents, left, share) => {
  expect(orderShareOfEarning(cents, left)).toBe(share);
});

test('the platform, or the Scrub who is named, bears what the order does not', () => {
  const [own, paid] = [debit('unearned', 200), creditsOfDelivery({ duberId: 'Dee', price: 599 })];
  expect(linesOfDuberEarning(PAY, undefined)).toEqual([own, ...paid, debit('refund-costs', 399)]);
  expect(linesOfDuberEarning({ ...PAY, bearerId: 'Sam' }, undefined)).toEqual([
    own,
    ...paid,
    debit('scrub', 399, 'Sam'),
  ]);
});

test('the part of an earning that others bear is not in the ledger of the order, also when the earning is undone', () => {
  const lines = linesOfDuberEarning(PAY, undefined);
  const own = [debit('unearned', 200), ...creditsOfDelivery({ duberId: 'Dee', price: 200 })];
  expect(orderLinesOf(lines, PAY, false)).toEqual(own);
  expect(orderLinesOf(reversalOf(lines), PAY, true)).toEqual(reversalOf(own));
});

const addUpSides = (lines: readonly LedgerLine[]) =>
  dropZeroLines(addUp(lines)).toSorted((a, b) => a.account.localeCompare(b.account));

test.each([0, 150, 399, 599, 998, 1500])(
  'an earning of an earlier release has one line for each side, and is split alike when the Duber bears %i cents',
  (due) => {
    const costsDue = [debit('duber', due, 'Dee')];
    const nothing = { ...{ taxes: 0, taxesDue: 0, isRefunded: false, paid: [] }, costsDue };
    for (const free of [0, 300, 599])
      for (const bearerId of [null, 'Sam']) {
        const [earning, balance] = [
          { ...PAY, cents: 998, fromOrder: 599, bearerId },
          { ...nothing, unearned: free, free },
        ];
        const own = addUpSides(linesOfCutEarning([credit('duber', 599, 'Dee')], balance));
        const stored = addUpSides(linesOfDuberEarning(earning, balance));
        expect(addUpSides(orderLinesOf(stored, earning, false))).toEqual(own);
        expect(addUpSides(orderLinesOf(reversalOf(stored), earning, true))).toEqual(reversalOf(own));
      }
  },
);

const ENDED = { captured: 2683, earned: 2084, refunded: 0, released: 0, isUndone: false };
test.each([
  ['the fee of a way that was called off', ENDED, 599],
  ['nothing twice', { ...ENDED, refunded: 599, released: 599 }, 0],
  ['it on top of what the platform refunds', { ...ENDED, refunded: 500 }, 599],
  ['no more than is left', { ...ENDED, refunded: 2500 }, 183],
  ['nothing when everything is earned', { ...ENDED, earned: 2683, refunded: 500 }, 0],
  ['what is left of an order that was not done', { ...ENDED, earned: 599, refunded: 500, isUndone: true }, 1584],
  ['nothing when more is refunded already', { ...ENDED, earned: 599, refunded: 2500, isUndone: true }, 0],
] as const)('an order that has ended gives back %s', (_what, order, cents) => {
  expect(centsToRefund(order)).toBe(cents);
});
