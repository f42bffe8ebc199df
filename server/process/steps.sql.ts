import { type RawBuilder, sql } from 'kysely';
import type { OrderStepAction } from '../../domain/orders.ts';
import type { Tx } from '../db/database.ts';
import type { Steps } from '../db/schema.ts';

// The table `steps`: the history of orders, deliveries and cases.

type Written = Exclude<keyof Steps, 'subject_kind' | 'subject_id' | 'position'>;
type StepColumns = Record<'action' | 'status' | 'actor_role' | 'at', RawBuilder<unknown>> &
  Partial<Record<Written, RawBuilder<unknown>>>;

/**
 * Part of a statement: writes the next step of the subject whose row is `m` of `from`, with the column `id`. Nothing else writes a
 * history. The caller has locked the subject, or made it.
 */
export function insertStepSql(
  kind: Steps['subject_kind'],
  from: RawBuilder<unknown>,
  columns: StepColumns,
): RawBuilder<unknown> {
  const names = Object.keys(columns).map((name) => sql.ref(name));
  return sql`insert into steps (subject_kind, subject_id, position, ${sql.join(names)})
    select ${sql.lit(kind)}, m.id, (select count(*) from steps p where p.subject_id = m.id), ${sql.join(Object.values(columns))}
      from ${from} m`;
}

/** Whether a Scrub has accepted an order, also one who gave it back since. */
export async function wasAccepted(tx: Tx, orderId: string): Promise<boolean> {
  const action: OrderStepAction = 'accept-order';
  const steps = tx.selectFrom('steps').select('position').where('subject_id', '=', orderId);
  return (await steps.where('action', '=', action).limit(1).executeTakeFirst()) !== undefined;
}
