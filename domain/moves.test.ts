import { expect, test } from 'vitest';
import { MINUTE_MS } from './durations.ts';
import { WEEKDAYS } from './hours.ts';
import { answerBy, judgeMove, type OrderTimes, type WantedTimes } from './moves.ts';
import { type Closed, MOVE_UNTIL_MS, type WindowPlan } from './windows.ts';

const EVENING = { from: '17:00', until: '19:00' } as const;
const MORNING = { from: '08:00', until: '10:00' } as const;
const every = (span: { from: string; until: string }) => WEEKDAYS.map((weekday) => ({ weekday, ...span }));
const PLAN: WindowPlan = {
  pickup: [...every(MORNING), ...every(EVENING)],
  return: every(EVENING),
  ...{ places: 4, placesIn: {}, fastest: 'same-day', noticeHours: 2 },
};
const OPEN: Closed = { closures: [], pause: null, timeZone: 'UTC' };
const NOW = new Date('2026-12-01T09:00:00Z');

const windowAt = (from: string) => ({
  from: new Date(`2026-12-${from}:00Z`),
  until: new Date(Date.parse(`2026-12-${from}:00Z`) + 2 * 3_600_000),
});
/** Fetched on Tuesday evening, back on Wednesday evening. */
const AGREED: OrderTimes = { pickup: windowAt('01T17:00'), return: windowAt('02T17:00'), turnaround: 'next-day' };
const wanted = (returnFrom: string, pickupFrom?: string): WantedTimes => ({
  pickupFrom: pickupFrom === undefined ? undefined : windowAt(pickupFrom).from,
  returnFrom: windowAt(returnFrom).from,
});
const judge = (times: WantedTimes, more: { plan?: WindowPlan | null; closed?: Closed; now?: Date } = {}) => {
  const { plan = PLAN, closed = OPEN, now = NOW } = more;
  return judgeMove(AGREED, times, { plan, closed }, now);
};

test('a Bud can move both windows, or the return alone', () => {
  expect(judge(wanted('03T17:00', '02T08:00'))).toEqual({
    ...{ movesPickup: true, isOther: true, isInTime: true, isOffered: true, isFaster: false },
    windows: { pickup: windowAt('02T08:00'), return: windowAt('03T17:00') },
  });
  expect(judge(wanted('03T17:00'))).toMatchObject({
    ...{ movesPickup: false, isOther: true, isOffered: true },
    windows: { pickup: AGREED.pickup, return: windowAt('03T17:00') },
  });
  expect(judge(wanted('02T17:00', '01T17:00'))).toMatchObject({ isOther: false, movesPickup: false });
});

test('a move is free until two hours before the first window that moves', () => {
  const last = new Date(AGREED.pickup.from.getTime() - MOVE_UNTIL_MS);
  const tooLate = new Date(last.getTime() + 1);
  const both = wanted('04T17:00', '03T17:00');
  expect(judge(both, { now: last }).isInTime).toBe(true);
  expect(judge(both, { now: tooLate }).isInTime).toBe(false);
  expect(judge(wanted('04T17:00'), { now: tooLate }).isInTime).toBe(true);
});

test('only windows that the town offers can be chosen', () => {
  expect(judge(wanted('03T18:00')).isOffered).toBe(false);
  expect(judge(wanted('03T17:00'), { plan: null }).isOffered).toBe(false);
  const closed = {
    ...OPEN,
    closures: [{ from: windowAt('03T00:00').from, until: windowAt('04T00:00').from, words: 'Holiday' }],
  };
  expect(judge(wanted('03T17:00'), { closed }).isOffered).toBe(false);
  // The window that stays may be closed by now: it is what is left of the agreement.
  expect(judge(wanted('04T17:00', '03T08:00'), { closed }).isOffered).toBe(false);
  expect(judge(wanted('04T17:00'), { closed }).isOffered).toBe(true);
  expect(judge(wanted('01T17:00', '01T17:00')).isOffered).toBe(false);
});

test('a return on an earlier day is faster, which has another price', () => {
  expect(judge(wanted('02T17:00', '02T08:00'))).toMatchObject({ isOffered: true, isFaster: true });
  expect(judge(wanted('03T17:00', '02T17:00')).isFaster).toBe(false);
});

test('a Bud answers a proposal until two hours before the agreed window, has half an hour at least, and not longer than until it begins', () => {
  const { from } = AGREED.pickup;
  const after = (minutes: number) => new Date(from.getTime() + minutes * MINUTE_MS);
  const cases: readonly [madeAt: number, answerBy: number][] = [
    [-600, -120],
    [-150, -120],
    [-149, -119],
    [-45, -15],
    [-30, 0],
    [-5, 0],
    // Nobody came: the window has begun, and the Bud is asked for another one.
    [0, 30],
    [90, 120],
  ];
  for (const [madeAt, until] of cases) expect([madeAt, answerBy(from, after(madeAt))]).toEqual([madeAt, after(until)]);
});
