import { sql } from 'kysely';
import { DAY_MS } from '../../../domain/durations.ts';
import { FEES_KNOWN_AFTER_MS, LONGEST_GAP_DAYS } from '../../../domain/reconciledDays.ts';
import { queryRow, queryRows, type Tx, transact } from '../../db/database.ts';
import { addMs } from '../card/retry.ts';

/** Payments that were changed this long before the backup may have been refunded since. */
const REFUNDED_WITHIN_MS = 30 * DAY_MS;

/** A database was restored: the first start compares it with the card network. */
export async function recordRestore(tx: Tx, at: Date): Promise<void> {
  await tx.insertInto('restores').values({ restored_at: at }).execute();
}

/** The newest that is known here of money: what the card network has done since is unknown. */
const LAST_KNOWN = sql`greatest((select max(e.at) from ledger_entries e), (select max(p.updated_at) from payments p))`;

/**
 * Once after a restore: makes every hold due to be looked at, and every day since the backup due to be compared. A hold that is gone is
 * a problem of its payment then, and a charge that nobody knows here is a difference of its day. Today counts both. The days that have
 * not ended are compared again when their fees are known.
 */
export function compareAfterRestore(db: Tx, now: Date): Promise<void> {
  return transact(db, async (tx) => {
    const found = await queryRow<{ since: Date | null }>(
      tx,
      sql`with restored as (update restores set compared_at = ${now}::timestamptz where compared_at is null returning 1)
        select ${LAST_KNOWN} as since from (select from restored limit 1) once`,
    );
    // A town without a payment has nothing at the card network.
    if (!found?.since) return;
    const since = new Date(Math.min(found.since.getTime(), now.getTime()));
    await queryRows(
      tx,
      sql`update payments set look_at = ${now} where square_id is not null
        and (state = 'held' or state in ('captured', 'voided') and updated_at >= ${addMs(since, -REFUNDED_WITHIN_MS)})`,
    );
    const finished = addMs(now, -FEES_KNOWN_AFTER_MS - DAY_MS);
    const dayAt = (at: Date) => sql`(${at}::timestamptz at time zone 'UTC')::date`;
    await queryRows(
      tx,
      sql`insert into reconciled_days (day, due_at, is_early)
          select to_char(d, 'YYYY-MM-DD'), ${now}::timestamptz, d::date > ${dayAt(finished)}
            from generate_series(greatest(${dayAt(since)}, ${dayAt(now)} - ${sql.lit(LONGEST_GAP_DAYS)})::timestamp,
              ${dayAt(now)}::timestamp, interval '1 day') d
        on conflict (day) do update set due_at = excluded.due_at, is_early = excluded.is_early, progress = null, tries = 0`,
    );
  });
}

/** Days that were compared early are compared again once their fees are known. */
export async function recheckEarlyDays(tx: Tx, now: Date): Promise<void> {
  const finished = addMs(now, -FEES_KNOWN_AFTER_MS - DAY_MS);
  await queryRows(
    tx,
    sql`update reconciled_days set due_at = ${now}::timestamptz, is_early = false, progress = null, tries = 0
      where is_early and day <= to_char(${finished}::timestamptz at time zone 'UTC', 'YYYY-MM-DD')`,
  );
}
