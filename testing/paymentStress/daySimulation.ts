import { sql } from 'kysely';
import { DAY_MS } from '../../domain/durations.ts';
import { dayOf } from '../../domain/reconciledDays.ts';
import type { Context } from '../../server/context.ts';
import { queryRow, queryRows, type Tx } from '../../server/db/database.ts';
import { recheckDay, reconcileDays } from '../../server/payments/reconcile/reconciledDays.ts';
import type { Random } from '../random.ts';

/** The day before is compared already, so this day is the next: at the card network it lasts for the whole storm. */
export async function startComparingDays(db: Tx, now: Date): Promise<void> {
  const day = dayOf(new Date(now.getTime() - DAY_MS));
  await sql`insert into reconciled_days (day, state, checked_at) values (${day}, 'equal', ${now})`.execute(db);
}

/** Compares every finished day with the card network, and says which are not equal. */
export async function findDifferingDays(context: Context): Promise<string[]> {
  while (await reconcileDays(context)) {}
  const wrong = await queryRows<{ what: string }>(
    context.db,
    sql`select concat_ws(' ', 'the day', day, 'is', coalesce(state, 'not compared'), failure, differences::text) as what
      from reconciled_days where state is distinct from 'equal' or due_at is not null`,
  );
  const charged = await queryRow<{ cents: number }>(
    context.db,
    sql`select coalesce(sum((ours ->> 'charged')::int), 0)::float8 as cents from reconciled_days`,
  );
  return [...wrong.map(({ what }) => what), ...(charged?.cents === 0 ? ['no day has a charge'] : [])];
}

/** Breaks one charge and one refund of the ledger for a moment, and says which of them the comparison of its day does not find. */
export async function findMissedDifferences(context: Context, random: Random): Promise<string[]> {
  const missed: string[] = [];
  for (const [what, table, key, column] of [
    ['charged', 'payments', 'order_id', 'square_id'],
    ['refunded', 'refunds', 'id', 'square_refund_id'],
  ] as const) {
    const rows = await queryRows<{ id: string; at: Date }>(
      context.db,
      sql`select t.${sql.ref(key)}::text as id, e.at from ${sql.table(table)} t join ledger_entries e
          on ${table === 'payments' ? sql`e.order_id = t.order_id and e.kind = 'captured'` : sql`e.refund_id = t.id and e.kind = 'refunded'`}
        where t.${sql.ref(column)} is not null and exists (select from reconciled_days d
          where d.day = to_char(e.at at time zone 'UTC', 'YYYY-MM-DD')) order by 1`,
    );
    const broken = rows[Math.floor(random() * rows.length)];
    if (!broken) continue;
    const change = (to: ReturnType<typeof sql>) =>
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(key)} = ${broken.id}::uuid`.execute(
        context.db,
      );
    await change(sql`'unknown ' || ${sql.ref(column)}`);
    await recheckDay(context.db, dayOf(broken.at), context.now());
    const found = await findDifferingDays(context);
    if (!found.some((one) => one.includes(`"${what}"`)))
      missed.push(`nobody finds that ${what} ${broken.id} is another one`);
    await change(sql`replace(${sql.ref(column)}, 'unknown ', '')`);
    // The card network may date it on another day than the ledger. Then that day differs too.
    const differing = await queryRows<{ day: string }>(
      context.db,
      sql`select day from reconciled_days where state = 'differs'`,
    );
    for (const { day } of differing) await recheckDay(context.db, day, context.now());
  }
  return missed;
}
