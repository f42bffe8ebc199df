import { type RawBuilder, sql } from 'kysely';
import type { Permission } from '../../domain/operators.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { isLiveOperatorSession, type SessionTime } from './operators.sql.ts';

// Whether something that Today shows has changed. Raw SQL: transaction ids and snapshots say which rows are new.

/** A snapshot of what Today depends on. */
export type TownMark = {
  readonly snapshot: string;
  /** Every transaction before it had ended. */
  readonly xmin: string;
  /** The number of the last act. */
  readonly acts: string;
  /** When the newest document that waits was sent. */
  readonly documents: Date | null;
};

/** Whether an event of `condition` exists. Ordered and limited, so that an index finds it, however many there are. */
const existsEvent = (condition: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from (select from live_events e where ${condition} order by e.tx, e.id limit 1) one)`;

/** The mark of this moment, and whether something has happened since `before`. */
export async function readTownMark(
  tx: Tx,
  before: TownMark | undefined,
): Promise<{ mark: TownMark; hasChanged: boolean }> {
  // Not by the latest id: transactions end in any order.
  const isNew = before
    ? existsEvent(
        sql`e.tx >= ${before.xmin}::xid8
          and not pg_visible_in_snapshot(coalesce(e.written_in, e.tx), ${before.snapshot}::pg_snapshot)`,
      )
    : sql`true`;
  // A failover has lost transactions: new ones get ids from before it.
  const isRewound = before ? sql`${before.xmin}::xid8 > pg_snapshot_xmax(s.snapshot)` : sql`false`;
  const row = await queryRow<TownMark & { hasEvents: boolean }>(
    tx,
    sql`select s.snapshot::text as snapshot, pg_snapshot_xmin(s.snapshot)::text as xmin, h.id::text as acts,
        (select max(d.sent_at) from documents d where d.state = 'waiting') as documents, ${isNew} or ${isRewound} as "hasEvents"
      from (select pg_current_snapshot() as snapshot) s, audit_head h`,
  );
  if (!row) throw new Error('the audit has no head');
  const { hasEvents, ...mark } = row;
  const isSame = before?.acts === mark.acts && before.documents?.getTime() === mark.documents?.getTime();
  return { mark, hasChanged: hasEvents || !isSame };
}

/** A position in the stream of Today. */
export type TodayCursor = { readonly xmin: string; readonly acts: string };

/** Whether something changed after a cursor; undefined for a cursor that is too old or from another database. */
export async function hasChangedSince(tx: Tx, { xmin, acts }: TodayCursor): Promise<boolean | undefined> {
  const row = await queryRow<{ isKnown: boolean; hasChanged: boolean }>(
    tx,
    sql`select ${xmin}::xid8 > c.tx and ${xmin}::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) as "isKnown",
        h.id <> ${acts}::bigint or ${existsEvent(sql`e.tx >= ${xmin}::xid8`)} as "hasChanged"
      from events_cleared c, audit_head h`,
  );
  return row?.isKnown ? row.hasChanged : undefined;
}

/** Which of these tokens belong to a valid session of an operator with a right, as hex digits. */
export async function listLiveOperatorTokens(
  tx: Tx,
  tokenHashes: readonly Buffer[],
  permission: Permission,
  time: SessionTime,
): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ token: string }>(
    tx,
    sql`select encode(s.token_hash, 'hex') as token from operator_sessions s join operators o on o.id = s.operator_id
      where s.token_hash = any(${tokenHashes}::bytea[]) and ${isLiveOperatorSession(time)}
        and exists (select from operator_caps c where c.operator_id = o.id and c.cap = ${permission})`,
  );
  return new Set(rows.map(({ token }) => token));
}
