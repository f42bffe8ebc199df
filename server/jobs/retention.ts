import { SESSION_LIFETIME_S, SESSION_MAX_AGE_S } from '../../domain/accounts.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import { EXPORT_KEPT_MS } from '../../domain/erasures.ts';
import { POSITION_AFTER_DELIVERED_MS, POSITION_LIFETIME_MS } from '../../domain/positions.ts';
import type { Context } from '../context.ts';
import type { Schema } from '../db/schema.ts';
import { countPages, deleteExpiredRows } from './retention.sql.ts';

type Retention<Table extends keyof Schema> = {
  readonly since: keyof Schema[Table] & string;
  readonly keptMs: number;
  /** The column has days, and not times. */
  readonly isDay?: true;
};
type Retentions<Table extends keyof Schema> = Retention<Table> | readonly Retention<Table>[];

/** Somebody may still ask who was to come when. */
const BOOKINGS_KEPT_MS = 180 * DAY_MS;

/**
 * How long data is kept. A row of these tables is deleted `keptMs` after the time in its column `since`, or after the first of several. Sessions and
 * positions take their lifetime from `domain/`.
 *
 * Not by age: a mail loses its text when it is sent, a payment loses its card token and its draft when it is settled, and
 * a reset request is deleted when it is answered. A timer is deleted when it is due. Orders, deliveries, their steps, reviews
 * and the ledger are kept, and so is why a missed promise was paid. `files/` erases photos, because their content may be elsewhere.
 */
const EXPIRING_TABLES: { readonly [Table in keyof Schema]?: Retentions<Table> } = {
  rate_limits: { since: 'ends_at', keptMs: HOUR_MS },
  // After a day without a try, an e-mail address has its free tries again, which is less than the blocks allow.
  sign_in_attempts: { since: 'blocked_until', keptMs: DAY_MS },
  known_devices: { since: 'last_seen_at', keptMs: 180 * DAY_MS },
  // The limit of ten codes a day counts from the first of them.
  email_codes: { since: 'sent_at', keptMs: 2 * DAY_MS },
  // As for the codes of sign-ups. A change that was made or given up leaves the new address here until then.
  email_changes: { since: 'sent_at', keptMs: 2 * DAY_MS },
  sessions: [
    { since: 'last_used_at', keptMs: SESSION_LIFETIME_S * 1000 + DAY_MS },
    { since: 'created_at', keptMs: SESSION_MAX_AGE_S * 1000 + DAY_MS },
  ],
  // A browser that an operator has used within this time is known.
  operator_sessions: { since: 'last_used_at', keptMs: 90 * DAY_MS },
  passkey_challenges: { since: 'expires_at', keptMs: HOUR_MS },
  operator_invitations: { since: 'expires_at', keptMs: DAY_MS },
  reset_links: { since: 'expires_at', keptMs: DAY_MS },
  // Long enough to find out why somebody did not get a message.
  notifications: { since: 'done_at', keptMs: 90 * DAY_MS },
  // Queued steps are at most a day old.
  requests: { since: 'at', keptMs: 30 * DAY_MS },
  exports: { since: 'asked_at', keptMs: EXPORT_KEPT_MS },
  // The windows and the days of long ago: what an order had reserved, before the counts of that. A window is later than its day.
  bookings: { since: 'day', keptMs: BOOKINGS_KEPT_MS, isDay: true },
  window_places: { since: 'starts_at', keptMs: BOOKINGS_KEPT_MS + 30 * DAY_MS },
  scrub_days: { since: 'day', keptMs: BOOKINGS_KEPT_MS + 30 * DAY_MS, isDay: true },
  scrub_days_off: { since: 'until_on', keptMs: BOOKINGS_KEPT_MS, isDay: true },
  proposals: { since: 'answered_at', keptMs: BOOKINGS_KEPT_MS },
  // Square repeats a webhook for a few days.
  webhook_events: { since: 'received_at', keptMs: 30 * DAY_MS },
};

/** A live stream can resume after this long. `events/` deletes older events, because it also notes up to where. */
export const EVENTS_KEPT_MS = DAY_MS;

/** A Duber's last position is hidden and deleted after the earlier of these. `deliveries/` deletes it. */
export const POSITIONS_KEPT_MS = {
  afterDelivered: POSITION_AFTER_DELIVERED_MS,
  afterSent: POSITION_LIFETIME_MS,
} as const;

const PAGES_PER_RUN = 16;

/** A job that deletes expired rows, a few pages of one table per call. It returns false after the last table. */
export function createRetentionJob(
  { db, now }: Pick<Context, 'db' | 'now'>,
  pagesPerRun = PAGES_PER_RUN,
): () => Promise<boolean> {
  const tables = (Object.entries(EXPIRING_TABLES) as [keyof Schema, Retentions<keyof Schema>][]).flatMap(
    ([table, retentions]) => [retentions].flat().map((retention) => [table, retention] as const),
  );
  let next = { table: 0, page: 0 };
  return async () => {
    const entry = tables[next.table];
    if (entry === undefined) {
      next = { table: 0, page: 0 };
      return false;
    }
    const [table, { since, keptMs, isDay }] = entry;
    const pages = await countPages(db, table);
    const to = next.page + pagesPerRun;
    const first = new Date(now().getTime() - keptMs);
    const before = isDay ? first.toISOString().slice(0, 10) : first;
    if (pages > 0) await deleteExpiredRows(db, { table, column: since, before }, { from: next.page, to });
    next = to < pages ? { table: next.table, page: to } : { table: next.table + 1, page: 0 };
    return true;
  };
}
