import { type Kysely, sql } from 'kysely';

const ACCOUNTS = `
create table users (
  id uuid primary key,
  fullname text not null,
  email text not null,
  email_key text not null constraint users_email_key unique,
  phone text,
  role text not null check (role in ('Bud', 'Scrub', 'Duber')),
  is_active boolean not null default true,
  password_hash text not null,
  rating_sum integer not null default 0,
  rating_count integer not null default 0,
  created_at timestamptz not null
);

create table sessions (
  token_hash bytea primary key,
  user_id uuid not null references users,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
create index sessions_of_user on sessions (user_id);

-- One row an e-mail address that a code was asked for, whether or not it has an account.
create table email_codes (
  email_key text primary key,
  code_hash bytea,
  expires_at timestamptz not null,
  tries_left integer not null,
  sent_at timestamptz not null,
  window_from timestamptz not null,
  sent_in_window integer not null
);

-- One row an e-mail address that a sign-in failed for, whether or not it has an account.
create table sign_in_failures (
  email_key text primary key,
  failures integer not null,
  blocked_until timestamptz not null
);

create table reset_links (
  -- One a person: a newer link ends the older one.
  user_id uuid primary key references users,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  -- Emptied when the mail has left: a code or a link is nobody's business after that.
  text text,
  html text,
  created_at timestamptz not null,
  due_at timestamptz not null,
  tries integer not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz
);
create index mails_due on mails (due_at) where sent_at is null and given_up_at is null;
`;

const PLACES = `
create table addresses (
  id uuid primary key,
  user_id uuid not null references users,
  label text not null,
  address text not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  created_at timestamptz not null
);
create index addresses_of_user on addresses (user_id, created_at, id);

-- A Scrub's first address and visibility, kept beside each other for the nearby search.
create table scrub_places (
  scrub_id uuid primary key references users,
  address text not null,
  latitude double precision not null,
  longitude double precision not null,
  band integer not null,
  active boolean not null
);
create index scrub_places_nearby on scrub_places (band, longitude) include (latitude, scrub_id) where active;
`;

const ORDERS = `
create table orders (
  id uuid primary key,
  bud_id uuid not null references users,
  scrub_id uuid not null references users,
  status text not null check (status in ('Requested', 'Accepted', 'In_Progress', 'Completed', 'Cancelled', 'Rejected')),
  load_size text not null check (load_size in ('Small', 'Medium', 'Large')),
  self_delivery boolean not null,
  self_pickup boolean not null,
  instructions text,
  load_price integer not null check (load_price >= 0),
  pickup_price integer not null check (pickup_price >= 0),
  delivery_price integer not null check (delivery_price >= 0),
  platform_fee integer not null check (platform_fee >= 0),
  taxes integer not null check (taxes >= 0),
  total_price integer not null,
  bud_address jsonb not null,
  scrub_address jsonb not null,
  distance_m integer not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint orders_total check (total_price = load_price + pickup_price + delivery_price + platform_fee + taxes)
);
create index orders_of_bud on orders (bud_id, created_at desc, id desc);
create index orders_of_scrub on orders (scrub_id, created_at desc, id desc);
create index orders_requested on orders (created_at) where status = 'Requested';

create table order_steps (
  order_id uuid not null references orders,
  status text not null,
  created_at timestamptz not null,
  position integer not null,
  primary key (order_id, position),
  constraint order_steps_once unique (order_id, status)
);

create table deliveries (
  id uuid primary key,
  order_id uuid not null references orders,
  delivery_type text not null check (delivery_type in ('Bud_To_Scrub', 'Scrub_To_Bud')),
  status text not null
    check (status in ('Pending', 'Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Delivered')),
  bud_id uuid not null references users,
  scrub_id uuid not null references users,
  duber_id uuid references users,
  price integer not null check (price >= 0),
  distance_m integer not null,
  pickup_latitude double precision not null,
  pickup_longitude double precision not null,
  pickup_band integer not null,
  created_at timestamptz not null,
  delivered_at timestamptz,
  constraint deliveries_leg_once unique (order_id, delivery_type),
  constraint deliveries_have_a_duber check ((status = 'Pending') = (duber_id is null))
);
create unique index deliveries_one_active on deliveries (duber_id) where status not in ('Pending', 'Delivered');
create index deliveries_of_bud on deliveries (bud_id, created_at desc, id desc);
create index deliveries_of_scrub on deliveries (scrub_id, created_at desc, id desc);
create index deliveries_of_duber on deliveries (duber_id, created_at desc, id desc);
create index deliveries_nearby on deliveries (pickup_band, pickup_longitude) where status = 'Pending';

create table delivery_steps (
  delivery_id uuid not null references deliveries,
  status text not null,
  created_at timestamptz not null,
  position integer not null,
  primary key (delivery_id, position),
  constraint delivery_steps_once unique (delivery_id, status)
);

create table reviews (
  id uuid primary key,
  order_id uuid not null references orders,
  delivery_id uuid references deliveries,
  type text not null check (type in ('Bud_To_Scrub', 'Scrub_To_Bud', 'Bud_To_Duber', 'Scrub_To_Duber')),
  rating integer not null check (rating between 1 and 5),
  message text not null,
  from_user_id uuid not null references users,
  to_user_id uuid not null references users,
  created_at timestamptz not null,
  constraint reviews_about check ((delivery_id is not null) = (type in ('Bud_To_Duber', 'Scrub_To_Duber')))
);
create unique index reviews_once_an_order on reviews (order_id, type) where delivery_id is null;
create unique index reviews_once_a_delivery on reviews (delivery_id, type) where delivery_id is not null;
`;

const PAYMENTS = `
-- The intent is written here before the card network is called, under the id that the order will have.
create table payments (
  order_id uuid primary key,
  bud_id uuid not null references users,
  state text not null check (state in
    ('holding', 'held', 'capturing', 'captured', 'voiding', 'voided', 'declined', 'stuck')),
  amount integer not null check (amount > 0),
  -- What is to become the order once the hold is there; null afterwards.
  draft jsonb,
  source_id text,
  verification_token text,
  idempotency_key text,
  body_hash bytea,
  square_id text,
  version_token text,
  card_brand text,
  card_last4 text,
  refunded integer not null default 0,
  failure text,
  tries integer not null default 0,
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index payments_idempotency on payments (bud_id, idempotency_key) where idempotency_key is not null;
create index payments_due on payments (due_at) where due_at is not null;
create index payments_captured on payments (bud_id) where state = 'captured';
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const script of [ACCOUNTS, PLACES, ORDERS, PAYMENTS]) {
    for (const statement of script.split(/;\s*\n/)) {
      if (statement.trim() !== '') await sql.raw(statement).execute(db);
    }
  }
}
