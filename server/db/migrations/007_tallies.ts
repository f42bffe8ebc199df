import { type Kysely, sql } from 'kysely';

const TABLES = [
  `create table order_tallies (
    person_id uuid not null references users,
    status text not null,
    orders bigint not null,
    -- Cents.
    total_price bigint not null,
    load_price bigint not null,
    primary key (person_id, status)
  ) with (fillfactor = 70)`,
  `create table delivery_tallies (
    person_id uuid not null references users,
    status text not null,
    deliveries bigint not null,
    -- Cents, metres.
    price bigint not null,
    distance_m bigint not null,
    primary key (person_id, status)
  ) with (fillfactor = 70)`,
  `create table ledger_tallies (
    party uuid not null references users,
    account text not null,
    kind text not null,
    -- Cents; debits above zero.
    amount bigint not null,
    primary key (party, account, kind)
  ) with (fillfactor = 70)`,
];

type Tally = {
  readonly of: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly sums: readonly string[];
  /** Selects key and sums of some rows, each sum times the sign. */
  readonly select: (rows: string, sign: 1 | -1) => string;
};

const TALLIES: readonly Tally[] = [
  {
    of: 'orders',
    table: 'order_tallies',
    key: ['person_id', 'status'],
    sums: ['orders', 'total_price', 'load_price'],
    select: (rows, sign) => `select p.person_id, r.status, ${sign}::bigint as orders,
        ${sign} * r.total_price::bigint as total_price, ${sign} * r.load_price::bigint as load_price
      from ${rows} r cross join lateral (values (r.bud_id), (r.scrub_id)) p (person_id)`,
  },
  {
    of: 'deliveries',
    table: 'delivery_tallies',
    key: ['person_id', 'status'],
    sums: ['deliveries', 'price', 'distance_m'],
    select: (rows, sign) => `select p.person_id, r.status, ${sign}::bigint as deliveries,
        ${sign} * r.price::bigint as price, ${sign} * r.distance_m::bigint as distance_m
      from ${rows} r cross join lateral (values (r.bud_id), (r.scrub_id), (r.duber_id)) p (person_id)
      where p.person_id is not null`,
  },
  {
    of: 'ledger_lines',
    table: 'ledger_tallies',
    key: ['party', 'account', 'kind'],
    sums: ['amount'],
    select: (rows, sign) => `select r.party, r.account, r.kind, ${sign} * r.amount::bigint as amount
      from ${rows} r where r.party is not null`,
  },
];

// The rows of a tally are locked in one order everywhere, so that two steps never wait for each other in a circle.
const add = (
  { table, key, sums }: Tally,
  changes: string,
) => `insert into ${table} as t (${[...key, ...sums].join(', ')})
  select ${key.join(', ')}, ${sums.map((sum) => `sum(${sum})`).join(', ')} from (${changes}) changes
  group by ${key.join(', ')} having ${sums.map((sum) => `sum(${sum}) <> 0`).join(' or ')}
  order by ${key.join(', ')}
  on conflict (${key.join(', ')}) do update set ${sums.map((sum) => `${sum} = t.${sum} + excluded.${sum}`).join(', ')}`;

/** Keeps a tally in the transaction that changes its rows, whoever changes them and however many at once. */
function keep(tally: Tally): string[] {
  const { of, table, select } = tally;
  const both = `${select('gone', -1)} union all ${select('added', 1)}`;
  const trigger = (on: string, tables: string) => `create trigger ${table}_${on} after ${on} on ${of}
    referencing ${tables} for each statement execute function ${table}_keep()`;
  return [
    `create function ${table}_keep() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then ${add(tally, select('added', 1))};
      elsif tg_op = 'UPDATE' then ${add(tally, both)};
      else ${add(tally, select('gone', -1))};
      end if;
      return null;
    end $$`,
    trigger('insert', 'new table as added'),
    trigger('update', 'old table as gone new table as added'),
    trigger('delete', 'old table as gone'),
    add(tally, select(of, 1)),
  ];
}

const INDEXES = [
  // Nobody looks for a review by its type alone, and the indexes that keep them single are of a part of them each.
  'create index reviews_of_order on reviews (order_id)',
  // A status that is rare among many is found without reading the many; lists compare in this collation.
  'create index orders_of_bud_by_status on orders (bud_id, status collate "C", created_at desc, id desc)',
  'create index orders_of_scrub_by_status on orders (scrub_id, status collate "C", created_at desc, id desc)',
  'create index deliveries_of_bud_by_status on deliveries (bud_id, status collate "C", created_at desc, id desc)',
  'create index deliveries_of_scrub_by_status on deliveries (scrub_id, status collate "C", created_at desc, id desc)',
  'create index deliveries_of_duber_by_status on deliveries (duber_id, status collate "C", created_at desc, id desc)',
  'drop index deliveries_nearby',
  `create index deliveries_nearby on deliveries (pickup_band, pickup_longitude) include (pickup_latitude, id)
    where status = 'Pending'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...TABLES, ...INDEXES, ...TALLIES.flatMap(keep)]) await sql.raw(statement).execute(db);
}
