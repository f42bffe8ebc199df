import { type RawBuilder, sql } from 'kysely';
import { ENDED_STATUSES } from '../../domain/deliveries.ts';
import type { Need } from '../../domain/needs.ts';
import { REQUEST_LIFETIME_MS } from '../../domain/orders.ts';
import { ORDER_TIMER_ROWS as ROWS_OF_ORDERS } from '../../domain/process/order.ts';
import { WEIGHING_TIMER_ROWS } from '../../domain/process/weighing.ts';
import { isBack, isBackInTime, literals } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { prepare } from '../db/prepared.ts';
import { startTimersSql } from '../jobs/timers.sql.ts';

// A timer of an order runs exactly while a row of its action fits, by status and needs. It starts when the row begins to fit.

export const ORDER_TIMER_ROWS = [...ROWS_OF_ORDERS, ...WEIGHING_TIMER_ROWS] as const;
type TimerRow = (typeof ORDER_TIMER_ROWS)[number];
type NeedOf<R> = R extends { readonly needs: readonly (infer N extends Need)[] } ? N : never;

/** Whether an order `o` meets each need of these rows. */
const HOLDS: Record<NeedOf<TimerRow>, RawBuilder<unknown>> = {
  'given-back': sql`o.given_back_at is not null`,
  'not-given-back': sql`o.given_back_at is null`,
  'laundry-here': sql`(o.handed_over_at is not null or exists (select from deliveries d where d.order_id = o.id
    and d.round = o.round and d.delivery_type = 'Bud_To_Scrub' and d.status = 'Delivered'))`,
  'deliveries-ended': sql`not exists (select from deliveries d where d.order_id = o.id
    and d.status not in (${literals(ENDED_STATUSES)}))`,
  asked: sql`exists (select from corrections c where c.order_id = o.id and c.state = 'asked')`,
  splits: sql`exists (select from corrections c where c.order_id = o.id and c.splits)`,
  promised: sql`o.promised_at is not null`,
  'not-promised': sql`o.promised_at is null`,
  'not-back': sql`not ${isBack('o')}`,
  'not-back-in-time': sql`not ${isBackInTime('o')}`,
  'credit-owed': sql`exists (select from missed_promises m where m.order_id = o.id and m.state = 'owed')`,
  proposed: sql`exists (select from proposals p where p.order_id = o.id and p.answer is null)`,
  'is-weighed': sql`o.ceiling_size is not null`,
  'not-weighed-yet': sql`not exists (select from weighings w where w.order_id = o.id and w.scale = 'scrub')`,
  'accepted-once': sql`exists (select from steps t where t.subject_id = o.id and t.action = 'accept-order')`,
};

const needsOf = (row: TimerRow): readonly NeedOf<TimerRow>[] => ('needs' in row ? row.needs : []);

/** Whether the System has not taken a row: in this round, or of the order. A proposal that it has ended is not open any more. */
function isUntaken(row: TimerRow): RawBuilder<unknown> {
  const once = 'once' in row ? row.once : 'round';
  if (once === 'proposal') return sql``;
  const round = once === 'round' ? sql`and t.attempt = o.round` : sql``;
  return sql`and not exists (select from steps t where t.subject_id = o.id and t.action = ${sql.lit(row.action)} ${round})`;
}

/** Whether an order `o` fits a row. */
function fits(row: TimerRow): RawBuilder<unknown> {
  const conditions = needsOf(row).map((need) => sql`and ${HOLDS[need]}`);
  return sql`o.status = ${sql.lit(row.from)} ${sql.join(conditions, sql` `)} ${isUntaken(row)}`;
}

const ANSWER_BY = sql`(select p.answer_by from proposals p where p.order_id = o.id and p.answer is null)`;

/**
 * When the Scrub of an order `o` was asked. Nobody comes at a window that no Scrub has accepted when it begins, so the request of that
 * Scrub is as old as if it ended then. A Scrub who is asked after that has the whole time.
 */
const REQUEST = sql`(select least(asked.at, case when o.pickup_from > asked.at
      then o.pickup_from - ${sql.lit(REQUEST_LIFETIME_MS)} * interval '1 millisecond' end)
  from (select coalesce(max(t.at), o.created_at) as at from steps t
    where t.subject_id = o.id and t.action in ('place-order', 'choose-scrub')) asked)`;

const STARTS = {
  request: REQUEST,
  proposal: ANSWER_BY,
  promise: sql`o.promised_at`,
  'missed-promise': sql`(select m.promised_at from missed_promises m where m.order_id = o.id)`,
};

/** The time from which a row counts: the hold on a card is as old as its order. */
function startOf(row: TimerRow, at: RawBuilder<Date>): RawBuilder<unknown> {
  if ('countsFrom' in row) return STARTS[row.countsFrom];
  return 'once' in row ? sql`o.created_at` : sql`${at}::timestamptz`;
}

