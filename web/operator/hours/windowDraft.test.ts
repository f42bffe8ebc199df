import { expect, test } from 'vitest';
import { WEEKDAYS } from '../../../domain/hours.ts';
import { isPlain, toDraft, toPlan } from './windowDraft.ts';

const span = (weekday: (typeof WEEKDAYS)[number], from: string, until: string) => ({ weekday, from, until });
const EVENINGS = WEEKDAYS.flatMap((weekday) => [span(weekday, '17:00', '18:40'), span(weekday, '18:40', '20:20')]);
const PLAN = {
  ...{ pickup: EVENINGS, return: EVENINGS, placesIn: {} },
  ...({ places: 8, fastest: 'next-day', noticeHours: 2 } as const),
};
const draft = toDraft(PLAN, []);

test('a plan comes back from its form as it was, also with windows of a hundred minutes', () => {
  expect(toPlan(draft)).toEqual({ plan: PLAN });
  expect(isPlain(PLAN)).toBe(true);
  expect(isPlain(null)).toBe(true);
});

test('windows that differ by the day, or in their length, are more than the form can show', () => {
  expect(isPlain({ ...PLAN, pickup: EVENINGS.slice(1) })).toBe(false);
  expect(isPlain({ ...PLAN, return: [span('Friday', '08:00', '09:00'), span('Friday', '17:00', '19:00')] })).toBe(
    false,
  );
});

test('windows begin and end at whole minutes, whatever length is typed', () => {
  const typed = toPlan({ ...draft, pickup: { ...draft.pickup, from: '08:00', until: '12:00', lengthHours: 1.335 } });
  const times = 'plan' in typed ? typed.plan.pickup.flatMap(({ from, until }) => [from, until]) : [];
  expect(times.slice(0, 2)).toEqual(['08:00', '09:20']);
  for (const time of times) expect(time).toMatch(/^\d\d:\d\d$/);
});

test('a number that is missing is named', () => {
  expect(toPlan({ ...draft, places: '' })).toEqual({ problem: 'Say how many orders one window takes' });
  expect(toPlan({ ...draft, noticeHours: '' })).toEqual({
    problem: 'Say how many hours of notice a window needs: 0 for none',
  });
});
