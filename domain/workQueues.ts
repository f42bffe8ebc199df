import { DAY_MS, MINUTE_MS } from './durations.ts';

/** The work that the server does by itself. `payment-checks`: payments whose state is asked for, such as after a webhook. */
export const WORK_QUEUES = [
  ...(['account-mail', 'mail', 'push', 'timers'] as const),
  ...(['payments', 'refunds', 'payment-checks', 'chargebacks', 'payouts', 'reconciliation'] as const),
] as const;
export type WorkQueue = (typeof WORK_QUEUES)[number];

/** A queue is late when its oldest due work has waited this long. */
export const QUEUE_LATE_AFTER_MS = 15 * MINUTE_MS;
/** Where backups are made at all, the last one is not older. */
export const BACKUP_LATE_AFTER_MS = 2 * DAY_MS;
