import { describe, expect, test } from 'vitest';
import { CallFailed } from '../../contract/callClient.ts';
import type { Correction, Weighing } from '../../contract/weighing.ts';
import { CORRECTION_STATES, formatPounds, toGrams } from '../../domain/weighing.ts';
import { parsePounds } from './pounds.ts';
import { weighingBlockOf } from './useWeighing.ts';
import { decidingWeightOf, describeNoAnswer, describeRefusal, describeWeighing } from './weighingText.ts';

const at = '2026-01-05T10:00:00.000Z';
const weight = (scale: 'scrub' | 'duber', pounds: number) => ({ scale, grams: toGrams(pounds), at, fileIds: [] });
const correction = (state: Correction['state'], changes: Partial<Correction> = {}): Correction => ({
  ...{ state, answeredBy: null, fromSize: 'Medium', toSize: 'Large', price: 34.41, splits: true },
  ...{ answerBy: null, contestBy: null, isContested: false, answers: [] },
  ...changes,
});
const weighing = (changes: Partial<Weighing> = {}): Weighing => ({
  ...{ orderId: 'o', isWeighed: true, size: 'Medium', ceilingSize: 'Large', estimate: 26.83, atMost: 34.41 },
  ...{ canWeigh: false, weighings: [weight('scrub', 7.2)], correction: null },
  ...changes,
});
const order = { scrubEarning: 20, price: { totalPrice: 34.41 }, scrub: { fullname: 'Noor Sudds' } };

test.each([
  ['5.3', 2404],
  [' 5,3 lb ', 2404],
  ['12 lbs', 5443],
  ['0', undefined],
  ['', undefined],
  ['5 kg', undefined],
  ['1e3', undefined],
  ['-4', undefined],
  ['999', undefined],
])('“%s” pounds are %s grams', (typed, grams) => {
  expect(parsePounds(typed)).toBe(grams);
});

test('a weight reads as it was typed', () => {
  for (const typed of ['0.1', '5.3', '39.9']) expect(formatPounds(parsePounds(typed) ?? 0)).toBe(`${typed} lbs`);
});

describe('what a Bud reads', () => {
  const read = (changes: Partial<Weighing>) => describeWeighing(weighing(changes), order, 'Bud');

  test('before it is weighed: what it costs, and how far it may go up', () => {
    expect(read({ weighings: [] })).toBe(
      'Noor weighs your laundry before your card is charged. You pay $26.83 for Medium (3-5 lbs), and less if it is lighter. If it is heavier, you pay at most $34.41 for up to Large (6-8 lbs). Above that, we ask you first.',
    );
    expect(read({ weighings: [weight('duber', 4)], ceilingSize: 'Medium' })).toMatch(
      /If it is heavier, we ask you first\.$/,
    );
  });

  test('a weight that came after the card was charged costs nothing more', () => {
    expect(read({ size: 'Medium', weighings: [weight('scrub', 7.2)] })).toMatch(
      /^The laundry weighs 7\.2 lbs\. .+ You pay nothing more\.$/,
    );
  });

  test('after it: the weight, its size and the price', () => {
    expect(read({ size: 'Large' })).toBe('Your laundry weighs 7.2 lbs, Large as ordered. You pay $34.41.');
    expect(read({ correction: correction('auto') })).toBe(
      'Your laundry weighs 7.2 lbs, Large instead of Medium. You pay $34.41 instead of $26.83, within the limit that you chose.',
    );
    expect(read({ correction: correction('asked', { toSize: null }) })).toContain('more than any load that we take');
    const fromSize = weighing().ceilingSize;
    expect(read({ correction: correction('asked', { fromSize }) })).toContain(
      'You wanted to be asked before it costs more.',
    );
    expect(read({ correction: correction('kept', { answeredBy: 'System' }) })).toMatch(/no answer from you in time\.$/);
    expect(
      describeWeighing(
        weighing({ correction: correction('sent-back') }),
        { ...order, price: { totalPrice: 0 } },
        'Bud',
      ),
    ).toMatch(/You pay nothing\.$/);
  });
});

test('every state has its own sentence for both sides', () => {
  for (const role of ['Bud', 'Scrub'] as const) {
    const texts = CORRECTION_STATES.map((state) =>
      describeWeighing(weighing({ correction: correction(state) }), order, role),
    );
    expect(new Set(texts).size).toBeGreaterThanOrEqual(role === 'Bud' ? CORRECTION_STATES.length : 5);
  }
});

test('of two scales that disagree the lower weight is shown', () => {
  expect(decidingWeightOf(weighing({ weighings: [weight('duber', 5), weight('scrub', 9)] }))).toEqual({
    grams: toGrams(5),
    doScalesDisagree: true,
  });
  expect(decidingWeightOf(weighing({ weighings: [weight('duber', 5)] }))).toBeUndefined();
});

test('a Bud reads what happens without an answer', () => {
  const answers = [
    { answer: 'keep', price: 34.41 },
    { answer: 'send-back', price: 11.98 },
  ] as const;
  expect(describeNoAnswer({ answers: [...answers], splits: true }, 'Large')).toContain('washed for $34.41');
  const free = [{ answer: 'send-back' as const, price: 0 }];
  expect(describeNoAnswer({ answers: free, splits: false }, 'Large')).toBe('it comes back unwashed for nothing.');
  expect(describeNoAnswer({ answers: [...answers], splits: false }, 'Large')).toBe(
    'it comes back unwashed for $11.98.',
  );
});

test('only a declined card is said not to be charged', () => {
  const failed = (status: number, message: string) =>
    describeRefusal(new CallFailed(status, { statusCode: status, error: '', message }, new Headers()));
  expect(failed(402, 'The card was declined')).toMatch(/^The card was declined\. .+ not charged more\.$/);
  expect(failed(409, 'It was answered before')).toBe('It was answered before.');
  for (const unsure of [failed(503, ''), describeRefusal(new Error('away'))])
    expect(unsure).toContain('not be charged twice');
});

test('an order is completed once it is weighed and nothing is asked', () => {
  expect(weighingBlockOf('complete-order', undefined), 'its weight has not loaded').toBe('unknown');
  expect(weighingBlockOf('complete-order', weighing({ weighings: [] }))).toBe('weigh-first');
  expect(weighingBlockOf('complete-order', weighing({ correction: correction('asked') }))).toBe('asked');
  expect(weighingBlockOf('complete-order', weighing({ correction: correction('paid') }))).toBeUndefined();
});

test('while the Bud is asked, a job is not started either, and before it is weighed it is', () => {
  expect(weighingBlockOf('start-order', weighing({ correction: correction('asked') }))).toBe('asked');
  for (const known of [undefined, weighing({ weighings: [] })])
    expect(weighingBlockOf('start-order', known)).toBeUndefined();
  expect(weighingBlockOf('accept-order', undefined)).toBeUndefined();
});
