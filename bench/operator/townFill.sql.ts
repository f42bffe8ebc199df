import { PERMISSIONS } from '../../domain/operators.ts';

/**
 * A town with a million orders, as the console of operators searches it: 300,000 people with names that some share with
 * thousands and some with nobody. Random values are hashes of the row's number, so the same size always gives the same data.
 */

export const ORDERS = 1_000_000;
const BUDS = 285_000;
const SCRUBS = 5_000;
const DUBERS = 10_000;
const PEOPLE = BUDS + SCRUBS + DUBERS;
/** Orders that are not over. */
const UNDER_WAY = 3_000;

const FIRST_NAMES =
  'Mary James Maria John Linda Robert Patricia Michael Anna David Sofia William Fatima Jose Elena Ahmed Susan Thomas Karen Wei Nancy Carlos Lisa Daniel Betty Mohammed Sandra Paul Ashley Mark Emily Luis Donna Kevin Michelle Omar Carol Brian Amanda George Ines Pavel Yuki Aisha Bruno Chloe Dmitri Esme Farid Greta Hugo Ilse Jonas Kofi Lena Marek Nadia Otto Petra Quentin Rosa Sven Tomas Ulla Viktor Wanda Xenia Yusuf Zelda Ambrose';
const LAST_NAMES =
  'Smith Johnson Garcia Brown Jones Miller Davis Martinez Lopez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Kowalski Nakamura Okafor Lindqvist';
const SYLLABLES = 'bar den fel gor hal kin lam mor nev pol ras sil tor und vel wes yar zin cro dru';
const STREETS =
  'Main Oak Maple Heron Cedar Elm Washington Lake Hill Park Pine River Church Spring Mill Walnut Sunset Highland Jefferson Franklin Adams Meadow Forest Ridge Orchard';
const TYPES = 'Street Avenue Road Lane Court';
const CITIES = 'Mason Ashford Brookfield Clinton Dover Eastport Fairview Georgetown';

const words = (text: string) => `array['${text.replaceAll(' ', "','")}']`;
/** A word of a list: the first ones are drawn far more often than the last. */
const drawn = (list: string, salt: number) =>
  `(${words(list)})[1 + floor(power(bench.chance(n, ${salt}), 2.5) * ${list.split(' ').length})::int]`;
const even = (list: string, salt: number) =>
  `(${words(list)})[1 + floor(bench.chance(n, ${salt}) * ${list.split(' ').length})::int]`;
const rareName = `initcap(${[21, 22, 23].map((salt) => even(SYLLABLES, salt)).join(' || ')})`;

const FUNCTIONS = [
  'drop schema if exists bench cascade',
  'create schema bench',
  `create function bench.id(kind int, n bigint) returns uuid language sql immutable parallel safe as $$
    select ('0193' || lpad(to_hex(n / 65536), 4, '0') || '-' || lpad(to_hex(n % 65536), 4, '0') || '-7' || kind || '00-8000-'
      || lpad(to_hex((n * 2654435761) & 281474976710655), 12, '0'))::uuid $$`,
  `create function bench.chance(n bigint, salt int) returns float8 language sql immutable parallel safe as $$
    select (hashint8extended(n, salt) & 1073741823) / 1073741824.0::float8 $$`,
  // The letters of a bag's code, without those that look alike.
  `create function bench.code(n bigint) returns text language sql immutable parallel safe as $$
    select string_agg(substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', 1 + ((n * 387420489 % 1073741824) >> (5 * i))::int % 32, 1), '')
      from generate_series(0, 5) i $$`,
];

const PEOPLE_PARTS = [
  `create table bench.people as
    select n, bench.id(1, n) as id, case when n <= ${BUDS} then 'Bud' when n <= ${BUDS + SCRUBS} then 'Scrub' else 'Duber' end as role,
      ${drawn(FIRST_NAMES, 1)} as first,
      case when bench.chance(n, 2) < 0.6 then ${drawn(LAST_NAMES, 3)} else ${rareName} end as last,
      (1 + floor(bench.chance(n, 4) * 9800))::int || ' ' || ${drawn(STREETS, 5)} || ' ' || ${even(TYPES, 6)} || ', ' || ${drawn(CITIES, 7)} as address,
      40 + bench.chance(n, 8) / 5 as latitude, -74 + bench.chance(n, 9) / 5 as longitude
    from generate_series(1, ${PEOPLE}) n`,
  'create unique index on bench.people (n)',
  'analyze bench.people',
  `insert into users (id, fullname, email, email_key, phone, role, password_hash, created_at)
    select id, first || ' ' || last, mail, mail, '+1' || (2000000000 + floor(bench.chance(n, 10) * 7999999999))::bigint, role, 'none',
      now() - interval '2 years' * (1 - n / ${PEOPLE}.0)
    from (select *, lower(first || '.' || last) || n || '@' || ${even('mail post inbox web', 11)} || '.test' as mail from bench.people) p order by n`,
  `insert into addresses (id, user_id, label, address, latitude, longitude, created_at)
    select bench.id(2, n), id, 'Home', address, latitude, longitude, now() - interval '2 years' from bench.people order by n`,
  `insert into scrub_places (scrub_id, address, latitude, longitude, band, active)
    select id, address, latitude, longitude, floor(latitude * 100)::int, true from bench.people where role = 'Scrub'`,
];

