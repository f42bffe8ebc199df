import { setTimeout } from 'node:timers/promises';
import type { Deps } from '../context.ts';
import { pagesOf, SWEPT, type Swept, sweepPages } from './retention.sql.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const PAGES_AT_ONCE = 128;
const BREATH_MS = 20;

/** How long after its time a row may go: well after everything that still looks at it. */
const KEPT_MS: Record<Swept, number> = {
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

type Sweeping = Pick<Deps, 'db' | 'now'>;

/** A round that sweeps away what is of no use any more, a piece of a table at each call; false when it is through. */
export function makeSweeper({ db, now }: Sweeping, pagesAtOnce = PAGES_AT_ONCE): () => Promise<boolean> {
  const tables = Object.keys(SWEPT) as Swept[];
  let at = { table: 0, page: 0 };
  return async () => {
    const table = tables[at.table];
    if (table === undefined) {
      at = { table: 0, page: 0 };
      return false;
    }
    const pages = await pagesOf(db, table);
    const to = at.page + pagesAtOnce;
    if (pages > 0) {
      const before = new Date(now().getTime() - KEPT_MS[table]);
      await sweepPages(db, table, before, { from: at.page, to });
      await setTimeout(BREATH_MS);
    }
    at = to < pages ? { table: at.table, page: to } : { table: at.table + 1, page: 0 };
    return true;
  };
}
