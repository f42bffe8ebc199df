import { type RawBuilder, sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../server/db/database.ts';
import { findAuditProblems } from '../server/payments/ledger/audit.sql.ts';

/** Each selects when something happened to the order, and what, in the words of its rows. */
const PARTS = (id: RawBuilder<unknown>): readonly RawBuilder<unknown>[] => [
  sql`select s.at, concat_ws(' ', 'order:', s.action, 'by', s.actor_role, s.actor_id, '->', s.status, 'round', s.attempt,
      s.reason, s.words) as what from steps s where s.subject_id = ${id}`,
  sql`select t.at, concat_ws(' ', 'delivery', d.delivery_type, d.id, 'round', d.round, 'attempt', t.attempt, 'step', t.position || ':',
      t.action, 'by', t.actor_role, t.actor_id, '->', t.status, t.reason, 'taken at ' || t.taken_at) from steps t join deliveries d on d.id = t.subject_id
    where d.order_id = ${id}`,
  sql`select h.at, concat_ws(' ', 'hand-over', h.position, 'of', coalesce(h.delivery_id::text, 'no delivery') || ':', h.giver_role, h.giver_id,
      '->', h.taker_role, h.taker_id, h.proof, 'takes back ' || h.takes_back) from handovers h where h.order_id = ${id}`,
  sql`select c.at, concat_ws(' ', 'hand-over', c.position, 'confirmed by', c.by_id) from handover_confirmations c where c.order_id = ${id}`,
  sql`select p.at, concat_ws(' ', 'pay', p.kind, 'of', p.delivery_id, 'attempt', p.attempt, 'to', p.duber_id || ':', p.cents, 'cents in entry', p.entry_id,
      'undone at ' || p.undone_at, 'by entry ' || p.undone_by) from earnings p where p.order_id = ${id}`,
  sql`select e.at, concat_ws(' ', 'entry', e.id, e.kind || ':', (select string_agg(concat_ws(' ', l.account, l.party, l.amount), ', ' order by l.position)
      from ledger_lines l where l.entry_id = e.id)) from ledger_entries e
    where e.order_id = ${id} or e.refund_id in (select r.id from refunds r where r.order_id = ${id})`,
  sql`select h.since, concat_ws(' ', 'hold', h.id, h.reason, 'of', h.account, h.user_id, h.cents || ' cents', 'in entry ' || h.entry_id,
      'until ' || h.until, 'ended at ' || h.ended_at) from payout_holds h where h.order_id = ${id}`,
  sql`select w.created_at, concat_ws(' ', 'payout', w.id, 'to', w.user_id, 'before', w.period_end, 'has line', k.position, 'of entry', k.entry_id, w.state)
    from payout_lines k join payouts w on w.id = k.payout_id join ledger_entries e on e.id = k.entry_id where e.order_id = ${id}`,
  sql`select r.created_at, concat_ws(' ', 'refund', r.id, r.reason || ':', r.amount, 'cents by', r.liable, r.liable_user, r.state, r.failure)
    from refunds r where r.order_id = ${id}`,
  sql`select v.at, concat_ws(' ', 'case C-' || c.no, c.kind || ':', v.action, 'by', v.actor_role, v.offer, v.cents, '->', v.status)
    from steps v join cases c on c.id = v.subject_id where c.order_id = ${id}`,
  sql`select p.created_at, concat_ws(' ', 'payment:', p.amount, 'cents', p.state, 'reduced', p.reduced, 'refunded', p.refunded, p.failure, p.concern)
    from payments p where p.order_id = ${id}`,
];

/** Everything that the database knows of an order, in the order of time. */
export async function traceOrder(db: Tx, orderId: string): Promise<string> {
  const all = sql.join(PARTS(sql`${orderId}::uuid`), sql` union all `);
  // Raw SQL: one line of text for each row, whatever its table.
  const lines = await queryRows<{ line: string }>(
    db,
    sql`select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') || ' ' || what as line from (${all}) parts order by at, what`,
  );
  const now = await queryRow<{ line: string }>(
    db,
    sql`select concat_ws(' ', o.status, 'round', o.round, 'of Bud', o.bud_id, 'and Scrub', o.scrub_id, (select string_agg(concat_ws(' ', d.delivery_type,
        d.id, d.status), ', ' order by d.created_at) from deliveries d where d.order_id = o.id)) as line from orders o where o.id = ${orderId}`,
  );
  return [`order ${orderId}: ${now?.line}`, ...lines.map(({ line }) => line)].join('\n  ');
}

const MAX_TRACES = 3;

/** The orders that sentences of an audit name: by themselves, or by a delivery, a refund, an entry or a case. */
async function findSubjects(db: Tx, problems: readonly string[]): Promise<string[]> {
  const text = problems.join(' ');
  const [uuid, entry, no] = [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, /\bentry (\d+)/g, /\bC-(\d+)/g];
  const ids = sql`array[${sql.join([...text.matchAll(uuid), ['00000000-0000-0000-0000-000000000000']].map(([id]) => id))}]::uuid[]`;
  const numbersOf = (pattern: RegExp) =>
    sql`array[${sql.join(['0', ...[...text.matchAll(pattern)].map(([, number]) => number)])}]::bigint[]`;
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select id from orders where id = any (${ids})
      union select order_id from deliveries where id = any (${ids})
      union select order_id from refunds where id = any (${ids})
      union select coalesce(e.order_id, d.order_id, r.order_id) from ledger_entries e left join deliveries d on d.id = e.delivery_id
        left join refunds r on r.id = e.refund_id where e.id = any (${numbersOf(entry)})
      union select order_id from cases where no = any (${numbersOf(no)})`,
  );
  return rows.map(({ id }) => id).filter((id) => id !== null);
}

/** The sentences of an audit, and after them what happened to the first orders that they name. */
export async function withTraces(db: Tx, problems: readonly string[]): Promise<string[]> {
  if (problems.length === 0) return [];
  const traces: string[] = [];
  for (const id of (await findSubjects(db, problems)).slice(0, MAX_TRACES)) traces.push(await traceOrder(db, id));
  return [...problems, ...traces];
}

/** What is wrong with the ledger, and what happened to the first orders with which something is. */
export const findTracedProblems = async (db: Tx): Promise<string[]> =>
  withTraces(
    db,
    (await findAuditProblems(db)).map(({ check, what }) => `${check}: ${what}`),
  );
