import { describe, expect, test } from 'vitest';
import { describeDay, findClosed, findHoursProblem, type Hours, type Opening, WEEKDAYS } from './hours.ts';

const NEW_YORK = 'America/New_York';
const EVERY_DAY: Hours = WEEKDAYS.map((weekday) => ({ weekday, from: '08:00', until: '20:00' }));
const openingOf = (part: Partial<Opening>): Opening => ({
  ...{ hours: EVERY_DAY, timeZone: NEW_YORK, closures: [], pause: null },
  ...part,
});
const untilOf = (part: Partial<Opening>, at: string) => findClosed(openingOf(part), new Date(at))?.until ?? null;
const wordsOf = (part: Partial<Opening>, at: string) => findClosed(openingOf(part), new Date(at))?.words;

describe('the hours of a week', () => {
  test('without any, orders are always taken', () => {
    expect(untilOf({ hours: [] }, '2026-11-23T03:00:00Z')).toBeNull();
  });

  test.each([
    // In winter New York is five hours behind.
    ['a moment before opening', '2026-11-23T12:59:59.999Z', '2026-11-23T13:00:00.000Z'],
    ['at the opening', '2026-11-23T13:00:00.000Z', null],
    ['a moment before closing', '2026-11-24T00:59:59.999Z', null],
    ['at the closing', '2026-11-24T01:00:00.000Z', '2026-11-24T13:00:00.000Z'],
    ['at night', '2026-11-24T06:00:00.000Z', '2026-11-24T13:00:00.000Z'],
    // Four hours behind.
    ['in summer, at the opening', '2026-07-01T12:00:00.000Z', null],
    ['in summer, a moment before', '2026-07-01T11:59:59.999Z', '2026-07-01T12:00:00.000Z'],
  ])('%s', (_name, at, until) => {
    expect(untilOf({}, at)).toBe(until);
  });

  test('the words say on the clocks of the town when it opens', () => {
    expect(wordsOf({}, '2026-11-24T01:00:00Z')).toBe(
      'We are closed now. We take orders again on Tuesday, November 24 at 8:00 am.',
    );
  });

  test('a day without a span is closed', () => {
    const hours = EVERY_DAY.filter(({ weekday }) => weekday !== 'Saturday' && weekday !== 'Sunday');
    // Saturday noon, until Monday at eight.
    expect(untilOf({ hours }, '2026-11-28T17:00:00Z')).toBe('2026-11-30T13:00:00.000Z');
  });

  test('a day may have several spans, and one may end on the next day', () => {
    const hours: Hours = [
      { weekday: 'Sunday', from: '22:00', until: '02:00' },
      { weekday: 'Sunday', from: '10:00', until: '12:00' },
    ];
    expect(untilOf({ hours }, '2026-11-29T16:00:00Z')).toBeNull();
    expect(untilOf({ hours }, '2026-11-29T17:00:00Z')).toBe('2026-11-30T03:00:00.000Z');
    // Half past one on Monday belongs to Sunday.
    expect(untilOf({ hours }, '2026-11-30T06:30:00Z')).toBeNull();
    expect(untilOf({ hours }, '2026-11-30T07:00:00Z')).toBe('2026-12-06T15:00:00.000Z');
    // And half past one on Sunday does not.
    expect(untilOf({ hours }, '2026-11-29T06:30:00Z')).toBe('2026-11-29T15:00:00.000Z');
  });

  test('a whole week of whole days never closes', () => {
    const hours = WEEKDAYS.map((weekday) => ({ weekday, from: '00:00', until: '00:00' }));
    expect(findHoursProblem(hours)).toBeUndefined();
    for (let hour = 0; hour < 24 * 7; hour += 1)
      expect(untilOf({ hours }, new Date(Date.UTC(2026, 9, 30, hour)).toISOString())).toBeNull();
  });
});

describe('where clocks change', () => {
  const night: Hours = WEEKDAYS.map((weekday) => ({ weekday, from: '01:30', until: '06:00' }));

  test('put back on November 1: a span begins and ends once, on what the clocks show', () => {
    // 01:30 comes twice, at 05:30 and 06:30 UTC.
    expect(untilOf({ hours: night }, '2026-11-01T05:29:00Z')).toBe('2026-11-01T05:30:00.000Z');
    expect(untilOf({ hours: night }, '2026-11-01T06:15:00Z')).toBeNull();
    expect(untilOf({ hours: night }, '2026-11-01T10:59:00Z')).toBeNull();
    expect(untilOf({ hours: night }, '2026-11-01T11:00:00Z')).toBe('2026-11-02T06:30:00.000Z');
    // At eight by the clocks, on both days.
    expect(untilOf({}, '2026-10-31T11:00:00Z')).toBe('2026-10-31T12:00:00.000Z');
    expect(untilOf({}, '2026-11-01T11:00:00Z')).toBe('2026-11-01T13:00:00.000Z');
  });

  test('put forward on March 14: what begins in the gap begins at its end', () => {
    const hours: Hours = WEEKDAYS.map((weekday) => ({ weekday, from: '02:30', until: '04:00' }));
    expect(untilOf({ hours }, '2027-03-14T06:59:00Z')).toBe('2027-03-14T07:00:00.000Z');
    expect(untilOf({ hours }, '2027-03-14T07:00:00Z')).toBeNull();
    expect(untilOf({ hours }, '2027-03-14T08:00:00Z')).toBe('2027-03-15T06:30:00.000Z');
    expect(untilOf({}, '2027-03-14T11:00:00Z')).toBe('2027-03-14T12:00:00.000Z');
  });

  test('a span inside of the gap is left out', () => {
    const hours: Hours = [{ weekday: 'Sunday', from: '02:15', until: '02:45' }];
    expect(untilOf({ hours }, '2027-03-14T05:00:00Z')).toBe('2027-03-21T06:15:00.000Z');
  });
});

