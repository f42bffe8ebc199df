import { setTimeout } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { countPages, deleteExpiredRows, EXPIRING_TABLES, type ExpiringTable } from './retention.sql.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const PAGES_PER_RUN = 128;
const PAUSE_MS = 20;

/** How long after its time a row may go: well after everything that still looks at it. */
const RETENTION_MS: Record<ExpiringTable, number> = {
  rate_limits: HOUR_MS,
  // An address that was left alone for a day gets its five free tries again: fewer than waiting out the blocks allows.
  sign_in_failures: DAY_MS,
  // A day's ten codes are counted from the first of them.
  email_codes: 2 * DAY_MS,
  // A session is dead after 30 days without use.
  sessions: 31 * DAY_MS,
  reset_links: DAY_MS,
  // Long enough to look into what somebody says they never got.
  notifications: 90 * DAY_MS,
};

type RetentionContext = Pick<Context, 'db' | 'now'>;

/** A round that sweeps away what is of no use any more, a piece of a table at each call; false when it is through. */
export function createRetentionJob({ db, now }: RetentionContext, pagesAtOnce = PAGES_PER_RUN): () => Promise<boolean> {
  const tables = Object.keys(EXPIRING_TABLES) as ExpiringTable[];
  let at = { table: 0, page: 0 };
  return async () => {
    const table = tables[at.table];
    if (table === undefined) {
      at = { table: 0, page: 0 };
      return false;
    }
    const pages = await countPages(db, table);
    const to = at.page + pagesAtOnce;
    if (pages > 0) {
      const before = new Date(now().getTime() - RETENTION_MS[table]);
      await deleteExpiredRows(db, table, before, { from: at.page, to });
      await setTimeout(PAUSE_MS);
    }
    at = to < pages ? { table: at.table, page: to } : { table: at.table + 1, page: 0 };
    return true;
  };
}
