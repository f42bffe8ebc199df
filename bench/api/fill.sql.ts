/**
 * Test data for a number of people: 50 cities of decreasing size, each dense in its center. A Bud has one order on average.
 * One Bud, one Scrub and one Duber have 50,000 orders, and twenty of each have ten.
 * Random values are hashes of the row's number, so the same number of people always gives the same data.
 */

export const HEAVY_ORDERS = 50_000;
export const LIGHT_PEOPLE = 20;
const LIGHT_ORDERS = 10;
const CITIES = 50;

export type PeopleCounts = { readonly buds: number; readonly scrubs: number; readonly dubers: number };

export const countPeople = (people: number): PeopleCounts => ({
  buds: Math.round(people * 0.6),
  scrubs: Math.round(people * 0.2),
  dubers: Math.round(people * 0.2),
});

/** The first number of each role. That person has 50,000 orders, the next twenty have ten. */
export const FIRST_NUMBER = { Bud: 1, Scrub: 100_000_001, Duber: 200_000_001 } as const;

const FUNCTIONS = [
  'drop schema if exists bench cascade',
  'create schema bench',
  // The number is scattered over the first digits, so that people of one city are not neighbors in an index.
  `create function bench.person(n bigint) returns uuid language sql immutable parallel safe as $$
    select (lpad(to_hex((n * 2654435761) & 4294967295), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$`,
  `create function bench.thing(kind int, n bigint) returns uuid language sql immutable parallel safe as $$
    select ('01930000-0' || kind || '00-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$`,
  `create function bench.token(n bigint) returns bytea language sql immutable parallel safe as $$
    select sha256(convert_to('bench-' || n, 'UTF8')) $$`,
  `create function bench.chance(n bigint, salt int) returns float8 language sql immutable parallel safe as $$
    select (hashint8extended(n, salt) & 1073741823) / 1073741824.0::float8 $$`,
];

const cities = (crowd: PeopleCounts) => [
  `create table bench.cities as
    with weights as (select c, 1.0 / (c + 4) as w from generate_series(1, ${CITIES}) c),
      shares as (select c, sum(w) over (order by c) / sum(w) over () as upto, w / sum(w) over () as share from weights)
    select c, upto - share as since, upto,
      -42 + ((c * 17) % 90)::float8 as latitude, -150 + ((c * 37) % 300)::float8 as longitude from shares`,
  // A person's position within their role decides in which city they live.
  `create table bench.people as
    select n, role, i, bench.person(n) as id, city.c as city,
      city.latitude + r * sin(angle) / 111195 as latitude,
      city.longitude + r * cos(angle) / (111195 * cos(radians(city.latitude))) as longitude
    from (
      select 'Bud' as role, i, ${FIRST_NUMBER.Bud} - 1 + i::bigint as n, ${crowd.buds} as of from generate_series(1, ${crowd.buds}) i
      union all select 'Scrub', i, ${FIRST_NUMBER.Scrub} - 1 + i::bigint, ${crowd.scrubs} from generate_series(1, ${crowd.scrubs}) i
      union all select 'Duber', i, ${FIRST_NUMBER.Duber} - 1 + i::bigint, ${crowd.dubers} from generate_series(1, ${crowd.dubers}) i
    ) everybody
    join bench.cities city on (i - 0.5) / of >= city.since and (i - 0.5) / of < city.upto
    cross join lateral (select 12000 * power(bench.chance(n, 1), 2) as r, 2 * pi() * bench.chance(n, 2) as angle) home`,
  'create unique index on bench.people (role, i)',
  'analyze bench.people',
];

const PEOPLE = [
  `insert into users (id, fullname, email, email_key, phone, role, password_hash, created_at)
    select id, role || ' number ' || i, 'p' || n || '@bench.test', 'p' || n || '@bench.test', '+12025550123', role, 'none',
      now() - interval '2 years' from bench.people order by n`,
  `insert into addresses (id, user_id, label, address, latitude, longitude, created_at)
    select bench.thing(1, n), id, 'Default', i || ' Heron Street, City ' || city, latitude, longitude,
      now() - interval '2 years' from bench.people order by n`,
  `insert into scrub_places (scrub_id, address, latitude, longitude, band, active)
    select id, i || ' Heron Street, City ' || city, latitude, longitude, floor(latitude * 100)::int, bench.chance(n, 3) < 0.8
    from bench.people where role = 'Scrub' order by n`,
  `update users set is_active = p.active from scrub_places p where p.scrub_id = users.id and not p.active`,
  `insert into duber_places (duber_id, latitude, longitude, band)
    select id, latitude, longitude, floor(latitude * 100)::int from bench.people where role = 'Duber' order by n`,
  `insert into sessions (token_hash, user_id, created_at, last_used_at)
    select bench.token(n), id, now(), now() from bench.people`,
];