/** A row `(id, position, at)` for an order that fits one of the rows of an action. */
const fitting = (rows: readonly TimerRow[], id: RawBuilder<string>, at: RawBuilder<Date>) =>
  sql`select o.id, (select max(t.position) from steps t where t.subject_id = o.id) as position,
      ${rows[0] && startOf(rows[0], at)} as at
    from orders o where o.id = ${id} and (${sql.join(rows.map(fits), sql` or `)})`;

const BY_ACTION = [...Map.groupBy(ORDER_TIMER_ROWS as readonly TimerRow[], ({ action }) => action)];

/** Part of the `with` that inserts an order as `placed`: starts its timer. */
export const startPlacedTimersSql = startTimersSql(
  'order',
  ORDER_TIMER_ROWS.filter(({ action }) => action === 'expire-request'),
  // Nobody comes at a window that no Scrub has accepted when it begins.
  sql`select id, 0, least(created_at, pickup_from - ${sql.lit(REQUEST_LIFETIME_MS)} * interval '1 millisecond') from placed`,
);

// Raw SQL, prepared: all timers of an order in one statement.
const keep = prepare<[orderId: string, at: Date], unknown>((id, at) => {
  const starts = BY_ACTION.map(
    ([action, rows]) => sql`${sql.id(action)} as (select f.* from (${fitting(rows, id, at)}) f)`,
  );
  const running = BY_ACTION.map(([action]) => sql`select ${sql.lit(action)} as action from ${sql.id(action)}`);
  const started = BY_ACTION.map(([action, rows]) => {
    // One that counts from a proposal starts again with the next proposal.
    const isSame = rows.some((row) => 'once' in row && row.once === 'proposal') ? sql`and t.due_at = f.at` : sql``;
    const isNew = sql`select f.* from ${sql.id(action)} f where not exists (select from timers t
      where t.subject_id = f.id and t.action = ${sql.lit(action)} ${isSame})`;
    return sql`${sql.id(`start-${action}`)} as (${startTimersSql('order', rows.slice(0, 1), isNew)})`;
  });
  return sql`with ${sql.join(starts)}, ended as (delete from timers t where t.subject_kind = 'order' and t.subject_id = ${id}
      and t.action not in (${sql.join(running, sql` union all `)})), ${sql.join(started)} select`;
});

/** Starts the timers of an order whose rows begin to fit, and ends the others. Lock the order before, and its timers last. */
export const keepTimers = (tx: Tx, orderId: string, at: Date): Promise<void> => keep.send(tx, orderId, at);

/** The same for what happens to the laundry without a step of the order: a timer that runs already starts again. */
function prepareStart(...needs: readonly NeedOf<TimerRow>[]) {
  const starting = BY_ACTION.filter(([, rows]) =>
    rows.some((row) => needsOf(row).some((need) => needs.includes(need))),
  );
  return prepare<[orderId: string, at: Date], unknown>((id, at) => {
    const parts = starting.map(
      ([action, rows]) =>
        sql`${sql.id(action)} as (${startTimersSql('order', rows.slice(0, 1), fitting(rows, id, at))})`,
    );
    return sql`with ${sql.join(parts)} select`;
  });
}

/** The Bud has handed the laundry to the Scrub without a Duber. */
export const startAtScrub = prepareStart('laundry-here');
/** A delivery was called off. */
export const startAtEnd = prepareStart('deliveries-ended');
/** A Duber has delivered the laundry. Lock the payment of the order before, as its completion does. */
export const startAfterDelivery = prepareStart('laundry-here', 'deliveries-ended');
/** That the Bud has the laundry back was a mistake. */
export const startAfterTakingBack = prepareStart('not-back', 'not-back-in-time');

/** The first row of each timer that counts from a window of its order. */
const OF_WINDOWS = BY_ACTION.flatMap(([, [row]]) =>
  row && 'countsFrom' in row && (row.countsFrom === 'request' || row.countsFrom === 'promise') ? row : [],
);

/** The windows of an order have moved: what counts from them starts again. */
const restart = prepare<[orderId: string], unknown>(
  (id) =>
    sql`update timers t set armed_by_step = t.armed_by_step + 1, due_at = case ${sql.join(
      OF_WINDOWS.map(
        ({ action, after, countsFrom }) =>
          sql`when t.action = ${sql.lit(action)} then ${STARTS[countsFrom]} + ${sql.lit(after)} * interval '1 millisecond'`,
      ),
      sql` `,
    )} end from orders o where o.id = ${id} and t.subject_id = o.id and t.action in (${literals(
      OF_WINDOWS.map(({ action }) => action),
    )})`,
);
export const restartAfterMove = (tx: Tx, orderId: string): Promise<void> => restart.send(tx, orderId);
