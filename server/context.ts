import type { Config } from './config/config.ts';
import type { Tx } from './db/database.ts';
import type { RateLimits } from './http/rateLimits.ts';
import type { Log } from './log.ts';
import type { Cards } from './payments/card/cards.ts';

/** What `Context.wake` can wake the workers for. */
export type Work = 'mail' | 'payments' | 'events' | 'broadcasts' | 'exports';

/** What handlers and jobs need from outside. `main.ts` creates it once; tests pass their own clock, ids and cards. */
export type Context = {
  /** The connection pool. Calls that change something get its connections for steps. Use `transact` for a transaction. */
  readonly db: Tx;
  /** The clock. */
  readonly now: () => Date;
  /** Returns a new UUIDv7. */
  readonly newId: () => string;
  readonly config: Config;
  readonly rateLimits: RateLimits;
  /** The card network: holds, captures, voids and refunds. */
  readonly cards: Cards;
  /** Wakes the workers for rows that were just committed, so that they do not wait for their next interval. */
  readonly wake: (...work: Work[]) => void;
  /** Call after ending sessions of a user, once that is committed: their live streams end, on every server. */
  readonly endStreamsOf: (userId: string) => void;
  /** Adds the id of the current request to each line. */
  readonly log: Log;
};
