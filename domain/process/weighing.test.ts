import { expect, test } from 'vitest';
import { describeCauses } from '../../testing/rowCauses.ts';
import { WEIGHING_NEEDS, type WeighingFacts } from '../needs.ts';
import type { Tariff } from '../payments.ts';
import { linesOfOrder, linesOfTrips } from '../prices.ts';
import { CHARGE_ESTIMATE_AFTER_MS } from '../weighing.ts';
import { chooseRow } from '../workflow.ts';
import { WEIGHING_ROWS, type WeighingRow, type WeighingTaken } from './weighing.ts';

const [TWO, THREE] = [
  ['Accepted', 'In_Progress'],
  ['Accepted', 'In_Progress', 'Completed'],
];
const WEIGH = 'Scrub is-weighed not-weighed-yet laundry-here';

// Written out again on purpose, so that a mistake in the table fails a test: who, the needs, every cause, and the statuses.
const EXPECTED: Record<string, readonly (readonly [row: string, statuses: readonly string[] | undefined])[]> = {
  weigh: [
    [`${WEIGH} already-earned: comparesScales`, TWO],
    [`${WEIGH} lighter: comparesScales, corrects lighter, charges`, TWO],
    [`${WEIGH} heavier: comparesScales, corrects auto, charges, notifies weighed Bud`, TWO],
    [`${WEIGH} beyond-limit: comparesScales, corrects asked, notifies weighed Bud`, TWO],
    [`${WEIGH}: comparesScales, charges`, TWO],
  ],
  pay: [['Bud asked sold price-as-shown: answers paid, charges, notifies weigh-answered Scrub', TWO]],
  keep: [['Bud asked splits price-as-shown: answers kept, charges, notifies weigh-answered Scrub', TWO]],
  'send-back': [['Bud asked price-as-shown: answers sent-back, charges, notifies weigh-answered Scrub', TWO]],
  contest: [['Bud charged-more first-contest first-day price-as-shown: contests, opens weighing contest', THREE]],
  unanswered: [
    ['System asked splits: answers kept, charges, opens weighing unanswered, notifies weigh-answered Bud Scrub', TWO],
    ['System asked: answers sent-back, charges, opens weighing unanswered, notifies weigh-answered Bud Scrub', TWO],
  ],
  'charge-estimate': [
    ['System is-weighed accepted-once not-weighed-yet: chargesEstimate', ['Requested', 'Accepted', 'In_Progress']],
  ],
};
const CAUSES = [
  ...(['comparesScales', 'contests', 'corrects', 'answers', 'charges', 'chargesEstimate'] as const),
  ...(['opens', 'notifies'] as const),
];
const ROWS: readonly WeighingRow[] = WEIGHING_ROWS;

const describeRow = (row: WeighingRow): string =>
  `${[row.by, ...(row.needs ?? [])].join(' ')}: ${describeCauses(row, CAUSES)}`;

test('who may do what when laundry is weighed, what it needs, and what it causes', () => {
  const described = [...Map.groupBy(ROWS, ({ action }) => action)].map(([action, rows]) => {
    const statuses = Map.groupBy(rows, describeRow);
    return [action, [...statuses].map(([row, some]) => [row, some.map(({ from }) => from)])];
  });
  expect(Object.fromEntries(described)).toEqual(EXPECTED);
  expect(ROWS.every(({ from, to }) => from === to)).toBe(true);
  const known = ['action', 'from', 'to', 'by', 'needs', 'after', 'once', ...CAUSES];
  expect([...new Set(ROWS.flatMap((row) => Object.keys(row)))].filter((key) => !known.includes(key))).toEqual([]);
});

const TARIFF: Tariff = { perPound: 250, pickup: 599, delivery: 599, platformFeeRate: 1000, taxRate: 825 };
const WAYS = { selfDelivery: false, selfPickup: false };
const linesOf = (loadSize: 'Medium' | 'Large') => linesOfOrder({ loadSize, ...WAYS }, TARIFF);
const lines = linesOf('Medium');
const LAUNDRY: WeighingTaken = {
  order: WAYS,
  lines,
  ...{ size: 'Small', limit: 'Medium', toSize: 'Large', tariff: TARIFF },
};
const chargesOf = (action: string, need?: string, laundry = LAUNDRY) =>
  ROWS.find((row) => row.action === action && (!need || row.needs?.some((one) => one === need)))?.charges?.(laundry);

test('the card is charged by the weight, up to the limit, for the trips only, or as before', () => {
  const large = { size: 'Large', lines: linesOf('Large') };
  const medium = { size: 'Medium', lines: linesOf('Medium') };
  const trips = { size: 'Small', lines: linesOfTrips(lines) };
  expect(chargesOf('weigh', 'lighter')).toEqual(large);
  expect(chargesOf('weigh', 'heavier')).toEqual(large);
  expect(chargesOf('pay')).toEqual(large);
  expect(chargesOf('pay', undefined, { ...LAUNDRY, toSize: null })?.lines).toBe(lines);
  expect(chargesOf('keep')).toEqual(medium);
  expect(chargesOf('send-back')).toEqual(trips);
  expect(chargesOf('unanswered', 'splits')).toEqual(medium);
  expect(ROWS.findLast(({ action }) => action === 'unanswered')?.charges?.(LAUNDRY)).toEqual(trips);
  expect(ROWS.findLast(({ action }) => action === 'weigh')?.charges?.(LAUNDRY)).toEqual({ size: 'Small', lines });
});

test('of a weight that nobody has sent yet, the last row says whether the Scrub can weigh', () => {
  const choose = (facts: Partial<WeighingFacts>) =>
    chooseRow(ROWS, { action: 'weigh', status: 'Accepted', by: 'Scrub' }, WEIGHING_NEEDS, {
      ...{ isWeighed: true, hasWeight: false, isLaundryHere: true, verdict: undefined },
      ...facts,
    } as WeighingFacts);
  expect(choose({})).toMatchObject({ ok: true, row: { charges: expect.any(Function) } });
  expect(choose({ verdict: 'beyond' })).toMatchObject({ ok: true, row: { corrects: 'asked' } });
  expect(choose({ isWeighed: false, verdict: 'lighter' })).toMatchObject({ need: 'is-weighed' });
  expect(choose({ hasWeight: true, verdict: 'lighter' })).toMatchObject({ need: 'not-weighed-yet' });
  expect(choose({ isLaundryHere: false, verdict: 'lighter' })).toMatchObject({ need: 'laundry-here' });
});

test('an estimate is charged before a hold ends after 7 days', () => {
  expect(CHARGE_ESTIMATE_AFTER_MS).toBeLessThan(7 * 24 * 60 * 60_000);
});
