// What a life leaves in tables, in the order in which it was written.

import { type RawBuilder, sql } from 'kysely';
import { queryRows, type Tx } from '../../server/db/database.ts';
import type { Recorder } from './recorder.ts';

const TABLES: Readonly<Record<string, RawBuilder<unknown>>> = {
  event: sql`select entity, entity_id, status, at, people, band is not null as is_for_nearby from live_events
    order by tx, id`,
  ledger: sql`select e.kind, e.order_id, e.delivery_id, e.at, (select json_agg(json_build_array(l.account, l.party, l.amount)
      order by l.position) from ledger_lines l where l.entry_id = e.id) as lines
    from ledger_entries e order by e.id`,
  audit: sql`select action, subject_kind, subject_id, reason, cents, details::json as details, at from audit order by id`,
};

export type Rows = {
  /** Records the rows since the last time. */
  readonly noteNew: () => Promise<void>;
};

export function createRows(db: Tx, recorder: Recorder): Rows {
  const seen = new Map<string, number>();
  const noteNew = async (table: string, query: RawBuilder<unknown>) => {
    const known = seen.get(table) ?? 0;
    const rows = await queryRows<object>(db, sql`select * from (${query}) t offset ${known}`);
    seen.set(table, known + rows.length);
    for (const row of rows) recorder.note(`${table} ${JSON.stringify(recorder.names.replaceIn(row, table))}`);
  };
  return {
    noteNew: async () => {
      for (const [table, query] of Object.entries(TABLES)) await noteNew(table, query);
    },
  };
}
