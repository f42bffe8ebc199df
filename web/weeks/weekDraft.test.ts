import { expect, test } from 'vitest';
import { isPlain, toDraft, toWeek } from './weekDraft.ts';

const WEEK = {
  hours: [
    { weekday: 'Monday' as const, from: '17:00', until: '21:00' },
    { weekday: 'Friday' as const, from: '17:00', until: '21:00' },
  ],
  ...{ poundsADay: 40, ordersADay: null, sizes: ['Small' as const], noticeHours: 3 },
};

test('a week comes back from its form as it was', () => {
  expect(toWeek(toDraft(WEEK))).toEqual(WEEK);
  const always = { hours: [], poundsADay: null, ordersADay: null, sizes: null, noticeHours: 0 };
  expect(toWeek(toDraft(always))).toEqual(always);
});

test('hours that differ by the day are more than the form can show', () => {
  expect(isPlain(WEEK)).toBe(true);
  expect(isPlain({ ...WEEK, hours: [...WEEK.hours, { weekday: 'Sunday', from: '08:00', until: '12:00' }] })).toBe(
    false,
  );
});
