import { expect, test } from 'vitest';
import type { Receipt } from '../../contract/payments.ts';
import { describeCard, describePayment, paidTotal } from './receiptText.ts';

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

test('a card is named as people know it, as far as it is known', () => {
  expect(describeCard({ brand: 'VISA', last4: '1111' })).toBe('Visa ending in 1111');
  expect(describeCard({ brand: 'AMERICAN_EXPRESS', last4: '0005' })).toBe('American Express ending in 0005');
  expect(describeCard({ brand: 'OTHER_BRAND', last4: '4242' })).toBe('Card ending in 4242');
  expect(describeCard({ brand: null, last4: null })).toBe('Card');
});

test('the payment is summed up in one line, and to the cent', () => {
  const expectSummary = (one: Receipt, text: string, paid: number) =>
    expect([describePayment(one, 'Accepted'), paidTotal(one)]).toEqual([text, paid]);
  expectSummary(receipt({ held: 26.83 }), 'Nothing is charged yet.', 0);
  expectSummary(receipt({ held: 26.83 }, 'charge'), 'The charge is on its way.', 0);
  expectSummary(receipt({ held: 26.83 }, 'release'), 'The hold is being released. You are not charged.', 0);
  expectSummary(receipt({ held: 26.83, released: 26.83 }), 'You were not charged.', 0);
  expectSummary(receipt({ held: 26.83, charged: 26.83 }), 'Paid. Thank you!', 26.83);
  expectSummary(receipt({ held: 26.83, charged: 26.83, refunded: 5.1 }), 'Paid, with a refund.', 21.73);
  expectSummary(receipt({ held: 26.83, charged: 26.83, refunded: 26.83 }), 'All of it went back to your card.', 0);
});

test('a hold that another one took the place of is not the end of it', () => {
  const replaced = receipt({ held: 34.41 });
  const released = { kind: 'released', amount: 26.83, at } as const;
  const movements = (...after: Receipt['movements']) => ({
    ...replaced,
    movements: [{ kind: 'held', amount: 26.83, at } as const, released, ...replaced.movements, ...after],
  });
  expect(describePayment(movements(), 'In_Progress')).toBe('Nothing is charged yet.');
  const charged = movements({ kind: 'charged', amount: 34.41, at });
  expect([describePayment(charged, 'Completed'), paidTotal(charged)]).toEqual(['Paid. Thank you!', 34.41]);
});

test('a charge that was under way when its order ended is not called off', () => {
  const late = receipt({ held: 26.83 }, 'charge');
  expect(describePayment(late, 'Cancelled')).toMatch(/was being charged when the order ended/);
});