/** Who orders from whom. `bi`, `si` and `di` are positions among the Buds, the Scrubs and the Dubers. */
const orderPlan = ({ buds, scrubs, dubers }: PeopleCounts) => {
  // People with a fixed number of orders get no random ones.
  const elsewhere = (
    place: string,
  ) => `(select case when p <= ${LIGHT_PEOPLE + 1} then p + ${LIGHT_PEOPLE + 1} else p end
    from (select ${place} as p) drawn)`;
  // A random partner in the same city.
  const partner = (others: number) =>
    elsewhere(`least(${others}, 1 + floor(${others} * (city.since + (city.upto - city.since)
      * bench.chance(k, 12))))::int`);
  const of = (i: string, all: number) => `join bench.cities city on (${i} - 0.5) / ${all} >= city.since
    and (${i} - 0.5) / ${all} < city.upto`;
  const light = LIGHT_PEOPLE * LIGHT_ORDERS;
  return [
    `create table bench.plan as
      with wanted as (
        select k, ${elsewhere(`1 + floor(${buds} * bench.chance(k, 11))::int`)} as bi, null::int as si, 0 as weight
          from generate_series(1, ${buds}) k
        union all select ${buds} + k, 1, null, 1 from generate_series(1, ${HEAVY_ORDERS}) k
        union all select ${buds + HEAVY_ORDERS} + k, null, 1, 1 from generate_series(1, ${HEAVY_ORDERS}) k
        union all select ${buds + 2 * HEAVY_ORDERS} + k, 2 + k % ${LIGHT_PEOPLE}, null, 2 from generate_series(1, ${light}) k
        union all select ${buds + 2 * HEAVY_ORDERS + light} + k, null, 2 + k % ${LIGHT_PEOPLE}, 2
          from generate_series(1, ${light}) k
      ), paired as (
        select k, bi, ${partner(scrubs)} as si, weight from wanted ${of('bi', buds)} where bi is not null
        union all
        select k, ${partner(buds)} as bi, si, weight from wanted ${of('si', scrubs)} where bi is null
      )
      select row_number() over (order by bench.chance(k, 13), k) as n, bi, si,
        case when weight = 1 then 'Completed' when bench.chance(k, 14) < 0.35 then 'Accepted'
          when bench.chance(k, 14) < 0.4 then 'In_Progress' when bench.chance(k, 14) < 0.95 then 'Completed'
          else 'Cancelled' end as status,
        case when bench.chance(k, 15) < 0.4 then 'Small' when bench.chance(k, 15) < 0.8 then 'Medium' else 'Large' end as size,
        bench.chance(k, 16) < 0.15 as self_delivery, bench.chance(k, 17) < 0.15 as self_pickup,
        case when weight = 1 and bi = 1 then 1 when weight = 2 and bi <= ${LIGHT_PEOPLE + 1} then bi
          else least(${dubers}, ${LIGHT_PEOPLE + 2} + floor(${dubers} * bench.chance(k, 18)))::int end as di
      from paired`,
    'create unique index on bench.plan (n)',
    'analyze bench.plan',
  ];
};

const ORDER_TABLE = `create table bench.orders as
    select p.n, bench.thing(2, p.n) as id, b.id as bud_id, s.id as scrub_id, d.id as duber_id, p.status, p.size, p.self_delivery,
      p.self_pickup, price.load, case when p.self_delivery then 0 else 599 end as pickup,
      case when p.self_pickup then 0 else 599 end as delivery, price.fee, price.taxes,
      jsonb_build_object('id', bench.thing(1, b.n), 'label', 'Default', 'address', b.i || ' Heron Street, City ' || b.city, 'latitude', b.latitude, 'longitude', b.longitude)
        as bud_address,
      jsonb_build_object('id', bench.thing(1, s.n), 'label', 'Default', 'address', s.i || ' Heron Street, City ' || s.city, 'latitude', s.latitude, 'longitude', s.longitude)
        as scrub_address, b.latitude as bud_latitude, b.longitude as bud_longitude, s.latitude, s.longitude,
      now() - interval '2 days' - interval '2 years' * (1 - p.n / (select max(n)::float8 from bench.plan)) as at
    from bench.plan p join bench.people b on b.role = 'Bud' and b.i = p.bi join bench.people s on s.role = 'Scrub' and s.i = p.si
      join bench.people d on d.role = 'Duber' and d.i = p.di
      cross join lateral (values ('Small', 500, 50, 44), ('Medium', 1250, 125, 110), ('Large', 2000, 200, 176))
        as price (size, load, fee, taxes)
    where price.size = p.size`;