describe('closures', () => {
  const fair = {
    from: new Date('2026-11-23T17:00:00Z'),
    until: new Date('2026-11-23T21:00:00Z'),
    words: 'We are at the town fair',
  };

  test('close the town in its hours, and say why and until when', () => {
    expect(untilOf({ closures: [fair] }, '2026-11-23T16:59:59Z')).toBeNull();
    expect(untilOf({ closures: [fair] }, '2026-11-23T17:00:00Z')).toBe('2026-11-23T21:00:00.000Z');
    expect(untilOf({ closures: [fair] }, '2026-11-23T21:00:00Z')).toBeNull();
    expect(wordsOf({ closures: [fair] }, '2026-11-23T17:00:00Z')).toBe(
      'We are at the town fair. We take orders again on Monday, November 23 at 4:00 pm.',
    );
  });

  test('that end in another year say which', () => {
    const long = { ...fair, until: new Date('2027-11-22T16:00:00Z') };
    expect(wordsOf({ closures: [long] }, '2026-11-23T17:00:00Z')).toBe(
      'We are at the town fair. We take orders again on Monday, November 22, 2027 at 11:00 am.',
    );
    // The year of the town has not begun yet.
    expect(wordsOf({}, '2027-01-01T03:00:00Z')).toContain('Friday, January 1, 2027 at 8:00 am');
  });

  test('that end at night, or in the next one, open when the town does', () => {
    const evening = { ...fair, until: new Date('2026-11-24T02:00:00Z') };
    const christmas = { ...fair, from: new Date('2026-11-24T02:00:00Z'), until: new Date('2026-11-25T05:00:00Z') };
    expect(untilOf({ closures: [evening] }, '2026-11-23T18:00:00Z')).toBe('2026-11-24T13:00:00.000Z');
    expect(untilOf({ closures: [christmas, evening] }, '2026-11-23T18:00:00Z')).toBe('2026-11-25T13:00:00.000Z');
    expect(untilOf({ hours: [], closures: [christmas, evening] }, '2026-11-23T18:00:00Z')).toBe(
      '2026-11-25T05:00:00.000Z',
    );
  });

  test('are looked at a few times each, however many follow each other', () => {
    let looks = 0;
    const closures = Array.from({ length: 50 }, (_, n) => ({
      get from() {
        looks += 1;
        return new Date(Date.UTC(2026, 10, 23 + n));
      },
      until: new Date(Date.UTC(2026, 10, 24 + n)),
      words: fair.words,
    })).toReversed();
    expect(untilOf({ closures }, '2026-11-23T18:00:00Z')).toBe('2027-01-12T00:00:00.000Z');
    expect(looks).toBeLessThan(10 * closures.length);
  });

  test('a pause keeps its own words, and opens when the town does', () => {
    const pause = { until: '2026-11-24T02:00:00.000Z', words: 'There is a storm' };
    const closed = findClosed(openingOf({ pause }), new Date('2026-11-23T18:00:00Z'));
    expect(closed).toEqual({ until: '2026-11-24T13:00:00.000Z', words: 'There is a storm' });
    expect(untilOf({ pause, hours: [] }, '2026-11-24T02:00:00Z')).toBeNull();
  });
});

test.each([
  [[], undefined],
  [EVERY_DAY, undefined],
  [[...EVERY_DAY, { weekday: 'Friday', from: '19:00', until: '21:00' }], 'The times of Friday overlap'],
  [[...EVERY_DAY, { weekday: 'Friday', from: '20:00', until: '08:00' }], undefined],
  [[...EVERY_DAY, { weekday: 'Sunday', from: '20:00', until: '08:01' }], 'The times of Monday overlap'],
  [[{ weekday: 'Monday', from: '10:00', until: '10:00' }], undefined],
  [
    ['08', '10', '12', '14', '16'].map((hour) => ({ weekday: 'Monday', from: `${hour}:00`, until: `${hour}:30` })),
    'At most 4 times a day',
  ],
] as [Hours, string | undefined][])('what is wrong with hours %#', (hours, problem) => {
  expect(findHoursProblem(hours)).toBe(problem);
});

test('hours in words', () => {
  expect(describeDay('Monday', [])).toBe('Always open');
  expect(describeDay('Monday', EVERY_DAY)).toBe('8:00 am to 8:00 pm');
  const hours: Hours = [
    { weekday: 'Friday', from: '18:00', until: '01:30' },
    { weekday: 'Friday', from: '08:00', until: '12:00' },
    { weekday: 'Saturday', from: '00:00', until: '00:00' },
    { weekday: 'Sunday', from: '12:00', until: '00:00' },
  ];
  expect(describeDay('Friday', hours)).toBe('8:00 am to 12:00 pm, 6:00 pm to 1:30 am of the next day');
  expect([describeDay('Saturday', hours), describeDay('Sunday', hours)]).toEqual(['All day', '12:00 pm to midnight']);
  expect(describeDay('Monday', hours)).toBe('Closed');
});
