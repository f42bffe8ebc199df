import { HOUR_MS } from '../domain/durations.ts';
import { WEEKDAYS } from '../domain/hours.ts';
import { addDays, localDate } from '../domain/localDays.ts';
import type { OrderTimes } from '../domain/moves.ts';
import { turnaroundOf, type WindowPlan } from '../domain/windows.ts';
import type { Tx } from '../server/db/database.ts';
import { writeSetting } from '../server/town/settings.sql.ts';

const EVENING = { from: '17:00', until: '19:00' } as const;
const everyDay = (span: { readonly from: string; readonly until: string }) =>
  WEEKDAYS.map((weekday) => ({ weekday, ...span }));

/** Windows each morning and evening for the pickup, and each evening for the return. */
export const TEST_PLAN: WindowPlan = {
  pickup: [...everyDay({ from: '08:00', until: '10:00' }), ...everyDay(EVENING)],
  return: everyDay(EVENING),
  ...{ places: 10, placesIn: {}, fastest: 'same-day', noticeHours: 2 },
};

/** Gives the town windows, by UTC. */
export async function planWindows(db: Tx, now: Date, plan: WindowPlan | null = TEST_PLAN): Promise<void> {
  await writeSetting(db, { name: 'timeZone', value: 'UTC', setBy: 'the test', from: new Date(0) });
  await writeSetting(db, { name: 'windows', value: plan, setBy: 'the test', from: now });
}

/** The window that begins on a day from now on, at this hour of UTC. */
export function windowAt(now: Date, days: number, hour: 8 | 17) {
  const from = new Date(`${addDays(localDate(now, 'UTC'), days)}T${hour === 8 ? '08' : '17'}:00:00Z`);
  return { from, until: new Date(from.getTime() + 2 * HOUR_MS) };
}

/** Gives an order windows, as if they were chosen when it was placed: by default on the second evening, and back a day later. */
export async function giveTimes(
  db: Tx,
  orderId: string,
  now: Date,
  windows = { pickup: windowAt(now, 2, 17), return: windowAt(now, 3, 17) },
): Promise<OrderTimes> {
  const { pickup, return: back } = windows;
  const turnaround = turnaroundOf(windows, 'UTC');
  await db
    .updateTable('orders')
    .set({ pickup_from: pickup.from, pickup_until: pickup.until, return_from: back.from, return_until: back.until })
    .set({ turnaround, promised_at: back.until })
    .where('id', '=', orderId)
    .execute();
  await db
    .updateTable('deliveries')
    .set({ due_from: pickup.from, due_until: pickup.until })
    .where('order_id', '=', orderId)
    .where('delivery_type', '=', 'Bud_To_Scrub')
    .execute();
  return { ...windows, turnaround };
}
