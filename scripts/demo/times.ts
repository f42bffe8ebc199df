import { MINUTE_MS } from '../../domain/durations.ts';

/** The parts of an order's life that have a time of their own. The steps of a delivery follow its start. */
export type Phase = 'placed' | 'answered' | 'outbound' | 'started' | 'completed' | 'returned' | 'reviewed';

export type PhaseTimes = { readonly placed: Date } & { readonly [P in Phase]?: Date };

/** When each step of a delivery is taken, in minutes after the first: accepted, on the way, collected, on the way, delivered. */
export const DELIVERY_STEP_MINUTES = [0, 5, 13, 16, 32] as const;

export const addMinutes = (time: Date, minutes: number) => new Date(time.getTime() + minutes * MINUTE_MS);

/** A time of the day so many days before `startedAt`, as the clocks of this machine show it. */
export function atHour(startedAt: Date, daysAgo: number, hour: number): Date {
  const day = new Date(startedAt);
  day.setDate(day.getDate() - daysAgo);
  day.setHours(0, Math.round(hour * 60), 0, 0);
  return day;
}
