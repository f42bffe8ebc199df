import type { Config } from './config/config.ts';
import type { Tx } from './db/database.ts';
import type { RateLimits } from './http/rateLimits.ts';
import type { Cards } from './payments/cards.ts';

/** What the features are handed instead of reaching for it: the database, the clock, ids, and the world outside. */
export type Context = {
  readonly db: Tx;
  readonly now: () => Date;
  /** A UUIDv7. */
  readonly newId: () => string;
  readonly config: Config;
  readonly rateLimits: RateLimits;
  readonly cards: Cards;
  /** Says that a row with work to do was committed, so that the workers need not wait for their next round. */
  readonly wake: (work: 'mail' | 'payments' | 'events') => void;
  readonly log: Log;
};

export type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};
