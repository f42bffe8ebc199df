import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Hours, WEEKDAYS } from '../../domain/hours.ts';
import { addDays, localClock } from '../../domain/localDays.ts';
import { windowsOn } from '../../domain/windows.ts';
import { ZONES_WITH_CHANGES } from '../../testing/clockChanges.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRows } from '../db/database.ts';

const every = (...times: readonly (readonly [from: string, until: string])[]): Hours =>
  WEEKDAYS.flatMap((weekday) => times.map(([from, until]) => ({ weekday, from, until })));
/** Windows around the hours at which clocks change. */
const WINDOWS = every(
  ['00:00', '02:00'],
  ['02:00', '04:00'],
  ['04:00', '06:00'],
  ['08:00', '10:00'],
  ['22:00', '00:00'],
);
/** Hours that cover all of them but the one at eight. */
const WEEK = every(['00:00', '06:00'], ['08:01', '12:00'], ['22:00', '00:00']);

describe.each(RULE_DATABASES)("a Scrub's week over the next ten clock changes of every zone, on %s", (kind) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
  });
  afterAll(() => harness?.close());

  test('covers the windows that it has on the clocks of the town, and counts them on their day', async () => {
    let agreeing = 0;
    for (const { zone, changes } of ZONES_WITH_CHANGES) {
      const dates = changes.flatMap((change) => [-1, 0, 1].map((days) => addDays(change, days)));
      const windows = dates.flatMap((date) =>
        windowsOn(date, WINDOWS, { closures: [], pause: null, timeZone: zone }).map(({ from, until }) => {
          const { time } = localClock(from, zone);
          return { day: date, time, isCovered: time !== '08:00', from, until };
        }),
      );
      const rows = await queryRows<{ day: string; time: string; isCovered: boolean }>(
        harness.database.db,
        sql`select to_char(w.from at time zone ${zone}, 'YYYY-MM-DD') as day, to_char(w.from at time zone ${zone}, 'HH24:MI') as time,
            covers_window(${JSON.stringify(WEEK)}::jsonb, ${zone}, w.from, w.until) as "isCovered"
          from jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) w ("from" timestamptz, until timestamptz)`,
      );
      const clocksOf = (all: typeof rows) => all.map(({ day, time }) => `${day} ${time}`);
      // The two know the rules of a few zones from different years.
      if (clocksOf(rows).join() !== clocksOf(windows).join()) continue;
      agreeing += 1;
      expect([zone, rows]).toEqual([zone, windows.map(({ day, time, isCovered }) => ({ day, time, isCovered }))]);
    }
    expect(agreeing).toBeGreaterThan(60);
  });
});
