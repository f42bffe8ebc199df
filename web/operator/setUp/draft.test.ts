import { describe, expect, test } from 'vitest';
import type { TownPrice } from '../../../contract/operator/prices.ts';
import { POLICY_NAMES } from '../../../domain/policies.ts';
import { unitOf } from '../../../domain/prices.ts';
import {
  answersOf,
  cardFeeOf,
  choosePreset,
  findTypedProblem,
  pricesOf,
  startDraft,
  tariffOf,
  toggleSize,
} from './draft.ts';

const FROM = '2026-11-30T12:00:00.000Z';
const priceOf = (item: TownPrice['item'], value: number): TownPrice => ({
  ...{ item, value, unit: unitOf(item), from: FROM, next: [] },
});
const PRICES = [
  priceOf('wash-and-fold', 2.5),
  priceOf('pickup', 5.99),
  priceOf('delivery', 5.99),
  priceOf('platform-fee', 10),
  priceOf('taxes', 8.875),
];
const POLICIES = POLICY_NAMES.map((name) => ({
  ...{ name, value: 'open' as const, from: null, setBy: null, next: null, values: [] },
}));
const start = (known: Partial<Parameters<typeof startDraft>[0]> = {}) =>
  startDraft({ answered: [], timeZone: 'UTC', prices: PRICES, policies: POLICIES, ...known });

describe('the draft of a set-up', () => {
  test('proposes the larger sizes, weighing, and the time zone of the browser', () => {
    expect(start()).toMatchObject({
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      preset: 'open',
      policies: { privacy: 'open', weighing: 'careful' },
      typed: { 'wash-and-fold': '2.50', 'platform-fee': '10', taxes: '8.875' },
      pounds: { XL: 15, XXL: 25, Family: 40 },
    });
  });

  test('keeps what an operator has answered before', () => {
    const prices = [...PRICES, priceOf('size-XL', 12)];
    expect(start({ answered: ['town', 'prices'], timeZone: 'Asia/Karachi', prices })).toMatchObject({
      timeZone: 'Asia/Karachi',
      policies: { weighing: 'open' },
      pounds: { XL: 12, XXL: 0, Family: 0 },
    });
  });

  test('goes on proposing documents in a town of strangers until somebody answers who may work', () => {
    const policies = POLICIES.map((policy) =>
      policy.name === 'privacy' ? { ...policy, value: 'careful' as const } : policy,
    );
    expect(start({ answered: ['rules'], policies }).policies.admission).toBe('careful');
    expect(start({ answered: ['rules', 'workers'], policies }).policies.admission).toBe('open');
  });

  test('sets all rules with a preset, and goes on weighing larger sizes', () => {
    const careful = choosePreset(start(), 'careful');
    expect(Object.values(careful.policies)).toEqual(POLICY_NAMES.map(() => 'careful'));
    const open = choosePreset(careful, 'open');
    expect(open.policies).toMatchObject({ admission: 'open', weighing: 'careful' });
    const small = toggleSize(toggleSize(toggleSize(open, 'XL'), 'XXL'), 'Family');
    expect(choosePreset(small, 'open').policies.weighing).toBe('open');
    expect(toggleSize(choosePreset(small, 'open'), 'XL').policies.weighing).toBe('careful');
  });

  test('sends each section its own answers', () => {
    const draft = toggleSize(choosePreset(start(), 'careful'), 'Family');
    expect(answersOf(draft, ['rules']).policies?.map(({ name }) => name)).toEqual([
      ...['privacy', 'proof', 'silence', 'start'],
    ]);
    expect(answersOf(draft, ['workers'])).toEqual({ policies: [{ name: 'admission', value: 'careful' }] });
    expect(answersOf(draft, ['hours', 'connections', 'operators'])).toEqual({});
    const { policies, prices } = answersOf(draft, ['prices']);
    expect(policies).toEqual([{ name: 'weighing', value: 'careful' }]);
    expect(prices).toContainEqual({ item: 'size-XXL', value: 25 });
    expect(prices).toContainEqual({ item: 'size-Family', value: 0 });
    const all = answersOf(draft, ['town', 'rules', 'prices', 'workers']);
    expect(all.policies?.map(({ name }) => name).toSorted()).toEqual(POLICY_NAMES.toSorted());
    expect(all.timeZone).toBe(draft.timeZone);
  });

  test('has no prices and no tariff while something is not a price', () => {
    const draft = start();
    expect(tariffOf(draft, undefined)).toMatchObject({ perPound: 250, platformFeeRate: 1000, taxRate: 887.5 });
    expect(cardFeeOf(draft)).toEqual({ rate: 290, fixed: 30 });
    for (const text of ['', 'much', '-1', '2.505', '100000']) {
      const wrong = { ...draft, typed: { ...draft.typed, 'wash-and-fold': text } };
      expect(pricesOf(wrong), text).toBeUndefined();
      expect(tariffOf(wrong, undefined), text).toBeUndefined();
    }
    expect(findTypedProblem('taxes', '101')).toContain('From 0 to 100 %');
    expect(findTypedProblem('taxes', '')).toBe('Enter a number');
    expect(cardFeeOf({ ...draft, cardPercent: 'x' })).toBeUndefined();
  });
});