/** The first delivery of an accepted order is pending. All other deliveries are delivered. */
const DELIVERY_TABLE = `create table bench.deliveries as
    select o.*, l.type, l.price as delivery_price, bench.thing(3, 2 * o.n + l.part) as delivery_id,
      case when o.status = 'Accepted' then 'Pending' else 'Delivered' end as delivery_status,
      case when l.part = 0 then o.bud_latitude else o.latitude end as from_latitude,
      case when l.part = 0 then o.bud_longitude else o.longitude end as from_longitude,
      o.at + interval '6 hours' + l.part * interval '1 day' as delivery_at
    from bench.orders o cross join lateral (values (0, 'Bud_To_Scrub', o.pickup), (1, 'Scrub_To_Bud', o.delivery))
      as l (part, type, price)
    where l.price > 0 and o.status <> 'Cancelled' and (l.part = 0 or o.status = 'Completed')`;

const ORDERS = [
  ORDER_TABLE,
  `insert into orders (id, bud_id, scrub_id, status, load_size, self_delivery, self_pickup, instructions, load_price,
      total_price, bud_address, scrub_address, distance_m, created_at,
      completed_at, holder_id)
    select id, bud_id, scrub_id, status, size, self_delivery, self_pickup, 'Cold wash, please.', load,
      load + pickup + delivery + fee + taxes, bud_address, scrub_address, 1234, at,
      case when status = 'Completed' then at + interval '1 day' end, bud_id from bench.orders order by n`,
  `insert into order_lines (order_id, item, cents, earner, is_taxed)
    select o.id, l.item, l.cents, l.earner, l.is_taxed from bench.orders o cross join lateral (values
      ('load', o.load, 'scrub', true), ('platform-fee', o.fee, 'platform', true), ('taxes', o.taxes, 'state', false),
      ('pickup', o.pickup, 'pickup-duber', false), ('delivery', o.delivery, 'delivery-duber', false)
    ) l (item, cents, earner, is_taxed) where l.cents > 0 order by o.n`,
  `insert into steps (subject_kind, subject_id, attempt, status, at, position, action, actor_role)
    select 'order', o.id, 1, s.status, o.at + s.position * interval '6 hours', s.position, a.action, a.role from bench.orders o join (values
      ('Accepted', 'Requested', 0), ('Accepted', 'Accepted', 1),
      ('In_Progress', 'Requested', 0), ('In_Progress', 'Accepted', 1), ('In_Progress', 'In_Progress', 2),
      ('Completed', 'Requested', 0), ('Completed', 'Accepted', 1), ('Completed', 'In_Progress', 2), ('Completed', 'Completed', 3),
      ('Cancelled', 'Requested', 0), ('Cancelled', 'Cancelled', 1)) as s (of, status, position) on s.of = o.status
      join (values ('Requested', 'place-order', 'Bud'), ('Accepted', 'accept-order', 'Scrub'), ('In_Progress', 'start-order', 'Scrub'),
        ('Completed', 'complete-order', 'Scrub'), ('Cancelled', 'cancel-order', 'Bud')) as a (status, action, role) on a.status = s.status
    order by o.n, s.position`,
  `insert into payments (order_id, bud_id, state, amount, square_id, created_at, updated_at)
    select id, bud_id, case when status = 'Cancelled' then 'voided' else 'captured' end,
      load + pickup + delivery + fee + taxes, 'bench-' || n, at, at from bench.orders order by n`,
  DELIVERY_TABLE,
  `insert into deliveries (id, order_id, delivery_type, status, bud_id, scrub_id, duber_id, price, distance_m, pickup_latitude,
      pickup_longitude, pickup_band, created_at, delivered_at)
    select delivery_id, id, type, delivery_status, bud_id, scrub_id, case when delivery_status = 'Pending' then null else duber_id end,
      delivery_price, 1234, from_latitude, from_longitude, floor(from_latitude * 100)::int, delivery_at,
      case when delivery_status = 'Delivered' then delivery_at + interval '2 hours' end from bench.deliveries order by delivery_id`,
  `insert into steps (subject_kind, subject_id, attempt, status, at, position, action, actor_role)
    select 'delivery', delivery_id, 1, s.status, delivery_at + s.position * interval '24 minutes', s.position, s.action, s.role from bench.deliveries l join (values
      ('Pending', 0, 'open-delivery', 'System'), ('Accepted', 1, 'accept-delivery', 'Duber'), ('Way_To_Pick', 2, 'way-to-pickup', 'Duber'),
      ('Collected', 3, 'collected', 'Duber'), ('Way_To_Drop', 4, 'way-to-drop', 'Duber'), ('Delivered', 5, 'delivered', 'Duber'))
      as s (status, position, action, role) on l.delivery_status = 'Delivered' or s.position = 0
    order by delivery_id, s.position`,
];

