import { type RawBuilder, sql } from 'kysely';
import { queryRow, type Tx } from '../db/database.ts';

/** How long a code works, how many wrong tries it takes, and how often one is mailed. */
export type CodeRule = {
  readonly lifetimeS: number;
  readonly maxTries: number;
  readonly minGapS: number;
  readonly windowS: number;
  readonly maxPerWindow: number;
};

const secondsLater = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1000);

/**
 * The parts of an upsert that saves a code and counts it. One statement checks both limits, so that parallel requests
 * cannot exceed them: it changes no row when it is too early for another code. The table has the alias `c`.
 */
export function codeUpsertSql(now: Date, rule: CodeRule) {
  const expires = secondsLater(now, rule.lifetimeS);
  const windowStart = secondsLater(now, -rule.windowS);
  const gapStart = secondsLater(now, -rule.minGapS);
  return {
    columns: sql`expires_at, tries_left, sent_at, window_from, sent_in_window`,
    values: sql`${expires}, ${rule.maxTries}, ${now}, ${now}, 1`,
    update: sql`expires_at = excluded.expires_at, tries_left = excluded.tries_left, sent_at = excluded.sent_at,
        window_from = case when c.window_from <= ${windowStart} then excluded.window_from else c.window_from end,
        sent_in_window = case when c.window_from <= ${windowStart} then 1 else c.sent_in_window + 1 end
      where c.sent_at <= ${gapStart} and (c.window_from <= ${windowStart} or c.sent_in_window < ${rule.maxPerWindow}::int)`,
  };
}

type SentCodes = { readonly sent_at: Date; readonly window_from: Date; readonly sent_in_window: number };

type NewCode = {
  /** An upsert made with `codeUpsertSql` that returns a row. */
  readonly upsert: RawBuilder<unknown>;
  /** Reads what was sent before. */
  readonly findSent: () => Promise<SentCodes | undefined>;
  readonly now: Date;
  readonly rule: CodeRule;
};

/** The columns that say when codes were sent. */
export const SENT_COLUMNS = ['sent_at', 'window_from', 'sent_in_window'] as const;

/** Saves a code. If it is too early for another one, returns when the next may be requested. */
export async function saveCode(tx: Tx, { upsert, findSent, now, rule }: NewCode): Promise<Date | undefined> {
  if (await queryRow(tx, upsert)) return undefined;
  const sent = await findSent();
  return sent ? nextCodeAt(sent, rule) : now;
}

/** When the next code may be mailed. */
function nextCodeAt({ sent_at, window_from, sent_in_window }: SentCodes, rule: CodeRule): Date {
  const afterGap = secondsLater(sent_at, rule.minGapS);
  const afterWindow = secondsLater(window_from, rule.windowS);
  return sent_in_window >= rule.maxPerWindow && afterWindow > afterGap ? afterWindow : afterGap;
}
