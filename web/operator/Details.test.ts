import { describe, expect, test } from 'vitest';
import { describeChange } from './Details.tsx';

const sentence = (action: string, subjectId: string | null, details: Record<string, unknown>) =>
  describeChange({ action, subjectId, details });

describe('the sentence of a change', () => {
  test('says the old and the new price, and from when it holds', () => {
    const from = '2026-12-01T05:00:00.000Z';
    expect(sentence('setPrice', 'wash-and-fold', { value: 3, before: 2.5, from })).toBe(
      'Wash and fold, a pound: $2.50 → $3.00 from 01 Dec 2026',
    );
    expect(sentence('setPrice', 'taxes', { value: 8.25 })).toBe(
      'Taxes, of the load and the fee: 8.25% from the day after the approval',
    );
  });

  test('says the rule by its title, and a time zone by its name', () => {
    expect(sentence('setPolicy', 'weighing', { value: 'careful', before: 'open', from: '2026-12-01' })).toBe(
      'Weighing: Open → Careful from 01 Dec 2026',
    );
    expect(sentence('setTimeZone', null, { timeZone: 'America/New_York', before: 'UTC' })).toBe(
      'Days begin in: UTC → America/New_York',
    );
  });

  test('says the prices of a zone by their names, also of one that is added', () => {
    const prices = [{ item: 'pickup', value: 9.99 }];
    for (const action of ['addZone', 'setZonePrices'])
      expect(sentence(action, null, { prices, from: '2026-12-01' })).toBe('Pickup by a Duber $9.99 from 01 Dec 2026');
  });

  test('is missing for acts whose details say it', () => {
    expect(sentence('suspend', 'one', { until: null })).toBeUndefined();
  });
});
