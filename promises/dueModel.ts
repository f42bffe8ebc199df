// What the server will do by itself with an order, written by hand like the rest of the model.

import { DAY_MS, HOUR_MS } from '../domain/durations.ts';
import type { Delivery, Life } from './orderLife.ts';

const SCRUB_SILENT_MS = 8 * HOUR_MS;
const CLOSE_MS = 7 * DAY_MS;

export const hasEnded = ({ status }: Delivery) => status === 'Delivered' || status === 'Called_Off';

/** The Scrub has the laundry and should start. Without a start, a case opens, once a round. */
export function watchScrub(life: Life, now: number): void {
  if (life.status === 'Accepted' && !life.silentRounds.includes(life.round))
    life.due.silentScrub = now + SCRUB_SILENT_MS;
}

/** Once the last delivery of a completed order has ended, it is closed after a while. */
export function watchEnd(life: Life, now: number): void {
  if (life.status === 'Completed' && life.deliveries.every(hasEnded) && !life.isClosed) life.due.close = now + CLOSE_MS;
}