const REVIEWS = [
  `insert into reviews (id, order_id, delivery_id, type, rating, message, from_user_id, to_user_id, created_at)
    select bench.thing(4, n), id, null, 'Bud_To_Scrub', 3 + (n % 3)::int, 'Clean, dry and folded, as it should be.', bud_id,
      scrub_id, at + interval '2 days' from bench.orders where status = 'Completed' and n % 2 = 0 order by n`,
  `update users u set rating_sum = r.sum, rating_count = r.count
    from (select to_user_id, sum(rating)::int as sum, count(*)::int as count from reviews group by 1) r
    where r.to_user_id = u.id`,
];

const LEDGER = [
  `insert into ledger_entries (kind, order_id, at, written_in) select 'captured', id, at, pg_current_xact_id()
    from bench.orders where status <> 'Cancelled' order by n`,
  `insert into ledger_entries (kind, order_id, at, written_in) select 'completed', id, at + interval '1 day',
    pg_current_xact_id() from bench.orders where status = 'Completed' order by n`,
  `insert into ledger_entries (kind, order_id, delivery_id, at, written_in) select 'delivered', id, delivery_id,
    delivery_at + interval '2 hours', pg_current_xact_id() from bench.deliveries where delivery_status = 'Delivered' order by delivery_id`,
  `insert into ledger_lines (entry_id, position, account, party, amount, kind, at)
    select e.id, l.position, l.account, l.party, l.amount, e.kind, e.at from ledger_entries e
      left join bench.orders b on b.id = e.order_id left join orders o on o.id = e.order_id left join deliveries d on d.id = e.delivery_id
      cross join lateral (values
        ('captured', 0, 'card-clearing', o.bud_id, o.total_price), ('captured', 1, 'unearned', null, -o.total_price),
        ('completed', 0, 'unearned', null, b.load + b.fee + b.taxes),
        ('completed', 1, 'scrub', o.scrub_id, -b.load), ('completed', 2, 'platform-revenue', null, -b.fee),
        ('completed', 3, 'taxes-payable', null, -b.taxes),
        ('delivered', 0, 'unearned', null, d.price), ('delivered', 1, 'duber', d.duber_id, -d.price)
      ) as l (kind, position, account, party, amount) where l.kind = e.kind order by e.id, l.position`,
  // Marks future payouts as done, so that none runs during a measurement.
  `insert into payout_runs (period_end, finished_at) select date_trunc('week', now() at time zone 'UTC') at time zone 'UTC'
    + k * interval '1 week', now() from generate_series(-1, 520) k on conflict do nothing`,
];

/** The statements that fill an empty database, in order. Run them with triggers and foreign keys switched off. */
export function fillParts(people: number): readonly (readonly [name: string, statements: readonly string[]])[] {
  const crowd = countPeople(people);
  return [
    ['people', [...FUNCTIONS, ...cities(crowd), ...PEOPLE]],
    ['orders', [...orderPlan(crowd), ...ORDERS]],
    ['reviews and ledger', [...REVIEWS, ...LEDGER]],
  ];
}

/** The statements that make only the people, their orders and the deliveries, in the schema `bench` of any database. */
export function worldTables(people: number): readonly string[] {
  const crowd = countPeople(people);
  return [...FUNCTIONS, ...cities(crowd), ...orderPlan(crowd), ORDER_TABLE, DELIVERY_TABLE];
}
