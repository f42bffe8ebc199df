import { expect, test } from 'vitest';
import type { Receipt } from '../../contract/payments.ts';
import { describePayment, paidTotal } from './receiptText.ts';

const at = '2026-01-05T10:00:00.000Z';
const receipt = (kinds: Record<string, number>, pending: Receipt['pending'] = null): Receipt => ({
  card: { brand: 'VISA', last4: '1111' },
  movements: Object.entries(kinds).map(([kind, amount]) => ({
    kind: kind as Receipt['movements'][number]['kind'],
    amount,
    at,
  })),
  pending,
});

test('the payment is summed up in one line, and to the cent', () => {
  const expectSummary = (one: Receipt, text: string, paid: number) =>
    expect([describePayment(one, 'Accepted'), paidTotal(one)]).toEqual([text, paid]);
  expectSummary(receipt({ held: 26.83 }), 'Nothing is charged yet.', 0);
  expectSummary(receipt({ held: 26.83 }, 'charge'), 'The charge is on its way.', 0);
  expectSummary(receipt({ held: 26.83 }, 'release'), 'The hold is being released. You are not charged.', 0);
  expectSummary(receipt({ held: 26.83, released: 26.83 }), 'You were not charged.', 0);
  expectSummary(receipt({ held: 26.83, charged: 26.83 }), 'Paid. Thank you!', 26.83);
  const replaced = receipt({ held: 26.83, released: 26.83 }).movements;
  const twice = { ...receipt({ held: 52.41 }), movements: [...receipt({ held: 52.41 }).movements, ...replaced] };
  expectSummary(twice, 'Nothing is charged yet.', 0);
  const charged = [...twice.movements, ...receipt({ charged: 52.41 }).movements];
  expectSummary({ ...twice, movements: charged }, 'Paid. Thank you!', 52.41);
  expectSummary(receipt({ held: 26.83, charged: 26.83, refunded: 5.1 }), 'Paid, with a refund.', 21.73);
  expectSummary(receipt({ held: 26.83, charged: 26.83, refunded: 26.83 }), 'All of it went back to your card.', 0);
});

test('a charge that was under way when its order ended is not called off', () => {
  const late = receipt({ held: 26.83 }, 'charge');
  expect(describePayment(late, 'Cancelled')).toBe(
    'The charge is on its way. You do not pay for work that was not done.',
  );
});
