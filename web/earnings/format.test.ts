import { expect, test } from 'vitest';
import { describeLine, noPayoutsText, nothingWaitingText, toCsv } from './format.ts';

const line = {
  at: '2026-11-20T10:00:00.000Z',
  kind: 'completed',
  orderId: 'o1',
  orderNumber: 'R-1042',
  deliveryId: null,
  reason: null,
  waitsFor: null,
  payableFrom: null,
} as const;

test('a statement as CSV has one row per line, and no cell that a spreadsheet would run', () => {
  expect(
    toCsv([
      { ...line, amount: 12.5 },
      { ...line, amount: -4.8 },
      { ...line, kind: 'refunded', reason: '=HYPERLINK("x")', amount: -3 },
      { ...line, kind: 'adjusted', amount: 1 },
    ]),
  ).toBe(
    '\uFEFFtime,what,order number,order,delivery,amount in USD\r\n' +
      '2026-11-20T10:00:00.000Z,"Job completed",R-1042,o1,,12.50\r\n' +
      '2026-11-20T10:00:00.000Z,"Your part of a refund",R-1042,o1,,-4.80\r\n' +
      '2026-11-20T10:00:00.000Z,"Your part of a refund: =HYPERLINK(""x"")",R-1042,o1,,-3.00\r\n' +
      '2026-11-20T10:00:00.000Z,"Correction",R-1042,o1,,1.00\r\n',
  );
});

test.each([
  [{ waitsFor: 'laundry-not-seen', amount: 12.5 }, 'Job completed. Waiting: nobody has seen the laundry yet'],
  [
    { kind: 'held', reason: 'case', waitsFor: 'case', amount: 5 },
    'The same amount, which was set aside for a problem that a Bud has reported. Waiting: a claim is open',
  ],
  [
    { kind: 'delivered', waitsFor: 'not-charged', amount: 5.99 },
    'Delivery made. Waiting: the card is charged once the laundry is weighed',
  ],
  [
    { waitsFor: 'claim-time', payableFrom: '2026-12-06T09:00:00.000Z', amount: 12.5 },
    'Job completed. Payable from 06 Dec 2026, when claims end',
  ],
  [
    { kind: 'delivered', waitsFor: 'claim-time', amount: 5.99 },
    'Delivery made. Waiting: the customer can still report a problem',
  ],
  [{ kind: 'held', reason: 'case', amount: -5 }, 'Set aside for a problem that a Bud has reported'],
  [{ kind: 'held', reason: 'ways', amount: -5 }, 'Set aside for the deliveries of laundry that you clean again'],
  [{ kind: 'corrected', amount: -5.99 }, 'Taken back: the step was corrected'],
  [{ kind: 'trip', amount: 5.99 }, 'Trip without laundry'],
  [
    { kind: 'trip', isBorne: true, amount: -5.99 },
    'Paid to a Duber: a trip without laundry, because you gave the order back or clean it again',
  ],
  [{ kind: 'delivered', isBorne: true, amount: -5.99 }, 'Paid to a Duber: a delivery of laundry that you clean again'],
  [{ kind: 'delivered', reason: 'It came late', amount: -5.99 }, 'Your part of a refund: It came late'],
  [{ kind: 'adjusted', reason: 'Case C-5 was contested', amount: 5.99 }, 'Correction: Case C-5 was contested'],
] as const)('a line %o is described as %s', (change, text) => {
  expect(describeLine({ ...line, ...change })).toBe(text);
});

test('money on its way is not said to be paid out, and what waits is not said to come on the next Monday', () => {
  expect(nothingWaitingText(false, false)).toBe('You haven’t earned anything yet.');
  expect(nothingWaitingText(true, false)).toBe('Everything you earned has been paid out.');
  expect(nothingWaitingText(true, true)).toBe('Everything you earned is paid out, or on its way to you.');
  expect(noPayoutsText(0)).toMatch(/on the Monday after you earn.$/);
  expect(noPayoutsText(12.5)).toMatch(/stops waiting.$/);
});