const ORDER_PARTS = [
  // Some people order every week, and most a few times.
  `create table bench.orders as
    select k as n, bench.id(3, k) as id, b.id as bud_id, s.id as scrub_id, d.id as duber_id,
      case when k > ${ORDERS - UNDER_WAY} then (array['Requested', 'Accepted', 'In_Progress'])[1 + k % 3]
        when bench.chance(k, 31) < 0.05 then 'Cancelled' else 'Completed' end as status,
      jsonb_build_object('address', b.address, 'latitude', b.latitude, 'longitude', b.longitude) as bud_address,
      jsonb_build_object('address', s.address, 'latitude', s.latitude, 'longitude', s.longitude) as scrub_address,
      b.latitude, b.longitude, now() - interval '2 years' * (1 - k / ${ORDERS}.0) as at
    from generate_series(1, ${ORDERS}) k
      join bench.people b on b.n = 1 + floor(power(bench.chance(k, 32), 1.5) * ${BUDS})::int
      join bench.people s on s.n = ${BUDS} + 1 + floor(power(bench.chance(k, 33), 2) * ${SCRUBS})::int
      -- No Duber has two at once.
      join bench.people d on d.n = ${BUDS + SCRUBS} + 1 + k % ${DUBERS}`,
  `insert into orders (id, bud_id, scrub_id, status, load_size, self_delivery, self_pickup, load_price, total_price,
      bud_address, scrub_address, distance_m, created_at, completed_at, holder_id, number)
    select id, bud_id, scrub_id, status, 'Medium', false, true, 1250, 2084, bud_address, scrub_address, 1234, at,
      case when status = 'Completed' then at + interval '1 day' end, bud_id, 1000 + n from bench.orders order by n`,
  `insert into order_lines (order_id, item, cents, earner, is_taxed)
    select o.id, l.* from bench.orders o cross join (values ('load', 1250, 'scrub', true), ('platform-fee', 125, 'platform', true),
      ('taxes', 110, 'state', false), ('pickup', 599, 'pickup-duber', false)) l (item, cents, earner, is_taxed) order by o.n`,
  `select setval('order_numbers', ${ORDERS + 2000})`,
  `insert into steps (subject_kind, subject_id, attempt, status, at, position, action, actor_role)
    select 'order', id, 1, 'Requested', at, 0, 'place-order', 'Bud' from bench.orders where n > ${ORDERS - UNDER_WAY}`,
  `insert into payments (order_id, bud_id, state, amount, square_id, card_brand, card_last4, created_at, updated_at)
    select id, bud_id, case when status = 'Cancelled' then 'voided' else 'captured' end, 2084, 'bench-payment-' || n, 'VISA',
      lpad(floor(bench.chance(n, 34) * 10000)::int::text, 4, '0'), at, at from bench.orders order by n`,
  `insert into bags (code, order_id, n, made_by, made_at)
    select bench.code(n), id, 1, scrub_id, at from bench.orders where n % 2 = 0 order by n on conflict do nothing`,
  `create table bench.deliveries as
    select *, bench.id(4, n) as delivery_id, case when n <= ${ORDERS - UNDER_WAY} then 'Delivered' when n % 2 = 0 then 'Pending' else 'Way_To_Pick' end
      as delivery_status from bench.orders where status not in ('Cancelled', 'Requested')`,
  `insert into deliveries (id, order_id, delivery_type, status, bud_id, scrub_id, duber_id, price, distance_m, pickup_latitude,
      pickup_longitude, pickup_band, created_at, delivered_at)
    select delivery_id, id, 'Bud_To_Scrub', delivery_status, bud_id, scrub_id, case when delivery_status <> 'Pending' then duber_id end, 599, 1234,
      latitude, longitude, floor(latitude * 100)::int, at, case when delivery_status = 'Delivered' then at + interval '2 hours' end
    from bench.deliveries order by n`,
  `insert into steps (subject_kind, subject_id, attempt, status, at, position, action, actor_role)
    select 'delivery', delivery_id, 1, delivery_status, at, 0, 'open-delivery', 'System' from bench.deliveries where delivery_status <> 'Delivered'`,
];

const TOWN_PARTS = [
  `insert into cases (id, kind, order_id, opened_by, about_user, about_role, status, priority, created_at)
    select bench.id(5, n), 'claim', id, bud_id, scrub_id, 'Scrub', case when n % 1000 = 0 then 'with-town' else 'closed' end,
      'normal', at from bench.orders where n % 50 = 0`,
  `insert into operators (id, fullname, email, email_key, password_hash, is_demo, created_at)
    select bench.id(6, n), 'Operator ' || n, 'o' || n || '@bench.test', 'o' || n || '@bench.test', 'none', false, now()
    from generate_series(1, 10) n`,
  `insert into operator_caps (operator_id, cap, given_at)
    select id, cap, now() from operators cross join unnest(array['${PERMISSIONS.join("','")}']) cap`,
  `insert into audit (id, at, operator_id, operator_name, action, subject_kind, subject_id, reason, details, hash)
    select n, now() - interval '1 year' * (1 - n / 200000.0), bench.id(6, 1 + n % 10), 'Operator ' || 1 + n % 10, 'closeCase', 'order',
      bench.id(3, n * 5)::text, 'They have telephoned about bag ' || bench.code(n), '{}', sha256(n::text::bytea)
    from generate_series(1, 200000) n`,
  `update audit_head set id = 200000`,
];

/** The statements that fill an empty database, in order. Run them with triggers and foreign keys switched off. */
export const TOWN_PARTS_IN_ORDER: readonly (readonly [name: string, statements: readonly string[]])[] = [
  ['people', [...FUNCTIONS, ...PEOPLE_PARTS]],
  ['orders', ORDER_PARTS],
  ['cases and audit', TOWN_PARTS],
];
