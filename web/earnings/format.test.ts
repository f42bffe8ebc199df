import { expect, test } from 'vitest';
import { describeLine, toCsv } from './format.ts';

const line = {
  at: '2026-11-20T10:00:00.000Z',
  kind: 'completed',
  orderId: 'o1',
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
    '\uFEFFtime,what,order,delivery,amount in USD\r\n' +
      '2026-11-20T10:00:00.000Z,"Job completed",o1,,12.50\r\n' +
      '2026-11-20T10:00:00.000Z,"Refund",o1,,-4.80\r\n' +
      '2026-11-20T10:00:00.000Z,"Refund: =HYPERLINK(""x"")",o1,,-3.00\r\n' +
      '2026-11-20T10:00:00.000Z,"Correction",o1,,1.00\r\n',
  );
});

test.each([
  [{ waitsFor: 'laundry-not-seen', amount: 12.5 }, 'Job completed. Waiting: nobody has seen the laundry yet'],
  [{ kind: 'held', waitsFor: 'case', amount: 5 }, 'What was held back. Waiting: a claim is open'],
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
  [{ kind: 'held', amount: -5 }, 'Held back'],
  [{ kind: 'corrected', amount: -5.99 }, 'Taken back: the step was corrected'],
  [{ kind: 'trip', amount: 5.99 }, 'Trip without laundry'],
  [{ kind: 'trip', amount: -5.99 }, 'Paid to a Duber'],
  [{ kind: 'delivered', amount: -5.99 }, 'Refund'],
] as const)('a line %o is described as %s', (change, text) => {
  expect(describeLine({ ...line, ...change })).toBe(text);
});
