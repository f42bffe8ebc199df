import { sql } from 'kysely';
import { queryRows, type Tx } from '../server/db/database.ts';

const id = (kind: number, n: string) => `('0193000${kind}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const [BUD, SCRUB, DUBER] = [id(1, 'n'), id(2, 'n % 500 + 1'), id(3, 'n % 500 + 1')];
/** Orders are spread over the sixty days before `town.now`. */
const PLACED_AT = `(now - interval '3 days' - n * interval '8 minutes')`;

/** Rows `n` from 1 to `count`, each with the time `now`. */
const each = (count: number) => `from generate_series(1, ${count}) n, (select $now::timestamptz as now) town`;

/**
 * Ten thousand people with ten thousand completed orders, and as much that background jobs have to do at once as a server finds that
 * was off for a while. Run it with triggers and foreign keys switched off.
 */
const STATEMENTS = [
  ...(
    [
      [1, 'Bud', 6000],
      [2, 'Scrub', 2000],
      [3, 'Duber', 2000],
    ] as const
  ).map(
    ([kind, role, count]) => `insert into users (id, fullname, email, email_key, role, password_hash, created_at)
      select ${id(kind, 'n')}, '${role} ' || n, '${role}' || n, '${role}' || n, '${role}', 'none', now - interval '1 year' ${each(count)}`,
  ),
  `insert into orders (id, bud_id, scrub_id, status, load_size, self_delivery, self_pickup, load_price, total_price, bud_address,
      scrub_address, distance_m, created_at, completed_at, closed_at, holder_id)
    select ${id(4, 'n')}, ${id(1, 'n % 6000 + 1')}, ${SCRUB}, 'Completed', 'Small', false, true, 500, 1193, '{}', '{}', 1234,
      ${PLACED_AT}, ${PLACED_AT} + interval '1 day', ${PLACED_AT} + interval '2 days', ${id(1, 'n % 6000 + 1')} ${each(10_000)}`,
  `insert into deliveries (id, order_id, delivery_type, status, bud_id, scrub_id, duber_id, price, distance_m, pickup_latitude,
      pickup_longitude, pickup_band, created_at, delivered_at)
    select ${id(5, 'n')}, ${id(4, 'n')}, 'Bud_To_Scrub', 'Delivered', ${id(1, 'n % 6000 + 1')}, ${SCRUB}, ${DUBER}, 599, 1234, 24, 67,
      2400, ${PLACED_AT}, ${PLACED_AT} + interval '2 hours' ${each(10_000)}`,
  `insert into payments (order_id, bud_id, state, amount, square_id, created_at, updated_at, look_at)
    select ${id(4, 'n')}, ${id(1, 'n % 6000 + 1')}, 'captured', 1193, 'sq-' || n, ${PLACED_AT}, ${PLACED_AT}, now ${each(10_000)}`,
  ...['captured', 'completed', 'delivered'].map(
    (kind) => `insert into ledger_entries (kind, order_id, delivery_id, at, written_in)
      select '${kind}', ${id(4, 'n')}, ${kind === 'delivered' ? id(5, 'n') : 'null'}, ${PLACED_AT}, pg_current_xact_id() ${each(10_000)}`,
  ),
  `insert into ledger_lines (entry_id, position, account, party, amount, kind, at)
    select e.id, l.position, l.account, l.party, l.amount, e.kind, e.at from ledger_entries e join orders o on o.id = e.order_id
      left join deliveries d on d.id = e.delivery_id
      cross join lateral (values ('captured', 0, 'card-clearing', o.bud_id, 1193), ('captured', 1, 'unearned', null, -1193),
        ('completed', 0, 'unearned', null, 500), ('completed', 1, 'scrub', o.scrub_id, -500),
        ('delivered', 0, 'unearned', null, 599), ('delivered', 1, 'duber', d.duber_id, -599))
      as l (kind, position, account, party, amount) where l.kind = e.kind order by e.id, l.position`,
  // Everything but the earnings of ten Scrubs and ten Dubers is in a payout.
  `insert into payout_lines (entry_id, position, payout_id) select entry_id, position, ${id(9, '2')} from ledger_lines
    where account in ('scrub', 'duber') and party > ${id(3, '10')} or account = 'scrub' and party > ${id(2, '10')}`,
  `insert into sessions (token_hash, user_id, created_at, last_used_at)
    select sha256(n::text::bytea), ${BUD}, now - interval '2 years', now - interval '1 year' ${each(6000)}`,
  `insert into rate_limits select 'code', 'network ' || n, now - interval '1 day', 1 ${each(10_000)}`,
  `insert into sign_in_attempts select 'Bud' || n, 'all', 3, now - interval '9 days' ${each(10_000)}`,
  `insert into known_devices select ${BUD}, 'network', 'network ' || n, now - interval '1 year' ${each(6000)}`,
  `insert into email_codes select 'Bud' || n, null, now - interval '9 days', 5, now - interval '9 days', now, 1 ${each(6000)}`,
  `insert into webhook_events select 'event ' || n, 'payment.updated', now - interval '60 days' ${each(10_000)}`,
  `insert into requests (actor_id, key_hash, call, subject_id, at)
    select ${BUD}, sha256(n::text::bytea), 'placeOrder', ${BUD}, now - interval '60 days' ${each(6000)}`,
  `insert into reset_requests (id, email_key, asked_at) select ${id(6, 'n')}, 'Bud' || n, now ${each(100)}`,
  `insert into delivery_positions select ${id(5, 'n')}, 24, 67, now - interval '9 days', 5 ${each(10_000)}`,
  `insert into live_events (people, entity, entity_id, status, at)
    select array[${id(1, 'n % 6000 + 1')}, ${SCRUB}], 'order', ${id(4, 'n')}, 'Accepted', now - interval '2 days' ${each(20_000)}`,
  `insert into notifications (kind, about, channel, target, user_id, state, created_at, done_at)
    select 'placed', ${id(4, 'n')}, 'mail', ${BUD}, ${BUD}, 'sent', now - interval '1 year', now - interval '1 year' ${each(10_000)}`,
  `insert into notifications (kind, about, channel, target, user_id, state, created_at, due_at)
    select 'completed', ${id(4, 'n')}, 'mail', ${id(1, 'n % 6000 + 1')}, ${id(1, 'n % 6000 + 1')}, 'due', now, now ${each(1000)}`,
  `insert into nearby_notices select ${id(5, 'n')}, 24, 67, now ${each(50)}`,
  `insert into duber_places (duber_id, latitude, longitude, band)
    select ${id(3, 'n')}, 24 + n * 0.0001, 67 + n * 0.0001, 2400 + n / 100 ${each(2000)}`,
  `insert into files (id, owner_id, sha256, bytes, type, width, height, sent, at)
    select ${id(7, 'n')}, ${BUD}, ''::bytea, 1000, 'image/jpeg', 100, 100, ''::bytea, now - interval '9 days' ${each(2000)}`,
  `insert into files (id, owner_id, sha256, bytes, type, width, height, about_kind, about_id, sent, at)
    select ${id(8, 'n')}, ${BUD}, ''::bytea, 1000, 'image/jpeg', 100, 100, 'order', ${id(4, 'n')}, ''::bytea, now - interval '3 years'
    ${each(2000)}`,
  `insert into broadcasts (id, to_role, title, words, is_urgent, sent_by, at, people)
    select ${id(9, 'n')}, 'everyone', 'Closed on Monday', 'We are closed.', true, ${id(9, 'n')}, now, 10000 ${each(1)}`,
  `insert into timers select 'order', ${id(4, 'n')}, 'expire', now, 1 ${each(2000)}`,
  `insert into reconciled_ids select ${id(9, '1')}, 'gone ' || n ${each(20_000)}`,
];

/** Fills the empty tables of `db`. */
export async function fillLargeTown(db: Tx, now: Date): Promise<void> {
  await queryRows(db, sql`set session_replication_role = 'replica'`);
  for (const statement of STATEMENTS) {
    await queryRows(db, sql.raw(statement.replaceAll('$now', `'${now.toISOString()}'`)));
  }
  await queryRows(db, sql`set session_replication_role = 'origin'`);
}
