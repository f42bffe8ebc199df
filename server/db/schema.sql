-- Every table of the product, from top to bottom.
--
-- Until 1.0 this file is edited in place: raise the number of its version with every change, run `npm run schema`, and add what the change means
-- for backups to scripts/convertBackup.ts. Data moves to another schema by backup and restore (docs/operating.md).
--
-- Amounts are cents, distances meters, times UTC. An index that keeps a promise is unique; the others say in their name what they
-- find.

-- Which version of this file the database has.
create table schema_version (
  one_row boolean primary key default true check (one_row),
  number integer not null
);
insert into schema_version (number) values (8);

-- People and how they sign in -------------------------------------------------------------------------

-- Accounts of Buds, Scrubs and Dubers.
create table users (
  id uuid primary key,
  fullname text not null,
  email text not null,
  -- The address as it is compared: see domain/accounts.ts.
  email_key text not null,
  phone text,
  role text not null check (role in ('Bud', 'Scrub', 'Duber')),
  is_active boolean not null default true,
  password_hash text not null,
  rating_sum integer not null default 0,
  rating_count integer not null default 0,
  created_at timestamptz not null,
  constraint users_email_key unique (email_key)
);
create index users_by_email on users (email_key text_pattern_ops);
create index users_by_id_end on users (right(id::text, 8));
create index users_by_name on users using gin (to_tsvector('simple', fullname)) with (fastupdate=off);
create index users_by_name_start on users (lower(fullname) text_pattern_ops);
create index users_by_phone on users (reverse(phone) text_pattern_ops) where phone is not null;
create index users_by_role on users (role, id);

create table sessions (
  token_hash bytea primary key,
  user_id uuid not null references users,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- The address that limits count: an IPv4 address, or the /64 of an IPv6 address.
  network text,
  -- For people to read: 'Firefox on Android'.
  browser text,
  -- The digest of the random id that the browser keeps, if it sent one.
  device bytea
);
create index sessions_of_user on sessions (user_id);

-- The devices, networks, and browsers in a network, from which a user has signed in with the right password or code.
create table known_devices (
  user_id uuid not null references users,
  kind text not null,
  -- The hexadecimal digest of a device's id, a network, or 'Firefox on Android in 203.0.113.9'.
  value text not null,
  last_seen_at timestamptz not null,
  primary key (user_id, kind, value),
  constraint known_devices_kind check (kind in ('device', 'network', 'browser'))
);

-- Wrong passwords for an e-mail address, by where they came from.
create table sign_in_attempts (
  email_key text not null,
  -- 'network …' (an address, a /64 or a /48), 'device …', or 'all' for all networks that the account does not know.
  origin text not null,
  failures integer not null,
  blocked_until timestamptz not null,
  primary key (email_key, origin)
);

create table email_codes (
  email_key text primary key,
  code_hash bytea,
  expires_at timestamptz not null,
  tries_left integer not null,
  sent_at timestamptz not null,
  window_from timestamptz not null,
  sent_in_window integer not null
);

-- A change of the address that waits for the codes of both mailboxes.
create table email_changes (
  user_id uuid primary key references users,
  new_email text not null,
  new_email_key text not null,
  -- Digests of the codes that were mailed to the current and the new address. Null once they are used.
  old_code_hash bytea,
  new_code_hash bytea,
  expires_at timestamptz not null,
  tries_left integer not null,
  sent_at timestamptz not null,
  -- When the count of the mails began, and how many were sent since.
  window_from timestamptz not null,
  sent_in_window integer not null
);

create table reset_requests (
  id uuid primary key,
  email_key text not null,
  asked_at timestamptz not null,
  network text,
  -- The hexadecimal digest of the device's id.
  device text
);
create index reset_requests_in_order on reset_requests (asked_at, id);

create table reset_links (
  -- One for each person: a newer link ends the earlier link.
  user_id uuid primary key references users,
  token_hash bytea unique not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Counts of requests that all servers share.
create table rate_limits (
  kind text not null,
  network text not null,
  ends_at timestamptz not null,
  count integer not null,
  primary key (kind, network)
);

-- Operators -------------------------------------------------------------------------------------------

-- Operators have accounts of their own: no query about people finds an operator, and nobody signs up as an operator.
create table operators (
  id uuid primary key,
  fullname text not null,
  email text not null,
  email_key text unique not null,
  password_hash text not null,
  -- Signs in without a second factor, and only while the demo is on.
  is_demo boolean not null default false,
  created_at timestamptz not null,
  -- An operator who has left. What they did stays under their name.
  ended_at timestamptz
);

create table operator_caps (
  operator_id uuid not null references operators,
  cap text not null check (cap in ('see', 'help', 'dispatch', 'money', 'prices', 'messages', 'admin')),
  given_at timestamptz not null,
  primary key (operator_id, cap)
);

create table operator_invitations (
  token_hash bytea primary key,
  -- Null: for anyone who has the link. The first operator of an installation has such a link.
  email text,
  caps text[] not null,
  -- Set for an operator who exists, and gets a new password and a new second factor.
  operator_id uuid references operators,
  -- Who asked for it. It ends when they leave.
  invited_by uuid references operators,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table operator_sessions (
  token_hash bytea primary key,
  operator_id uuid not null references operators,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- When a code of the second factor was entered last.
  code_at timestamptz not null,
  network text not null,
  browser text not null,
  -- The row stays for a while, so that its browser is known.
  ended_at timestamptz
);
create index operator_sessions_of_operator on operator_sessions (operator_id);

-- A second factor of an operator besides the authenticator app.
create table passkeys (
  id uuid primary key,
  operator_id uuid not null references operators,
  -- In base64url, as browsers send it.
  credential_id text unique not null,
  -- A public key reveals nothing, so it is not encrypted.
  public_key bytea not null,
  -- How often the authenticator has used it; 0 for ever when it does not count.
  counter bigint not null,
  transports text[] not null,
  -- The host name that it was made for.
  site text not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_operator on passkeys (operator_id);

-- What a browser is asked to sign. The row goes with the answer: each is used once.
create table passkey_challenges (
  challenge_hash bytea primary key,
  operator_id uuid not null references operators,
  purpose text not null check (purpose in ('add', 'sign-in', 'step-up')),
  expires_at timestamptz not null
);
create index passkey_challenges_of_operator on passkey_challenges (operator_id);

create table second_factors (
  operator_id uuid primary key references operators,
  -- The secret of the authenticator app, encrypted with the installation's key.
  sealed_secret bytea not null,
  -- The time step of the last code: each code is used once.
  last_step integer not null default 0,
  added_at timestamptz not null
);

create table approvals (
  id uuid primary key,
  action text not null,
  subject_kind text not null,
  subject_id text,
  params jsonb not null,
  body jsonb not null,
  cents integer,
  reason text not null,
  asked_by uuid not null references operators,
  asked_at timestamptz not null,
  status text not null check (status in ('waiting', 'approved', 'declined', 'withdrawn', 'expired')),
  decided_by uuid references operators,
  decided_at timestamptz,
  words text,
  -- Of the link that stops it, in a town with one operator.
  stop_hash bytea,
  -- The mail with that link. Nothing happens by itself before it was sent.
  stop_mail uuid,
  -- Of the body without the reason: two requests about the whole town differ by it.
  body_hash bytea not null,
  -- What the second operator sees besides what was asked for.
  about jsonb,
  constraint approvals_decided check ((status = 'waiting') = (decided_at is null)),
  constraint approvals_two_people check (status <> 'approved' or decided_by <> asked_by or (decided_by is null and stop_hash is
    not null))
);
create index approvals_by_time on approvals (asked_at);
create unique index approvals_one_waiting on approvals (action, subject_kind, coalesce(subject_id, encode(body_hash, 'hex')),
  params) where status = 'waiting';
create index approvals_stopped_by on approvals (stop_hash) where status = 'waiting';

create function audit_keep() returns trigger language plpgsql as $$
begin
  -- The texts of a row about a person who is erased move into its column `sealed`.
  if tg_op = 'UPDATE' and coalesce(current_setting('rubadub.is_erasing', true), '') = 'on' then return null; end if;
  raise exception 'the rows of the audit are never changed' using errcode = '23514';
end $$;

-- What operators did. Each row has a hash over itself and the row before.
create table audit (
  -- 1, 2, 3 ...: no number is missing.
  id bigint primary key,
  at timestamptz not null,
  operator_id uuid references operators,
  operator_name text not null,
  action text not null,
  subject_kind text not null,
  subject_id text,
  reason text not null,
  cents integer,
  -- Texts, so that their hash stays the same.
  details text not null,
  request_id text,
  approved_by uuid references operators,
  approved_by_name text,
  approval_id uuid,
  -- Over this row and the hash of the row before it.
  hash bytea not null,
  -- The reason and the details, encrypted with the installation's key, once the person whom the row is about is erased.
  sealed bytea
);
create index audit_of_action on audit (action, id);
create index audit_of_money on audit (operator_id, at) where cents is not null and approved_by_name is null;
create index audit_of_operator on audit (operator_id, id);
create index audit_of_subject on audit (subject_id, id) where subject_id is not null;
create trigger audit_keep before delete or update or truncate on audit for each statement execute function audit_keep();

-- A restore fills the row again.
create function audit_head_keep() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('rubadub.is_restoring', true), '') = 'on' then return null; end if;
  raise exception 'the end of the audit is never removed' using errcode = '23514';
end $$;

-- The end of the audit: a row that is removed from the end would be missed.
create table audit_head (
  one_row boolean primary key default true check (one_row),
  id bigint not null,
  hash bytea not null
);
create trigger audit_head_keep before delete or truncate on audit_head for each statement execute function audit_head_keep();

-- What keeps people from something for a while. A hold counts until it is lifted, so that nobody has to look at a clock.
create table suspensions (
  id uuid primary key,
  user_id uuid not null references users,
  reason text not null,
  status text not null check (status in ('suspended', 'lifted', 'ended')),
  from_at timestamptz not null,
  -- It ends by itself then.
  until_at timestamptz not null,
  set_by uuid not null references operators,
  ended_at timestamptz,
  ended_by uuid references operators,
  constraint suspensions_ended check ((status = 'suspended') = (ended_at is null))
);
create index suspensions_of_person on suspensions (user_id, from_at);
create unique index suspensions_one_now on suspensions (user_id) where status = 'suspended';

create table holds (
  id uuid primary key,
  user_id uuid not null references users,
  kind text not null check (kind in ('sign-in', 'new-work', 'payout')),
  reason text not null,
  -- Holds of a suspension are lifted together.
  suspension_id uuid references suspensions,
  from_at timestamptz not null,
  set_by uuid references operators,
  lifted_at timestamptz,
  -- Null when a suspension has ended by itself.
  lifted_by uuid references operators,
  -- Those of admission are the server's: they are lifted by admitting, and not by hand.
  of_admission boolean not null default false,
  -- That of an account which is going to be erased: it is lifted when its owner keeps the account.
  of_erasure boolean not null default false,
  constraint holds_set check (of_admission or of_erasure or set_by is not null)
);
create index holds_now on holds (user_id, kind) where lifted_at is null;
create index holds_of_person on holds (user_id, from_at);
create unique index holds_one_of_admission on holds (user_id) where lifted_at is null and of_admission;
create unique index holds_one_of_erasure on holds (user_id) where lifted_at is null and of_erasure;
create unique index holds_one_of_kind on holds (user_id, kind) where lifted_at is null and suspension_id is null and (not
  of_admission) and (not of_erasure);

-- The accounts whose owners asked to be erased. The row stays, so that a restored backup can be erased again.
create table erasures (
  -- The person.
  id uuid primary key references users,
  status text not null check (status in ('active', 'cooling', 'erased', 'forgotten')),
  -- When the status began.
  since timestamptz not null,
  -- Counts the steps: a timer of an earlier one is none.
  step integer not null,
  asked_at timestamptz not null,
  -- An operator, on a letter of the person. Null when the person asked.
  asked_by uuid references operators,
  -- When the account is erased, unless its owner keeps it.
  due_at timestamptz not null,
  -- What the law keeps: the name and the contacts that belong to receipts, encrypted with the installation's key.
  sealed bytea,
  constraint erasures_sealed check (sealed is null or status = 'erased')
);

-- Copies of the data of people, which they can download for a while. The row is deleted after that.
create table exports (
  id uuid primary key,
  user_id uuid unique not null references users,
  asked_at timestamptz not null,
  -- When it is made on. Null once it is ready or has failed.
  due_at timestamptz,
  tries integer not null default 0,
  ready_at timestamptz,
  failed_at timestamptz,
  constraint exports_due check ((due_at is null) = (ready_at is not null or failed_at is not null))
);
create index exports_due on exports (due_at) where due_at is not null;

-- The files of a copy, in the order in which they are in its archive.
create table export_files (
  export_id uuid not null references exports on delete cascade,
  position integer not null,
  name text not null,
  -- What the archive says of a file: see server/personal/zip.ts.
  crc bigint not null,
  bytes integer not null,
  content bytea not null,
  primary key (export_id, position)
);
alter table export_files alter column content set storage external;

-- The settings of the town ----------------------------------------------------------------------------

create table settings (
  id bigint generated always as identity primary key,
  name text not null,
  value jsonb not null,
  valid_from timestamptz not null,
  set_by text not null
);
create index settings_newest on settings (name, valid_from desc, id desc);

create function policies_keep() returns trigger language plpgsql as $$
begin
  raise exception 'a policy is never changed: add a newer row' using errcode = '23514';
end $$;

-- What an operator has decided for the whole installation. The newest row of a name that is valid by now applies.
create table policies (
  -- The later of two rows of the same instant applies.
  id bigint generated always as identity,
  name text not null,
  value text not null,
  valid_from timestamptz not null,
  set_by text not null,
  primary key (name, valid_from, id)
);
create trigger policies_keep before delete or update or truncate on policies for each statement execute function policies_keep();

create table prices (
  item text not null check (item in ('wash-and-fold', 'dry-cleaning', 'delicate', 'pickup', 'delivery', 'platform-fee', 'taxes',
    'tax-rounding', 'claim-garment', 'claim-order', 'size-XL', 'size-XXL', 'size-Family', 'next-day', 'same-day')),
  valid_from timestamptz not null,
  -- Cents (a pound, a delivery), or hundredths of a percent (platform-fee, taxes, next-day, same-day).
  value integer not null check (value >= 0),
  -- Tenths of a hundredth of a percent, for rates with three decimals.
  tenths integer not null default 0 check (tenths >= 0 and tenths <= 9),
  primary key (item, valid_from)
);

create table zones (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null
);

-- Where a zone is from a day of the town on. The newest row that is valid counts.
create table zone_areas (
  zone_id uuid not null references zones,
  valid_from timestamptz not null,
  -- A list of latitudes and longitudes. Null: from then on the zone does not hold.
  corners jsonb,
  set_by text not null,
  primary key (zone_id, valid_from)
);

create table zone_prices (
  zone_id uuid not null references zones,
  item text not null,
  valid_from timestamptz not null,
  -- As in prices. Null: from then on the price of the town.
  value integer check (value >= 0),
  tenths integer not null default 0 check (tenths >= 0 and tenths <= 9),
  primary key (zone_id, item, valid_from)
);

-- When the town, or one of its zones, takes no orders, whatever its hours are. The hours are a setting.
create table closures (
  id uuid primary key,
  -- Null: the whole town.
  zone_id uuid references zones,
  from_at timestamptz not null,
  until_at timestamptz not null,
  -- What people read who try to order.
  words text not null,
  added_by uuid not null references operators,
  added_at timestamptz not null,
  -- From then on it does not hold. The row stays as its history.
  taken_back_at timestamptz,
  taken_back_by uuid references operators,
  constraint closures_span check (from_at < until_at),
  constraint closures_taken_back check ((taken_back_at is null) = (taken_back_by is null))
);
create index closures_by_end on closures (until_at, id);

create table broadcasts (
  id uuid primary key,
  to_role text not null check (to_role in ('Bud', 'Scrub', 'Duber', 'everyone')),
  title text not null,
  words text not null,
  is_urgent boolean not null,
  sent_by uuid not null references operators,
  at timestamptz not null,
  -- How many it is for. Who signs up later does not get it.
  people integer not null,
  -- The last person that the messages are written for, in the order of their ids, and how many were before.
  last_user uuid,
  written integer not null default 0,
  -- When the messages to all of them were written.
  written_at timestamptz
);
create index broadcasts_by_time on broadcasts (at);
create index broadcasts_waiting on broadcasts (at) where written_at is null;

-- What a town asks its workers for before they work, and what they have sent.
create table requirements (
  role text not null check (role in ('Scrub', 'Duber')),
  kind text not null check (kind in ('identity', 'licence', 'insurance', 'detergent-safety')),
  needed boolean not null,
  -- A document of this kind says until when it is valid, and counts so many days at most. Null: it is sent once.
  renew_days integer check (renew_days > 0),
  primary key (role, kind)
);

-- When the database was restored. The first start after that compares what the card network has since the backup.
create table restores (
  restored_at timestamptz primary key,
  -- When the comparison was begun.
  compared_at timestamptz
);

-- Keys of the installation that its servers share.
create table keys (
  name text primary key check (name in ('vapid', 'unsubscribe', 'record')),
  public_key text,
  secret text not null,
  created_at timestamptz not null
);

-- Places ----------------------------------------------------------------------------------------------

create table addresses (
  id uuid primary key,
  user_id uuid not null references users,
  label text not null,
  address text not null,
  latitude float8 not null check (latitude >= -90 and latitude <= 90),
  longitude float8 not null check (longitude >= -180 and longitude <= 180),
  created_at timestamptz not null
);
create index addresses_by_words on addresses using gin (to_tsvector('simple', address)) with (fastupdate=off);
create index addresses_of_user on addresses (user_id, created_at, id);

create table scrub_places (
  scrub_id uuid primary key references users,
  address text not null,
  latitude float8 not null,
  longitude float8 not null,
  band integer not null,
  active boolean not null
);
create index scrub_places_nearby on scrub_places (band, longitude) include (latitude, scrub_id) where active;

create table duber_places (
  duber_id uuid primary key references users,
  latitude float8 not null,
  longitude float8 not null,
  band integer not null,
  -- Where the Duber was at sign-up or after the last long move.
  home_latitude float8,
  home_longitude float8,
  -- How many long moves there were since moves_since.
  moves integer not null default 0,
  moves_since timestamptz
);
create index duber_places_nearby on duber_places (band, longitude) include (latitude, duber_id);

-- Files -----------------------------------------------------------------------------------------------

-- `sent` and `request_key` recognize a repeated request. Until `kept_at` the content is still on its way to where it is kept.
create table files (
  id uuid primary key,
  owner_id uuid not null references users,
  sha256 bytea not null,
  bytes integer not null check (bytes > 0),
  type text not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  about_kind text check (about_kind in ('order', 'delivery', 'handover', 'case', 'weighing', 'document')),
  about_id uuid,
  sent bytea not null,
  request_key bytea unique,
  at timestamptz not null,
  kept_at timestamptz,
  gone_at timestamptz,
  constraint files_about check ((about_kind is null) = (about_id is null))
);
create index files_about_subject on files (about_kind, about_id) where about_id is not null;
create index files_to_erase on files (at) where about_id is not null and gone_at is null;
create index files_unused on files (at) where about_id is null;

-- The content is beside the rows, so that reading and erasing rows does not touch the content.
create table file_contents (
  file_id uuid primary key references files on delete cascade,
  content bytea not null
);
-- Photos are compressed already.
alter table file_contents alter column content set storage external;

-- Admissions ------------------------------------------------------------------------------------------

-- Made when the town asks for documents: at the sign-up then, and later for those who were there before.
create table admissions (
  -- The worker.
  id uuid primary key references users,
  role text not null check (role in ('Scrub', 'Duber')),
  status text not null check (status in ('new', 'waiting', 'asked', 'active', 'lapsed', 'refused')),
  -- When the status began.
  since timestamptz not null,
  -- Who worked before the town asked works on until then.
  works_until timestamptz,
  -- Counts the steps: a timer of an earlier one is none.
  step integer not null default 0,
  decided_by uuid references operators,
  decided_at timestamptz,
  -- When the town asked the worker last, and for which documents.
  asked_at timestamptz,
  asked_for text[]
);

-- How far the town has got with those who were there before it asked for documents, or no longer does.
create table admission_sweeps (
  one_row boolean primary key default true check (one_row),
  -- What the sweep makes true: since when the town asks, and for which documents.
  target text,
  begun_at timestamptz,
  -- The first pass is over everybody, and this is the last of them so far. Those after it look for who came meanwhile.
  is_first_pass boolean,
  last_of_pass uuid,
  -- The target that holds for everybody.
  done_target text
);

create table documents (
  id uuid primary key,
  user_id uuid not null references admissions,
  kind text not null check (kind in ('identity', 'licence', 'insurance', 'detergent-safety')),
  file_id uuid not null references files,
  state text not null check (state in ('waiting', 'accepted', 'asked-again', 'refused', 'expired', 'replaced')),
  -- As the worker has read it on the document: 2027-05-31.
  expires_on text check (expires_on ~ '^\d{4}-\d\d-\d\d$'),
  -- The last day on which it counts, once it is accepted. Null: for ever.
  last_day text check (last_day ~ '^\d{4}-\d\d-\d\d$'),
  sent_at timestamptz not null,
  decided_by uuid references operators,
  decided_at timestamptz,
  -- What the worker reads when it was sent back.
  why text,
  -- When its picture is erased; null while it is kept, and once it is erased.
  erase_at timestamptz,
  constraint documents_decided check (state in ('waiting', 'replaced') or decided_at is not null)
);
create index documents_of_person on documents (user_id, sent_at);
create unique index documents_one_accepted on documents (user_id, kind) where state = 'accepted';
create unique index documents_one_open on documents (user_id, kind) where state in ('waiting', 'asked-again');
create index documents_to_erase on documents (erase_at) where erase_at is not null;
create index documents_waiting on documents (sent_at) where state = 'waiting';

-- Orders ----------------------------------------------------------------------------------------------

-- Keeps a tally in the transaction that changes its rows. The rows of a tally are locked in one order everywhere, so that two
-- steps never wait for each other in a circle.
create function order_tallies_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into order_tallies as t (person_id, status, orders, total_price, load_price)
      select person_id, status, sum(orders), sum(total_price), sum(load_price) from (
        select p.person_id, r.status, 1 as orders, r.total_price::bigint as total_price,
            r.load_price::bigint as load_price
          from added r cross join lateral (values (r.bud_id), (r.scrub_id)) p (person_id)) c
      group by person_id, status having sum(orders) <> 0 or sum(total_price) <> 0 or sum(load_price) <> 0
      order by person_id, status
      on conflict (person_id, status) do update set orders = t.orders + excluded.orders,
        total_price = t.total_price + excluded.total_price,
        load_price = t.load_price + excluded.load_price;
  elsif tg_op = 'UPDATE' then
    insert into order_tallies as t (person_id, status, orders, total_price, load_price)
      select person_id, status, sum(orders), sum(total_price), sum(load_price) from (
        select p.person_id, r.status, -1 as orders, -r.total_price::bigint as total_price,
            -r.load_price::bigint as load_price
          from gone r cross join lateral (values (r.bud_id), (r.scrub_id)) p (person_id)
        union all select p.person_id, r.status, 1 as orders, r.total_price::bigint as total_price,
            r.load_price::bigint as load_price
          from added r cross join lateral (values (r.bud_id), (r.scrub_id)) p (person_id)) c
      group by person_id, status having sum(orders) <> 0 or sum(total_price) <> 0 or sum(load_price) <> 0
      order by person_id, status
      on conflict (person_id, status) do update set orders = t.orders + excluded.orders,
        total_price = t.total_price + excluded.total_price,
        load_price = t.load_price + excluded.load_price;
  else
    insert into order_tallies as t (person_id, status, orders, total_price, load_price)
      select person_id, status, sum(orders), sum(total_price), sum(load_price) from (
        select p.person_id, r.status, -1 as orders, -r.total_price::bigint as total_price,
            -r.load_price::bigint as load_price
          from gone r cross join lateral (values (r.bud_id), (r.scrub_id)) p (person_id)) c
      group by person_id, status having sum(orders) <> 0 or sum(total_price) <> 0 or sum(load_price) <> 0
      order by person_id, status
      on conflict (person_id, status) do update set orders = t.orders + excluded.orders,
        total_price = t.total_price + excluded.total_price,
        load_price = t.load_price + excluded.load_price;
  end if;
  return null;
end $$;

-- A statement that takes work sees the holds from before the statement began. So the last word is here: whoever sets a hold locks
-- the person, and this function waits for them and looks again. A restored row is no new work.
create function work_keep_held() returns trigger language plpgsql as $$
declare
  bud uuid;
  worker uuid;
begin
  if coalesce(current_setting('rubadub.is_restoring', true), '') = 'on' then return null; end if;
  if tg_table_name = 'deliveries' then worker := new.duber_id;
  else
    worker := new.scrub_id;
    if tg_op = 'INSERT' then bud := new.bud_id; end if;
  end if;
  perform from users where id in (bud, worker) order by id for key share;
  if exists (select from holds where user_id = bud and kind = 'new-work' and lifted_at is null) then
    raise exception 'this Bud places no orders now' using errcode = '23514', constraint = 'holds_of_bud';
  end if;
  if exists (select from holds where user_id = worker and kind = 'new-work' and lifted_at is null) then
    raise exception 'this person takes no new work now' using errcode = '23514', constraint = 'holds_of_worker';
  end if;
  return null;
end $$;

-- The sums in an order are those of its lines once the transaction ends.
create function order_lines_agree() returns trigger language plpgsql as $$
declare
  checked uuid;
  sums record;
begin
  if tg_table_name = 'orders' then checked := new.id;
  elsif tg_op = 'DELETE' then checked := old.order_id;
  else checked := new.order_id;
  end if;
  select o.total_price, o.load_price, coalesce(sum(l.cents), 0) as total,
      coalesce(sum(l.cents) filter (where l.earner = 'scrub'), 0) as load into sums
    from orders o left join order_lines l on l.order_id = o.id where o.id = checked group by o.id;
  if (sums.total_price, sums.load_price) <> (sums.total, sums.load) then
    raise exception 'order % has a load of % and a total of % cents, but its lines add up to % and %', checked, sums.load_price,
      sums.total_price, sums.load, sums.total using errcode = '23514', constraint = 'order_lines_agree';
  end if;
  return null;
end $$;

-- The holder in an order is the taker of its last hand-over, or its Bud, once the transaction ends.
create function holder_agrees() returns trigger language plpgsql as $$
declare
  checked uuid;
  wrong record;
begin
  if tg_table_name = 'orders' then checked := new.id; else checked := new.order_id; end if;
  select o.holder_role, o.holder_id, last.taker_role, last.taker_id into wrong
    from orders o left join lateral (select h.taker_role, h.taker_id, h.delivery_id, coalesce(h.taken_at, h.at) as since from handovers h
      where h.order_id = o.id order by h.position desc limit 1) last on true
    where o.id = checked and (o.holder_role, o.holder_id, o.holder_delivery, o.held_since) is distinct from
      (coalesce(last.taker_role, 'Bud'), coalesce(last.taker_id, o.bud_id), last.delivery_id, last.since);
  if found then
    raise exception 'order % is held by % %, but was handed over last to % %', checked, wrong.holder_role, wrong.holder_id,
      wrong.taker_role, wrong.taker_id using errcode = '23514', constraint = 'holder_agrees';
  end if;
  return null;
end $$;

create sequence order_numbers start with 1001;

create table orders (
  id uuid primary key,
  bud_id uuid not null references users,
  scrub_id uuid not null references users,
  status text not null check (status in ('Requested', 'Accepted', 'In_Progress', 'Completed', 'Cancelled', 'Rejected')),
  load_size text not null check (load_size in ('Small', 'Medium', 'Large', 'XL', 'XXL', 'Family')),
  self_delivery boolean not null,
  self_pickup boolean not null,
  instructions text,
  -- Sums of its lines, for lists: what the Scrub earns, and everything. See order_lines_agree.
  load_price integer not null,
  total_price integer not null,
  bud_address jsonb not null,
  scrub_address jsonb not null,
  distance_m integer not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- An order that is cleaned again starts over with its next round.
  round integer not null default 1,
  -- Numbers grow with time, and tell nobody how many orders there are.
  number bigint not null default nextval('order_numbers'),
  -- Whether the Bud lets the laundry stand at the door.
  leave_at_door boolean not null default false,
  -- Since when it waits for another Scrub, because its Scrub gave it back. Null again once the Bud has chosen one.
  given_back_at timestamptz,
  -- When the Bud handed the laundry to the Scrub, without a Duber.
  handed_over_at timestamptz,
  -- When it was closed: reviews, tips and claims have ended.
  closed_at timestamptz,
  -- Who pays the ways of an order that is cleaned again. Null when the Bud has paid for them.
  ways_paid_by text,
  -- The highest size that is charged without asking. Null for an order that is not weighed.
  ceiling_size text check (ceiling_size in ('Small', 'Medium', 'Large', 'XL', 'XXL', 'Family')),
  -- The time whose prices the order has, for the sizes that it may get.
  priced_at timestamptz,
  -- The zone whose prices the order has.
  zone_id uuid,
  -- What a code takes off what the card pays, in cents. The total is without it.
  discount integer,
  promo_code text,
  -- How the laundry gets home after the order was cancelled while somebody other than its Bud had it.
  way_home text,
  -- The rate of the taxes in its price, in hundredths of a percent and tenths of them.
  tax_rate float8,
  -- Who has the laundry, since when, and the delivery by which it came: what the last hand-over says. Before the first one its Bud.
  holder_role text not null default 'Bud' check (holder_role in ('Bud', 'Scrub', 'Duber')),
  holder_id uuid not null,
  holder_delivery uuid,
  held_since timestamptz,
  -- When somebody comes for the laundry and when it comes back, as agreed; null for as soon as possible.
  pickup_from timestamptz,
  pickup_until timestamptz,
  return_from timestamptz,
  return_until timestamptz,
  -- How fast that is, which has its price.
  turnaround text check (turnaround in ('same-day', 'next-day', 'standard')),
  -- The end of the return, as first agreed or as the Bud has moved it. A proposal that the Bud accepts moves it too.
  promised_at timestamptz,
  constraint orders_times check (num_nulls(pickup_from, pickup_until, return_from, return_until, turnaround, promised_at) in (0, 6)),
  constraint orders_discount check (((discount is null) = (promo_code is null)) and (discount is null or discount >= 0)),
  constraint orders_way_home check (way_home in ('bring', 'fetch', 'lost')),
  constraint orders_ways_paid_by check (ways_paid_by in ('platform', 'scrub')),
  constraint orders_weighed check ((ceiling_size is null) = (priced_at is null))
);
alter sequence order_numbers owned by orders.number;
create index orders_by_id_end on orders (right(id::text, 8));
create index orders_by_status on orders (status, created_at desc, number desc);
create index orders_by_time on orders (created_at desc, number desc);
create index orders_by_promise on orders (promised_at) where promised_at is not null and closed_at is null
  and status in ('Requested', 'Accepted', 'In_Progress', 'Completed');
create index orders_completed on orders (completed_at) where completed_at is not null;
create unique index orders_number on orders (number);
create index orders_of_bud on orders (bud_id, created_at desc, id desc);
create index orders_of_bud_by_load on orders (bud_id, load_price, created_at, id);
create index orders_of_bud_by_status on orders (bud_id, status collate "C", created_at, id);
create index orders_of_bud_by_total on orders (bud_id, total_price, created_at, id);
create index orders_of_scrub on orders (scrub_id, created_at desc, id desc);
create index orders_of_scrub_by_load on orders (scrub_id, load_price, created_at, id);
create index orders_of_scrub_by_status on orders (scrub_id, status collate "C", created_at, id);
create index orders_of_scrub_by_total on orders (scrub_id, total_price, created_at, id);
create constraint trigger order_lines_agree after insert or update of load_price, total_price on orders deferrable initially deferred
  for each row execute function order_lines_agree();
create constraint trigger holder_agrees after insert or update of holder_role, holder_id, holder_delivery, held_since on orders deferrable
  initially deferred for each row execute function holder_agrees();
create trigger order_tallies_delete after delete on orders referencing old table as gone for each statement execute function
  order_tallies_keep();
create trigger order_tallies_insert after insert on orders referencing new table as added for each statement execute function
  order_tallies_keep();
create trigger order_tallies_update after update on orders referencing old table as gone new table as added for each statement
  execute function order_tallies_keep();
create trigger work_accepted after update on orders for each row when (old.scrub_id <> new.scrub_id or (old.status = 'Requested'
  and new.status = 'Accepted')) execute function work_keep_held();
create trigger work_placed after insert on orders for each row execute function work_keep_held();

-- What an order costs, item by item: what it costs by now, where its laundry was weighed.
create table order_lines (
  order_id uuid not null references orders on delete cascade,
  -- A row of ITEMS in domain/prices.ts. Without a check here, so that a new item needs no other schema.
  item text not null,
  cents integer not null check (cents > 0),
  earner text not null check (earner in ('scrub', 'pickup-duber', 'delivery-duber', 'platform', 'state')),
  is_taxed boolean not null,
  primary key (order_id, item)
);
create constraint trigger order_lines_agree after insert or update or delete on order_lines deferrable initially deferred
  for each row execute function order_lines_agree();

-- Deliveries ------------------------------------------------------------------------------------------

create function delivery_tallies_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into delivery_tallies as t (person_id, status, deliveries, price, distance_m)
      select person_id, status, sum(deliveries), sum(price), sum(distance_m) from (
        select p.person_id, r.status, 1 as deliveries, r.price::bigint as price,
            r.distance_m::bigint as distance_m
          from added r cross join lateral (values (r.bud_id), (r.scrub_id), (r.duber_id)) p (person_id)
          where p.person_id is not null) c
      group by person_id, status having sum(deliveries) <> 0 or sum(price) <> 0 or sum(distance_m) <> 0 order by person_id, status
      on conflict (person_id, status) do update set deliveries = t.deliveries + excluded.deliveries,
        price = t.price + excluded.price,
        distance_m = t.distance_m + excluded.distance_m;
  elsif tg_op = 'UPDATE' then
    insert into delivery_tallies as t (person_id, status, deliveries, price, distance_m)
      select person_id, status, sum(deliveries), sum(price), sum(distance_m) from (
        select p.person_id, r.status, -1 as deliveries, -r.price::bigint as price,
            -r.distance_m::bigint as distance_m
          from gone r cross join lateral (values (r.bud_id), (r.scrub_id), (r.duber_id)) p (person_id)
          where p.person_id is not null
        union all select p.person_id, r.status, 1 as deliveries, r.price::bigint as price,
            r.distance_m::bigint as distance_m
          from added r cross join lateral (values (r.bud_id), (r.scrub_id), (r.duber_id)) p (person_id)
          where p.person_id is not null) c
      group by person_id, status having sum(deliveries) <> 0 or sum(price) <> 0 or sum(distance_m) <> 0 order by person_id, status
      on conflict (person_id, status) do update set deliveries = t.deliveries + excluded.deliveries,
        price = t.price + excluded.price,
        distance_m = t.distance_m + excluded.distance_m;
  else
    insert into delivery_tallies as t (person_id, status, deliveries, price, distance_m)
      select person_id, status, sum(deliveries), sum(price), sum(distance_m) from (
        select p.person_id, r.status, -1 as deliveries, -r.price::bigint as price,
            -r.distance_m::bigint as distance_m
          from gone r cross join lateral (values (r.bud_id), (r.scrub_id), (r.duber_id)) p (person_id)
          where p.person_id is not null) c
      group by person_id, status having sum(deliveries) <> 0 or sum(price) <> 0 or sum(distance_m) <> 0 order by person_id, status
      on conflict (person_id, status) do update set deliveries = t.deliveries + excluded.deliveries,
        price = t.price + excluded.price,
        distance_m = t.distance_m + excluded.distance_m;
  end if;
  return null;
end $$;

create table deliveries (
  id uuid primary key,
  order_id uuid not null references orders,
  delivery_type text not null check (delivery_type in ('Bud_To_Scrub', 'Scrub_To_Bud')),
  status text not null check (status in ('Pending', 'Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Delivered', 'Failed',
    'Way_Back', 'Returned', 'Called_Off')),
  bud_id uuid not null references users,
  scrub_id uuid not null references users,
  duber_id uuid references users,
  price integer not null check (price >= 0),
  distance_m integer not null,
  pickup_latitude float8 not null,
  pickup_longitude float8 not null,
  pickup_band integer not null,
  created_at timestamptz not null,
  delivered_at timestamptz,
  attempt integer not null default 1,
  -- Whether its Duber has the laundry.
  has_laundry boolean not null default false,
  -- The round of its order.
  round integer not null default 1,
  -- Who pays the Duber, if the order does not.
  paid_by text,
  -- The Duber who had the delivery before, and when that ended. Others come first for a while.
  left_by uuid references users,
  left_at timestamptz,
  -- The Duber who could not go on and has the laundry until the next Duber collects it, or when the delivery is called off.
  carrier_id uuid references users,
  -- Since when it neither goes on nor was delivered: failed without laundry, brought back, or called off.
  stopped_at timestamptz,
  -- Since when its laundry is lost. It stays when the delivery is called off, and is null once the laundry is found.
  lost_at timestamptz,
  -- The window of its order in which its Duber comes or brings the laundry; null for as soon as possible.
  due_from timestamptz,
  due_until timestamptz,
  constraint deliveries_due check ((due_from is null) = (due_until is null)),
  constraint deliveries_have_a_duber check (case status when 'Pending' then duber_id is null when 'Called_Off' then true
    else duber_id is not null end),
  constraint deliveries_paid_by check (paid_by in ('platform', 'scrub'))
);
create index deliveries_by_id_end on deliveries (right(id::text, 8));
create unique index deliveries_leg_once_a_round on deliveries (order_id, round, delivery_type);
create index deliveries_nearby on deliveries (pickup_band, pickup_longitude) include (pickup_latitude, id) where status =
  'Pending';
create index deliveries_of_bud on deliveries (bud_id, created_at desc, id desc);
create index deliveries_of_bud_by_distance on deliveries (bud_id, distance_m, created_at, id);
create index deliveries_of_bud_by_price on deliveries (bud_id, price, created_at, id);
create index deliveries_of_bud_by_status on deliveries (bud_id, status collate "C", created_at, id);
create index deliveries_of_carrier on deliveries (carrier_id) where carrier_id is not null;
create index deliveries_of_duber on deliveries (duber_id, created_at desc, id desc);
create index deliveries_of_duber_by_distance on deliveries (duber_id, distance_m, created_at, id);
create index deliveries_of_duber_by_price on deliveries (duber_id, price, created_at, id);
create index deliveries_of_duber_by_status on deliveries (duber_id, status collate "C", created_at, id);
create index deliveries_of_duber_delivered on deliveries (duber_id, delivered_at) where delivered_at is not null;
create index deliveries_of_scrub on deliveries (scrub_id, created_at desc, id desc);
create index deliveries_of_scrub_by_distance on deliveries (scrub_id, distance_m, created_at, id);
create index deliveries_of_scrub_by_price on deliveries (scrub_id, price, created_at, id);
create index deliveries_of_scrub_by_status on deliveries (scrub_id, status collate "C", created_at, id);
-- A delivery that is accepted ahead, for its window, is not under way.
create unique index deliveries_once_active on deliveries (duber_id) where status in ('Way_To_Pick', 'Collected', 'Way_To_Drop',
  'Way_Back') or (status = 'Accepted' and due_from is null) or (status = 'Failed' and has_laundry);
create index deliveries_ahead on deliveries (duber_id) where status = 'Accepted' and due_from is not null;
create index deliveries_stopped on deliveries (created_at) where status in ('Failed', 'Returned');
create trigger delivery_tallies_delete after delete on deliveries referencing old table as gone for each statement execute
  function delivery_tallies_keep();
create trigger delivery_tallies_insert after insert on deliveries referencing new table as added for each statement execute
  function delivery_tallies_keep();
create trigger delivery_tallies_update after update on deliveries referencing old table as gone new table as added for each
  statement execute function delivery_tallies_keep();
create trigger work_accepted after update on deliveries for each row when (old.status = 'Pending' and new.status = 'Accepted')
  execute function work_keep_held();

create table delivery_positions (
  delivery_id uuid primary key references deliveries,
  latitude float8,
  longitude float8,
  at timestamptz not null,
  -- How exact the phone says that its place is, as a radius in meters. Null where the phone does not say so.
  accuracy float8 check (accuracy >= 0),
  constraint delivery_positions_check check ((latitude is null) = (longitude is null))
);

-- Weighing --------------------------------------------------------------------------------------------

create table weighings (
  id uuid primary key,
  order_id uuid not null references orders,
  round integer not null,
  scale text not null check (scale in ('scrub', 'duber')),
  by_id uuid not null references users,
  -- The delivery of a Duber who has weighed.
  delivery_id uuid references deliveries,
  grams integer not null check (grams > 0),
  -- Whether the Scrub would wash what fits the ceiling.
  splits boolean not null default false,
  at timestamptz not null,
  constraint weighings_once unique (order_id, scale),
  constraint weighings_delivery check ((scale = 'duber') = (delivery_id is not null))
);

-- What became of an order whose laundry weighs something else than its size says.
create table corrections (
  order_id uuid primary key references orders,
  from_size text not null,
  -- Null when it is heavier than every size that was sold.
  to_size text,
  -- What the order was to cost, and what the other size costs, in cents.
  from_cents integer not null check (from_cents >= 0),
  to_cents integer check (to_cents >= 0),
  splits boolean not null,
  state text not null check (state in ('lighter', 'auto', 'asked', 'paid', 'kept', 'sent-back')),
  at timestamptz not null,
  answered_at timestamptz,
  answered_by text check (answered_by in ('Bud', 'System')),
  contested_at timestamptz,
  constraint corrections_answered check (((answered_at is null) = (answered_by is null)) and ((answered_at is null) = state in
    ('lighter', 'auto', 'asked'))),
  constraint corrections_to check ((to_size is null) = (to_cents is null))
);

-- Hand-overs ------------------------------------------------------------------------------------------

create table bags (
  code text primary key check (code ~ '^[2-9A-HJ-NP-Z]{6}$'),
  order_id uuid not null references orders,
  n integer not null check (n >= 1 and n <= 20),
  made_by uuid not null references users,
  made_at timestamptz not null,
  constraint bags_order_id_n_key unique (order_id, n)
);

-- The four digits that a Bud or a Scrub tells the Duber who brings their laundry.
create table pins (
  order_id uuid not null references orders,
  round integer not null,
  side text not null check (side in ('Bud', 'Scrub')),
  pin text not null check (pin ~ '^[0-9]{4}$'),
  -- Those since the last right one.
  tries integer not null default 0,
  made_at timestamptz not null,
  primary key (order_id, round, side)
);

create function ledger_keep() returns trigger language plpgsql as $$
begin
  -- The places of hand-overs and the reasons of operators, of people who are erased.
  if tg_op = 'UPDATE' and tg_table_name in ('handovers', 'adjustments')
    and coalesce(current_setting('rubadub.is_erasing', true), '') = 'on' then return null; end if;
  raise exception 'what stands in % is never changed: write another entry', tg_table_name using errcode = '23514';
end $$;

-- Who has the laundry of an order: a chain in which the taker of one hand-over is the giver of the next.
create table handovers (
  order_id uuid not null references orders,
  position integer not null check (position > 0),
  -- The hand-over before: its taker is the giver now.
  follows integer,
  -- Files are about it.
  id uuid unique not null default gen_random_uuid(),
  round integer not null,
  -- Null when the Bud and the Scrub meet without a Duber.
  delivery_id uuid references deliveries,
  attempt integer,
  kind text not null generated always as (lower(giver_role || '>' || taker_role)) stored,
  giver_role text not null check (giver_role in ('Bud', 'Scrub', 'Duber')),
  giver_id uuid not null,
  taker_role text not null check (taker_role in ('Bud', 'Scrub', 'Duber')),
  taker_id uuid not null,
  -- As far as anybody has counted them.
  bags integer check (bags >= 1 and bags <= 20),
  proof text not null check (proof in ('none', 'count', 'bag-codes', 'photo', 'pin', 'taker-pressed', 'door')),
  latitude float8,
  longitude float8,
  -- The hand-over that this one takes back.
  takes_back integer,
  taken_at timestamptz,
  at timestamptz not null,
  primary key (order_id, position),
  constraint handovers_takers unique (order_id, position, taker_id),
  constraint handovers_chain foreign key (order_id, follows, giver_id) references handovers (order_id, position, taker_id),
  constraint handovers_begin check (case position when 1 then follows is null and giver_role = 'Bud'
    else follows = position - 1 end),
  constraint handovers_move check (giver_id <> taker_id)
);
create constraint trigger holder_agrees after insert on handovers deferrable initially deferred for each row execute function
  holder_agrees();
create trigger handovers_keep before delete or update or truncate on handovers for each statement execute function ledger_keep();

-- What the taker says afterwards: "I have 2 bags".
create table handover_confirmations (
  order_id uuid not null,
  position integer not null,
  by_id uuid not null references users,
  bags integer not null check (bags >= 1 and bags <= 20),
  at timestamptz not null,
  primary key (order_id, position),
  constraint handover_confirmations_order_id_position_fkey foreign key (order_id, position) references handovers
);
create trigger handovers_keep before delete or update or truncate on handover_confirmations for each statement execute function
  ledger_keep();

-- Reviews ---------------------------------------------------------------------------------------------

create table reviews (
  id uuid primary key,
  order_id uuid not null references orders,
  delivery_id uuid references deliveries,
  type text not null check (type in ('Bud_To_Scrub', 'Scrub_To_Bud', 'Bud_To_Duber', 'Scrub_To_Duber')),
  rating integer not null check (rating >= 1 and rating <= 5),
  message text not null,
  from_user_id uuid not null references users,
  to_user_id uuid not null references users,
  created_at timestamptz not null,
  constraint reviews_about check ((delivery_id is not null) = (type in ('Bud_To_Duber', 'Scrub_To_Duber')))
);
create index reviews_of_order on reviews (order_id);
create index reviews_of_reviewed on reviews (to_user_id, created_at);
create unique index reviews_once_a_delivery on reviews (delivery_id, type) where delivery_id is not null;
create unique index reviews_once_an_order on reviews (order_id, type) where delivery_id is null;

-- Card payments ---------------------------------------------------------------------------------------

-- A use counts while its card may still pay, or has paid. A trigger, so that no way in which an order ends can forget the use. Of
-- a hold that was to be released, a part may be charged after all: then the use counts again, even beyond the limit.
create function promo_uses_follow() returns trigger language plpgsql as $$
declare
  ends boolean;
  promo uuid;
begin
  case
    when new.state in ('voiding', 'voided', 'declined') then ends := true;
    when new.state in ('capturing', 'captured') then ends := false;
    else return null;
  end case;
  update promo_uses u set returned_at = case when ends then new.updated_at end
    where u.order_id = new.order_id and (u.returned_at is null) = ends
    returning u.promo_id into promo;
  if promo is not null then
    update promos p set uses = p.uses + case when ends then -1 else 1 end where p.id = promo;
  end if;
  return null;
end $$;

-- The card payment of an order.
create table payments (
  order_id uuid primary key,
  bud_id uuid not null references users,
  state text not null check (state in ('holding', 'held', 'capturing', 'captured', 'voiding', 'voided', 'declined', 'stuck')),
  amount integer not null check (amount > 0),
  -- The order that is placed once the hold is there. Null afterwards.
  draft jsonb,
  source_id text,
  -- Whose saved card the source is, at the card network. Null for a token of the card form.
  customer_id text,
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
  updated_at timestamptz not null,
  -- When the card network is asked how the payment stands, and what an operator should know of the answer.
  look_at timestamptz,
  concern text,
  -- The order ended before its card was charged: what nobody will earn goes back when it is.
  settle_when_captured boolean not null default false,
  -- What the card holds for an order that is weighed: its price at most. Null when the hold is exactly `amount`.
  held integer,
  -- How much less than `amount` the order costs. That part of the charge goes back.
  reduced integer not null default 0,
  -- The order whose hold this hold takes the place of. Then the row has the earlier hold, until that is released.
  replaces uuid references payments,
  -- The fee in cents that the card network has told, as it is in the ledger. Null until then.
  card_fee integer,
  -- How often it was asked for the fee and had none yet.
  fee_tries integer not null default 0,
  -- What the platform pays beside `amount` for a promo code, and how much less the order costs of that.
  discount integer not null default 0,
  discount_reduced integer not null default 0,
  constraint payments_refunded check (refunded >= 0 and refunded <= amount),
  constraint payments_discount check (discount >= 0 and discount_reduced >= 0 and discount_reduced <= discount),
  constraint payments_held check (held >= amount),
  constraint payments_reduced check (reduced >= 0 and reduced <= amount)
);
create index payments_by_card on payments (card_last4, created_at desc) where card_last4 is not null;
create index payments_by_square_id on payments (square_id) where square_id is not null;
create index payments_captured on payments (bud_id) where state = 'captured';
create index payments_due on payments (due_at) where due_at is not null;
create index payments_for_a_person on payments (order_id) where state = 'stuck' or concern is not null;
create unique index payments_idempotency on payments (bud_id, idempotency_key) where idempotency_key is not null;

-- Who a Bud is at the card network, which keeps their cards. `due_at` is set once they are to be deleted there.
create table card_customers (
  bud_id uuid primary key references users,
  square_id text not null,
  tries integer not null default 0,
  due_at timestamptz
);
create index card_customers_due on card_customers (due_at) where due_at is not null;

-- Cards that Buds have saved for their next orders. No number of a card is here: the card network has the card.
create table saved_cards (
  id uuid primary key,
  bud_id uuid not null references users,
  state text not null check (state in ('saving', 'saved', 'refused', 'removing', 'removed')),
  -- The payment at the card network whose card it is.
  square_payment_id text not null,
  -- Whether the card network may have been asked to save the card.
  is_asked boolean not null default false,
  square_card_id text,
  brand text,
  last4 text,
  exp_month integer,
  exp_year integer,
  -- The words that the Bud agreed to, when they saved the card.
  consent text not null,
  tries integer not null default 0,
  due_at timestamptz,
  used_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index saved_cards_bud on saved_cards (bud_id);
create index saved_cards_due on saved_cards (due_at) where due_at is not null;
create unique index saved_cards_square_id on saved_cards (square_card_id) where square_card_id is not null;
create index payments_of_replacements on payments (replaces) where replaces is not null;
create index payments_to_look_at on payments (look_at) where look_at is not null;
create trigger promo_uses_follow after update of state on payments for each row when (old.discount > 0 and old.state <> new.state)
  execute function promo_uses_follow();

-- Promo codes: see decision 115.
create table promos (
  id uuid primary key,
  code text unique not null check (code = upper(code)),
  kind text not null check (kind in ('percent', 'amount')),
  -- Hundredths of a percent, or cents.
  value integer not null check (value > 0),
  -- Cents. Null: nothing limits it.
  max_discount integer check (max_discount > 0),
  min_total integer not null check (min_total >= 0),
  first_order_only boolean not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  max_uses integer,
  max_uses_per_bud integer check (max_uses_per_bud > 0),
  -- How often it is used, without what was given back. Kept by promo_uses_follow.
  uses integer not null default 0,
  created_by text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint promos_check check (ends_at > starts_at),
  constraint promos_uses check (uses >= 0)
);
create index promos_newest on promos (created_at desc, id desc);

-- One for each order that is placed with a code, also while its card is being asked.
create table promo_uses (
  order_id uuid primary key references payments,
  promo_id uuid not null references promos,
  bud_id uuid not null references users,
  -- Cents, when the order was placed.
  discount integer not null check (discount > 0),
  used_at timestamptz not null,
  -- When the order ended and its card had not paid. Null while it counts.
  returned_at timestamptz,
  -- A digest of the card, where a code is for first orders only.
  card bytea
);
create index promo_uses_counted_of_bud on promo_uses (bud_id) where returned_at is null;
create index promo_uses_newest on promo_uses (promo_id, used_at desc, order_id desc);
create index promo_uses_of_bud on promo_uses (promo_id, bud_id) where returned_at is null;
create unique index promo_uses_once_a_card on promo_uses (promo_id, card) where card is not null and returned_at is null;

-- Money that goes back to the card.
create table refunds (
  id uuid primary key,
  order_id uuid not null references payments,
  amount integer not null,
  -- The part of the amount that is taxes given back; the rest is borne by the liable side.
  taxes integer not null,
  liable text not null check (liable in ('platform', 'scrub', 'duber', 'nobody')),
  liable_user uuid references users,
  reason text not null,
  state text not null check (state in ('asking', 'pending', 'refunded', 'stuck', 'dropped')),
  square_refund_id text,
  failure text,
  tries integer not null default 0,
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The part of a refund, without taxes, that the platform bears although another side was liable.
  forgiven integer not null default 0,
  -- What goes back to the platform beside `amount`, of what the platform has paid for a promo code.
  discount integer not null default 0,
  constraint refunds_amount_check check (amount >= 0 and discount >= 0 and amount + discount > 0),
  constraint refunds_forgiven check (forgiven >= 0 and forgiven <= amount + discount - taxes),
  constraint refunds_liable check ((liable_user is null) = (liable in ('platform', 'nobody'))),
  constraint refunds_taxes check (taxes >= 0 and taxes <= amount + discount)
);
create index refunds_due on refunds (due_at) where due_at is not null;
create index refunds_of_order on refunds (order_id);
create index refunds_stuck on refunds (updated_at) where state = 'stuck';
create index refunds_under_way on refunds (liable_user) where liable_user is not null and state in ('asking', 'pending', 'stuck');

-- Webhooks that have come, so that a repeat does nothing.
create table webhook_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null
);

-- What the card network and the ledger say of a day.
create table reconciled_days (
  -- A day of UTC, like 2026-11-23.
  day text primary key check (day ~ '^\d{4}-\d\d-\d\d$'),
  -- Null until it was compared for the first time.
  state text check (state in ('equal', 'differs', 'failed')),
  checked_at timestamptz,
  -- Cents by kind: charged, refunded, fees, disputed.
  ours jsonb,
  theirs jsonb,
  -- How many payments, refunds and chargebacks the card network has.
  counts jsonb,
  -- How many amounts differ, and the first of them.
  differing integer not null default 0 check (differing >= 0),
  differences jsonb not null default '[]',
  -- Whether an operator has had the same result compared again: Today does not mention it any more.
  is_known boolean not null default false,
  -- When it is compared, or its next page. Null when it is done.
  due_at timestamptz,
  tries integer not null default 0,
  -- Why the last try failed.
  failure text,
  -- What is compared so far, page by page.
  progress jsonb,
  -- Compared after a restore, before its fees can be known or before it is over. It is compared again then.
  is_early boolean not null default false
);
create index reconciled_days_due on reconciled_days (day) where due_at is not null;
create index reconciled_days_for_a_person on reconciled_days (day) where state in ('differs', 'failed') and not is_known;

-- What the card network has listed of a day so far. A large day has a million payments: too many for its row, which is written
-- after each page.
create table reconciled_ids (
  -- One comparison of a day: 'run' in its progress.
  run uuid not null,
  square_id text not null,
  primary key (run, square_id)
);

-- When somebody comes ---------------------------------------------------------------------------------

-- How many places of a window are taken in a zone; zeros are for outside of all zones. Which windows there are, and how many places each has,
-- is made from the settings: a row begins with the first reservation.
create table window_places (
  kind text not null check (kind in ('pickup', 'return')),
  starts_at timestamptz not null,
  zone_id uuid not null default '00000000-0000-0000-0000-000000000000',
  taken integer not null check (taken >= 0),
  primary key (starts_at, kind, zone_id)
);

-- When a Scrub works, and how much. A Scrub without a row works always, without a limit.
create table scrub_weeks (
  scrub_id uuid primary key references users,
  hours jsonb not null,
  pounds_a_day integer check (pounds_a_day > 0),
  orders_a_day integer check (orders_a_day > 0),
  -- The load sizes that they take; null for all.
  sizes text[],
  notice_hours integer not null check (notice_hours >= 0),
  -- The digest of the secret in the address of their calendar feed.
  feed_hash bytea unique,
  updated_at timestamptz not null
);

-- The days on which a Scrub does not work, the last one included.
create table scrub_days_off (
  id uuid primary key,
  scrub_id uuid not null references users,
  from_on text not null check (from_on ~ '^\d{4}-\d\d-\d\d$'),
  until_on text not null check (until_on ~ '^\d{4}-\d\d-\d\d$'),
  added_at timestamptz not null,
  constraint scrub_days_off_span check (from_on <= until_on)
);
create index scrub_days_off_of_scrub on scrub_days_off (scrub_id, until_on);

-- What a Scrub does on a day of the town.
create table scrub_days (
  scrub_id uuid not null references users,
  day text not null check (day ~ '^\d{4}-\d\d-\d\d$'),
  orders integer not null check (orders >= 0),
  pounds integer not null check (pounds >= 0),
  primary key (scrub_id, day)
);

-- What an order has reserved, from before its card is asked: the places of its windows, and its part of the day of its Scrub. The row goes
-- when the order ends without work, which gives everything back; a count is the sum of its rows. The functions below are the only
-- ones that change the three tables. They lock the rows of windows first, by kind and start, and then the days of Scrubs.
create table bookings (
  order_id uuid primary key references payments,
  bud_id uuid not null references users,
  -- Null while the order waits for another Scrub.
  scrub_id uuid references users,
  zone_id uuid not null,
  -- The starts of the windows whose places it has taken; null where no Duber drives, or for as soon as possible.
  pickup_starts timestamptz,
  return_starts timestamptz,
  day text not null check (day ~ '^\d{4}-\d\d-\d\d$'),
  pounds integer not null check (pounds > 0),
  -- Of an order with windows that no Scrub has accepted yet: a Bud has two of them at most.
  waiting_slot integer check (waiting_slot in (1, 2))
);
create unique index bookings_waiting on bookings (bud_id, waiting_slot) where waiting_slot is not null;

-- Says why something cannot be reserved: the name of the constraint is that of the failure.
create function refuse_booking(failure text) returns void language plpgsql as $$
begin
  raise exception 'not reserved: %', failure using errcode = '23514', constraint = failure;
end $$;

-- Takes a place of a window, unless all are taken.
create function take_place(of_kind text, start timestamptz, zone uuid, places integer) returns void language plpgsql as $$
begin
  if start is null then return; end if;
  if places < 1 then perform refuse_booking('windowFull'); end if;
  insert into window_places as w (kind, starts_at, zone_id, taken) values (of_kind, start, zone, 1)
    on conflict (starts_at, kind, zone_id) do update set taken = w.taken + 1 where w.taken < places;
  if not found then perform refuse_booking('windowFull'); end if;
end $$;

create function leave_place(of_kind text, start timestamptz, zone uuid) returns void language plpgsql as $$
begin
  update window_places w set taken = w.taken - 1 where w.kind = of_kind and w.starts_at = start and w.zone_id = zone;
end $$;

-- Takes a part of the day of a Scrub. With `is_limited`, no more than they do on a day.
create function take_day(scrub uuid, on_day text, load integer, is_limited boolean) returns void language plpgsql as $$
declare
  most scrub_weeks;
begin
  if scrub is null then return; end if;
  if is_limited then
    select * into most from scrub_weeks w where w.scrub_id = scrub;
  end if;
  if load > most.pounds_a_day then perform refuse_booking('scrubFull'); end if;
  insert into scrub_days as d (scrub_id, day, orders, pounds) values (scrub, on_day, 1, load)
    on conflict (scrub_id, day) do update set orders = d.orders + 1, pounds = d.pounds + load
      where d.orders < coalesce(most.orders_a_day, d.orders + 1) and d.pounds + load <= coalesce(most.pounds_a_day, d.pounds + load);
  if not found then perform refuse_booking('scrubFull'); end if;
end $$;

create function leave_day(scrub uuid, on_day text, load integer) returns void language plpgsql as $$
begin
  update scrub_days d set orders = d.orders - 1, pounds = d.pounds - load where d.scrub_id = scrub and d.day = on_day;
end $$;

-- Whether hours of a week cover a window, by the clocks of a zone. An end that is not after its start is on the next day. PostgreSQL keeps
-- the plans of this and the next function because they are plpgsql: a function in SQL is planned in each statement that calls it.
create function covers_window(hours jsonb, zone text, starts timestamptz, ends timestamptz) returns boolean language plpgsql stable as $$
begin
  return exists (select from jsonb_to_recordset(hours) h (weekday text, "from" text, until text)
    where h.weekday = to_char(starts at time zone zone, 'FMDay')
      and h."from"::interval <= (starts at time zone zone)::time::interval
      -- By the clocks of its last moment: they may change in between, and just when it ends.
      and ((ends - interval '1 millisecond') at time zone zone) - date_trunc('day', starts at time zone zone)
        < h.until::interval + case when h.until > h."from" then interval '0' else interval '24 hours' end);
end $$;

-- Whether a Scrub can do what is asked: `at`, `zone`, `pounds`, `size` and the four times of two windows. Without windows it is done as
-- soon as possible: then only the day, the size and the limits matter. A return without a pickup takes no part of a day and needs no
-- notice. What `order` has booked is free for it.
create function can_take(scrub uuid, asked jsonb) returns boolean language plpgsql stable as $$
declare
  asked_at timestamptz := asked ->> 'at';
  zone text := asked ->> 'zone';
  pickup_from timestamptz := asked ->> 'pickupFrom';
  return_from timestamptz := asked ->> 'returnFrom';
  is_return_alone boolean := pickup_from is null and return_from is not null;
  first_day text := to_char(coalesce(pickup_from, return_from, asked_at) at time zone zone, 'YYYY-MM-DD');
  last_day text := to_char(coalesce(return_from, asked_at) at time zone zone, 'YYYY-MM-DD');
  week scrub_weeks;
  taken scrub_days;
  own bookings;
begin
  if exists (select from scrub_days_off x where x.scrub_id = scrub
    and (first_day between x.from_on and x.until_on or last_day between x.from_on and x.until_on)) then return false; end if;
  select * into week from scrub_weeks w where w.scrub_id = scrub;
  if not found then return true; end if;
  if not is_return_alone then
    select * into taken from scrub_days d where d.scrub_id = scrub and d.day = first_day;
    if asked ? 'order' then
      select * into own from bookings b where b.order_id = (asked ->> 'order')::uuid and b.scrub_id = scrub and b.day = first_day;
    end if;
    if coalesce(taken.orders, 0) - (own.order_id is not null)::int >= week.orders_a_day
      or coalesce(taken.pounds, 0) - coalesce(own.pounds, 0) + (asked ->> 'pounds')::int > week.pounds_a_day
      or not (asked ->> 'size') = any(week.sizes) then return false; end if;
  end if;
  if pickup_from < asked_at + week.notice_hours * interval '1 hour' then return false; end if;
  if return_from is null or jsonb_array_length(week.hours) = 0 then return true; end if;
  return (is_return_alone or covers_window(week.hours, zone, pickup_from, (asked ->> 'pickupUntil')::timestamptz))
    and covers_window(week.hours, zone, return_from, (asked ->> 'returnUntil')::timestamptz);
end $$;

-- Reserves what an order needs. `waits`: it has windows, and no Scrub has accepted it. The booking is written before the counts: a recount
-- locks in the same order.
create function reserve_booking(new bookings, places integer, waits boolean, asked jsonb) returns void language plpgsql as $$
begin
  if not can_take(new.scrub_id, asked) then perform refuse_booking('scrubFull'); end if;
  if waits then
    -- A Bud's orders take turns, so that two do not take the same slot.
    perform pg_advisory_xact_lock(hashtextextended('waiting orders of ' || new.bud_id, 0));
    select min(s) into new.waiting_slot from generate_series(1, 2) s
      where not exists (select from bookings b where b.bud_id = new.bud_id and b.waiting_slot = s);
    if new.waiting_slot is null then perform refuse_booking('tooManyWaiting'); end if;
  end if;
  insert into bookings select new.*;
  perform take_place('pickup', new.pickup_starts, new.zone_id, places);
  perform take_place('return', new.return_starts, new.zone_id, places);
  perform take_day(new.scrub_id, new.day, new.pounds, true);
end $$;

-- Moves what an order has reserved to other windows, another day or another Scrub, and gives the rest back. What does not change stays its
-- own, however full it is by now. Without a Scrub it waits for another one. `asked` is what the Scrub has to be able to do; null where they
-- have agreed to it.
create function move_booking(moved bookings, places integer, asked jsonb) returns void language plpgsql as $$
declare
  old bookings;
  moves_pickup boolean;
  moves_return boolean;
begin
  -- Before any count.
  perform share_times();
  select * into old from bookings b where b.order_id = moved.order_id for update;
  if not found then return; end if;
  moves_pickup := (moved.pickup_starts, moved.zone_id) is distinct from (old.pickup_starts, old.zone_id);
  moves_return := (moved.return_starts, moved.zone_id) is distinct from (old.return_starts, old.zone_id);
  perform from window_places w
    where w.zone_id in (old.zone_id, moved.zone_id)
      and (moves_pickup and w.kind = 'pickup' and w.starts_at in (old.pickup_starts, moved.pickup_starts)
        or moves_return and w.kind = 'return' and w.starts_at in (old.return_starts, moved.return_starts))
    order by w.kind, w.starts_at, w.zone_id for update;
  if moves_pickup then
    perform leave_place('pickup', old.pickup_starts, old.zone_id);
    perform take_place('pickup', moved.pickup_starts, moved.zone_id, places);
  end if;
  if moves_return then
    perform leave_place('return', old.return_starts, old.zone_id);
    perform take_place('return', moved.return_starts, moved.zone_id, places);
  end if;
  perform from scrub_days d where (d.scrub_id, d.day) in ((old.scrub_id, old.day), (moved.scrub_id, moved.day))
    order by d.scrub_id, d.day for update;
  if asked is not null and not can_take(moved.scrub_id, asked || jsonb_build_object('order', moved.order_id)) then
    perform refuse_booking('scrubFull');
  end if;
  if (moved.scrub_id, moved.day, moved.pounds) is distinct from (old.scrub_id, old.day, old.pounds) then
    perform leave_day(old.scrub_id, old.day, old.pounds);
    perform take_day(moved.scrub_id, moved.day, moved.pounds, asked is not null);
  end if;
  update bookings b set scrub_id = moved.scrub_id, zone_id = moved.zone_id, pickup_starts = moved.pickup_starts,
      return_starts = moved.return_starts, day = moved.day, pounds = moved.pounds
    where b.order_id = moved.order_id;
end $$;

-- Gives back what an order has reserved: once, because the row is gone then.
create function give_back_booking(of_order uuid) returns void language plpgsql as $$
declare
  gone bookings;
begin
  delete from bookings b where b.order_id = of_order returning * into gone;
  if not found then return; end if;
  perform leave_place('pickup', gone.pickup_starts, gone.zone_id);
  perform leave_place('return', gone.return_starts, gone.zone_id);
  perform leave_day(gone.scrub_id, gone.day, gone.pounds);
end $$;

-- Orders with windows share this lock; a closure, a pause and days off take it alone before they look for the orders that they touch. So
-- each order is seen there, or sees them here.
create function times_lock() returns bigint language sql immutable as $$ select hashtextextended('times at which nobody comes', 0) $$;
create function share_times() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(times_lock());
end $$;

-- An order gets no window at a time at which nobody comes, also when that was said after the window was chosen: while its card was asked.
-- Its Scrub may have proposed a time on their days off.
create function orders_keep_open() returns trigger language plpgsql as $$
declare
  zone text;
  paused_until timestamptz;
  chosen record;
begin
  if coalesce(current_setting('rubadub.is_restoring', true), '') = 'on' then return new; end if;
  perform share_times();
  select s.value ->> 'until' into paused_until from settings s where s.name = 'pause' order by s.valid_from desc, s.id desc limit 1;
  select s.value #>> '{}' into zone from settings s where s.name = 'timeZone' order by s.valid_from desc, s.id desc limit 1;
  for chosen in select * from (values (new.pickup_from, new.pickup_until, old.pickup_from), (new.return_from, new.return_until, old.return_from))
    w (starts, ends, before) where w.starts is distinct from w.before
  loop
    if chosen.starts < paused_until or exists (select from closures c where c.taken_back_at is null and c.from_at < chosen.ends
      and chosen.starts < c.until_at and (c.zone_id is null or c.zone_id = new.zone_id)) then perform refuse_booking('windowGone'); end if;
    if tg_op = 'INSERT' and exists (select from scrub_days_off x where x.scrub_id = new.scrub_id
      and to_char(chosen.starts at time zone coalesce(zone, 'UTC'), 'YYYY-MM-DD') between x.from_on and x.until_on) then perform refuse_booking('scrubFull'); end if;
  end loop;
  return new;
end $$;
create trigger orders_keep_open before insert or update of pickup_from, return_from on orders for each row
  when (new.promised_at is not null) execute function orders_keep_open();

-- An order whose card will not pay has ended without work. A trigger, so that no way in which that happens can forget the booking.
create function bookings_follow() returns trigger language plpgsql as $$
begin
  perform give_back_booking(new.order_id);
  return null;
end $$;
create trigger bookings_follow after update of state on payments for each row when (old.state in ('holding', 'held', 'capturing')
  and new.state in ('voiding', 'voided', 'declined')) execute function bookings_follow();

-- Another time that somebody proposes for an order, which its Bud accepts or refuses.
create table proposals (
  id uuid primary key,
  order_id uuid not null references orders,
  -- The windows that are proposed. Without a pickup, the return alone would move.
  pickup_from timestamptz,
  pickup_until timestamptz,
  return_from timestamptz not null,
  return_until timestamptz not null,
  by_role text not null check (by_role in ('Scrub', 'Operator')),
  -- Null for an operator without an account.
  by_id uuid,
  reason text not null,
  words text,
  made_at timestamptz not null,
  -- Until when its Bud can answer.
  answer_by timestamptz not null,
  answer text check (answer in ('yes', 'no', 'withdrawn', 'expired')),
  answered_at timestamptz,
  constraint proposals_answer check ((answer is null) = (answered_at is null)),
  constraint proposals_times check ((pickup_from is null) = (pickup_until is null))
);
create unique index proposals_open on proposals (order_id) where answer is null;
create index proposals_of_order on proposals (order_id, made_at);

-- A promised time that was missed, where the town pays for that by itself: one row an order.
create table missed_promises (
  order_id uuid primary key references orders,
  promised_at timestamptz not null,
  -- What the order had agreed on when the promise was missed: an order that is cleaned again has no times any more.
  pickup_until timestamptz,
  return_from timestamptz,
  cents integer not null check (cents > 0),
  -- `owed` until it is certain who had the laundry then; `kept`: it was back in time, as a phone said later.
  state text not null check (state in ('owed', 'paid', 'kept', 'unpaid')),
  -- Who bears it, from when it is certain.
  liable text check (liable in ('platform', 'scrub', 'duber')),
  liable_user uuid references users,
  -- Who had the laundry at the promised time, and why nothing is paid, from when it is certain.
  holder_role text check (holder_role in ('Bud', 'Scrub', 'Duber')),
  reason text check (reason in ('with-bud', 'late-pickup', 'not-home', 'cancelled', 'nothing-left')),
  -- When the laundry was back, as far as that is known.
  back_at timestamptz,
  refund_id uuid unique references refunds,
  found_at timestamptz not null,
  ended_at timestamptz,
  constraint missed_promises_ended check ((state = 'owed') = (ended_at is null)),
  constraint missed_promises_paid check ((state = 'paid') = (refund_id is not null))
);

-- The ledger and payouts ------------------------------------------------------------------------------

-- What a person is paid for a week.
create table payouts (
  id uuid primary key,
  user_id uuid not null references users,
  -- What was earned before this Monday, 00:00 UTC.
  period_end timestamptz not null check (extract(isodow from period_end at time zone 'UTC') = 1
    and (period_end at time zone 'UTC')::time = '00:00'),
  amount integer not null check (amount > 0),
  state text not null check (state in ('due', 'sent', 'returned')),
  method text,
  batch text,
  created_at timestamptz not null,
  sent_at timestamptz,
  returned_at timestamptz,
  -- Its entry in the ledger, which gives the money back to the person. No foreign key: entries have one to payouts, and a backup
  -- needs an order of the tables.
  return_entry bigint,
  constraint payouts_once unique (user_id, period_end),
  constraint payouts_returned check (((state = 'returned') = (returned_at is not null)) and ((returned_at is null) = (return_entry
    is null)))
);
create index payouts_by_period on payouts (period_end desc, id desc);
create index payouts_due on payouts (created_at) where state = 'due';
create index payouts_of_batch on payouts (batch) where batch is not null;

create function ledger_balance() returns trigger language plpgsql as $$
declare
  entry bigint := case tg_table_name when 'ledger_lines' then (to_jsonb(new) ->> 'entry_id')::bigint
    else (to_jsonb(new) ->> 'id')::bigint end;
  total bigint;
  many integer;
begin
  select coalesce(sum(l.amount), 0), count(*) into total, many from ledger_lines l where l.entry_id = entry;
  if total <> 0 or many < 2 then
    raise exception 'entry % of the ledger has % lines that add up to % cents', entry, many, total
      using errcode = '23514', constraint = 'ledger_balance';
  end if;
  return null;
end $$;

create function ledger_open() returns trigger language plpgsql as $$
begin
  new.written_in := pg_current_xact_id();
  return new;
end $$;

-- Double entry, append-only: every entry has lines that add up to zero. A person's balance is a sum over lines.
create table ledger_entries (
  id bigint generated always as identity primary key,
  kind text not null,
  order_id uuid references orders,
  delivery_id uuid references deliveries,
  refund_id uuid references refunds,
  payout_id uuid references payouts,
  at timestamptz not null,
  written_in xid8 not null,
  constraint ledger_entries_tell check (case
    when kind in ('captured', 'completed', 'adjusted', 'held', 'card-fee', 'disputed', 'dispute-won', 'dispute-lost')
      then order_id is not null and num_nonnulls(delivery_id, refund_id, payout_id) = 0
    when kind in ('delivered', 'trip', 'returned', 'relayed', 'corrected')
      then order_id is not null and delivery_id is not null and num_nonnulls(refund_id, payout_id) = 0
    when kind = 'refunded' then order_id is not null and refund_id is not null and num_nonnulls(delivery_id, payout_id) = 0
    when kind = 'paid-out' then payout_id is not null and num_nonnulls(order_id, delivery_id, refund_id) = 0
    -- Its payout names it: an entry with a payout_id is the one that paid it.
    when kind = 'payout-returned' then num_nonnulls(order_id, delivery_id, refund_id, payout_id) = 0
    else false end)
);
-- What is compared with the card network, day by day.
create index ledger_entries_of_card_network on ledger_entries (at, id) where kind in ('captured', 'refunded', 'disputed');
create index ledger_entries_of_delivery on ledger_entries (delivery_id) where delivery_id is not null;
create unique index ledger_entries_once_a_payout on ledger_entries (payout_id) where payout_id is not null;
create unique index ledger_entries_once_a_refund on ledger_entries (refund_id) where refund_id is not null;
create unique index ledger_entries_once_an_order on ledger_entries (order_id, kind) where kind in ('captured', 'completed');
create constraint trigger ledger_balance after insert on ledger_entries deferrable initially deferred for each row execute
  function ledger_balance();
create trigger ledger_keep before delete or update or truncate on ledger_entries for each statement execute function
  ledger_keep();
create trigger ledger_open before insert on ledger_entries for each row execute function ledger_open();

create function ledger_join() returns trigger language plpgsql as $$
declare entry record;
begin
  select e.kind, e.at, e.written_in into entry from ledger_entries e where e.id = new.entry_id;
  if entry.written_in is distinct from pg_current_xact_id() then
    raise exception 'an entry of the ledger is written in one transaction' using errcode = '23514';
  end if;
  new.kind := entry.kind;
  new.at := entry.at;
  return new;
end $$;

create function ledger_tallies_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into ledger_tallies as t (party, account, kind, amount)
      select party, account, kind, sum(amount) from (
        select r.party, r.account, r.kind, r.amount::bigint as amount from added r where r.party is not null) c
      group by party, account, kind having sum(amount) <> 0 order by party, account, kind
      on conflict (party, account, kind) do update set amount = t.amount + excluded.amount;
  elsif tg_op = 'UPDATE' then
    insert into ledger_tallies as t (party, account, kind, amount)
      select party, account, kind, sum(amount) from (
        select r.party, r.account, r.kind, -r.amount::bigint as amount from gone r where r.party is not null
        union all select r.party, r.account, r.kind, r.amount::bigint as amount from added r where r.party is not null) c
      group by party, account, kind having sum(amount) <> 0 order by party, account, kind
      on conflict (party, account, kind) do update set amount = t.amount + excluded.amount;
  else
    insert into ledger_tallies as t (party, account, kind, amount)
      select party, account, kind, sum(amount) from (
        select r.party, r.account, r.kind, -r.amount::bigint as amount from gone r where r.party is not null) c
      group by party, account, kind having sum(amount) <> 0 order by party, account, kind
      on conflict (party, account, kind) do update set amount = t.amount + excluded.amount;
  end if;
  return null;
end $$;

create table ledger_lines (
  entry_id bigint not null references ledger_entries,
  position integer not null check (position >= 0),
  account text not null check (account in ('card-clearing', 'unearned', 'scrub', 'duber', 'platform-revenue', 'taxes-payable',
    'refund-costs', 'payouts', 'card-fees', 'disputes', 'promotions')),
  party uuid references users,
  -- Cents; debits above zero, credits below.
  amount integer not null check (amount <> 0),
  -- Of its entry. A trigger writes both, so that one index answers for the lines of a person.
  kind text not null,
  at timestamptz not null,
  primary key (entry_id, position),
  constraint ledger_lines_party check ((party is not null) = (account in ('card-clearing', 'scrub', 'duber', 'payouts')))
);
create index ledger_lines_by_time on ledger_lines using brin (at) with (autosummarize=on);
create index ledger_lines_of_party on ledger_lines (party, account, kind, at) include (amount) where party is not null;
create constraint trigger ledger_balance after insert on ledger_lines deferrable initially deferred for each row execute function
  ledger_balance();
create trigger ledger_join before insert on ledger_lines for each row execute function ledger_join();
create trigger ledger_keep before delete or update or truncate on ledger_lines for each statement execute function ledger_keep();
create trigger ledger_tallies_delete after delete on ledger_lines referencing old table as gone for each statement execute
  function ledger_tallies_keep();
create trigger ledger_tallies_insert after insert on ledger_lines referencing new table as added for each statement execute
  function ledger_tallies_keep();
create trigger ledger_tallies_update after update on ledger_lines referencing old table as gone new table as added for each
  statement execute function ledger_tallies_keep();

-- Entries that correct the ledger of an order, with an operator's approval.
create table adjustments (
  entry_id bigint primary key references ledger_entries,
  order_id uuid not null references orders,
  reason text not null,
  set_by text not null
);
create index adjustments_of_order on adjustments (order_id);
create trigger ledger_keep before delete or update or truncate on adjustments for each statement execute function ledger_keep();

-- What Dubers are paid for a delivery: each kind once an attempt. The lines of the money are in the ledger.
create table earnings (
  delivery_id uuid not null references deliveries,
  attempt integer not null,
  duber_id uuid not null references users,
  kind text not null check (kind in ('leg', 'trip', 'return', 'relay')),
  cents integer not null check (cents >= 0),
  order_id uuid not null references orders,
  -- Null when there was nothing to write.
  entry_id bigint references ledger_entries,
  -- The contrary entry, once it was taken back.
  undone_by bigint references ledger_entries,
  undone_at timestamptz,
  at timestamptz not null,
  -- The part that the order pays: the Bud's fee for this way, as far as it was still there.
  from_order integer not null,
  -- The Scrub who pays the rest; null when the platform does.
  bearer_id uuid references users,
  primary key (delivery_id, attempt, kind, duber_id),
  constraint earnings_from_order check (from_order >= 0 and from_order <= cents)
);
create index earnings_beyond_order on earnings (duber_id, at) where cents > from_order;
create index earnings_of_order on earnings (order_id);

-- Each line of a person's account is in one payout at most.
create table payout_lines (
  entry_id bigint not null,
  position integer not null,
  payout_id uuid not null references payouts,
  primary key (entry_id, position),
  constraint payout_lines_of_ledger foreign key (entry_id, position) references ledger_lines
);
create index payout_lines_of_payout on payout_lines (payout_id);
create trigger ledger_keep before delete or update or truncate on payout_lines for each statement execute function ledger_keep();

-- Credits that are no part of a payout yet.
create table payout_holds (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders,
  account text not null check (account in ('scrub', 'duber')),
  user_id uuid not null references users,
  reason text not null,
  case_id uuid,
  -- The most that is held; null for all that the order credits to this person.
  cents integer check (cents > 0),
  -- The entry whose credit is the held part; null when the whole credit is held, or there was none.
  entry_id bigint references ledger_entries,
  since timestamptz not null,
  -- When it ends by itself.
  until timestamptz,
  ended_at timestamptz,
  earning_entry bigint references ledger_entries,
  constraint payout_holds_once unique nulls not distinct (order_id, account, user_id, reason, case_id, earning_entry)
);
create index payout_holds_of_case on payout_holds (case_id) where case_id is not null and ended_at is null;
create index payout_holds_of_earning on payout_holds (earning_entry) where earning_entry is not null;
create index payout_holds_of_user on payout_holds (user_id) where ended_at is null;

create table payout_accounts (
  user_id uuid primary key references users,
  method text not null check (method in ('us-bank', 'iban')),
  -- The whole account, encrypted with the installation's key.
  sealed bytea not null,
  last4 text not null,
  -- Payouts wait for a while after it.
  changed_at timestamptz not null,
  -- A keyed digest of the number, so that two people with the same number are found without decrypting anybody's. Null until the
  -- server has seen the number with its key.
  mark bytea
);

create table payout_runs (
  period_end timestamptz primary key,
  finished_at timestamptz not null
);

-- The files that banks read, as they were when they were first made: the same batch makes the same file.
create table payout_files (
  batch text not null,
  format text not null check (format in ('nacha', 'iso-20022')),
  -- The day of the town on which it was made, and which one it was of its format.
  day text not null,
  number integer not null check (number > 0),
  made_at timestamptz not null,
  -- What is in it, encrypted: it has the bank accounts of people.
  sealed bytea not null,
  primary key (batch, format),
  constraint payout_files_once_a_day unique (format, day, number)
);

-- The tax number of a worker. A new one replaces it, so nothing is left of an earlier one.
create table tax_ids (
  user_id uuid primary key references users,
  kind text not null check (kind in ('ssn', 'ein', 'itin', 'tin')),
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- All of it, with the name on the tax return, encrypted with the installation's key.
  sealed bytea not null,
  last4 text not null,
  changed_at timestamptz not null,
  -- As in payout_accounts.
  mark bytea,
  constraint tax_ids_american check ((kind = 'tin') = (country <> 'US'))
);

-- Cases -----------------------------------------------------------------------------------------------

-- What went wrong with an order, who is asked, and what was decided.
create table cases (
  id uuid primary key,
  -- The number that people say: C-207.
  no integer generated by default as identity (start with 101) unique,
  kind text not null,
  -- Of what opened it by itself, and of a question.
  reason text,
  order_id uuid references orders,
  delivery_id uuid references deliveries,
  -- Null for a case that opened by itself.
  opened_by uuid references users,
  -- Whose doing it may be: who answers a claim.
  about_user uuid references users,
  about_role text check (about_role in ('Scrub', 'Duber')),
  status text not null check (status in ('with-scrub', 'with-duber', 'with-bud', 'with-town', 'decided', 'closed')),
  priority text not null check (priority in ('normal', 'high')),
  -- How many events it has: the position of the next one, by which a timer knows whether it was started again.
  steps integer not null default 0,
  -- What the Scrub or the Duber has offered last, and the cents of give-back.
  offer text check (offer in ('clean-again', 'give-back', 'was-before')),
  offer_cents integer check (offer_cents > 0),
  decided_at timestamptz,
  decided_by text check (decided_by in ('Bud', 'Operator', 'System')),
  contested_at timestamptz,
  created_at timestamptz not null,
  constraint cases_about check ((about_user is null) = (about_role is null)),
  constraint cases_have_a_subject check (kind = 'question' or (num_nonnulls(order_id, delivery_id) > 0)),
  constraint cases_offer check ((offer_cents is not null) = (not (offer is distinct from 'give-back'))),
  constraint cases_waits_for check (status not in ('with-scrub', 'with-duber') or about_user is not null)
);
create index cases_by_status on cases (status, created_at);
create index cases_of_opener on cases (opened_by, created_at) where opened_by is not null;
create index cases_of_order on cases (order_id) where order_id is not null;
create index cases_of_town on cases (priority, created_at) where status = 'with-town';
create unique index cases_once_automatic on cases (coalesce(delivery_id, order_id), kind) where opened_by is null and status not
  in ('decided', 'closed');
create unique index cases_one_by_a_person on cases (order_id, opened_by, kind) where kind in ('claim', 'relay') and status not in
  ('decided', 'closed');

-- Who may read a case.
create table case_people (
  user_id uuid not null references users,
  case_id uuid not null references cases,
  primary key (user_id, case_id)
);
create index case_people_of on case_people (case_id);

-- The refunds that a case has caused: one for each liable side and decision, so that none happens twice.
create table case_refunds (
  case_id uuid not null references cases,
  -- The event that caused it.
  position integer not null,
  liable text not null,
  refund_id uuid unique not null references refunds,
  -- The same with taxes, as it was decided.
  forgiven integer not null default 0 check (forgiven >= 0),
  primary key (case_id, position, liable)
);

create table claim_items (
  case_id uuid not null references cases,
  n integer not null check (n > 0),
  what text not null,
  kind text not null check (kind in ('damaged', 'stained', 'missing', 'wet', 'wrong-bag', 'late', 'smell')),
  worth integer not null check (worth >= 0),
  age_months integer not null check (age_months >= 0),
  asked integer not null check (asked >= 0),
  -- What the town has decided.
  decided integer check (decided >= 0),
  liable text check (liable in ('platform', 'scrub', 'duber')),
  primary key (case_id, n),
  constraint claim_items_check check ((decided is null) = (liable is null))
);

-- Two people of one order who may be the same person, and the case in which the town looks at it.
create table same_people (
  one uuid not null references users,
  other uuid not null references users,
  case_id uuid not null references cases,
  marks text[] not null,
  found_at timestamptz not null,
  primary key (one, other, case_id),
  constraint same_people_check check (one < other)
);
create index same_people_of_case on same_people (case_id);

-- Histories -------------------------------------------------------------------------------------------

create function steps_keep() returns trigger language plpgsql as $$
begin
  -- The texts and places of people who are erased.
  if tg_op = 'UPDATE' and coalesce(current_setting('rubadub.is_erasing', true), '') = 'on' then return null; end if;
  raise exception 'what happened is never changed' using errcode = '23514';
end $$;

-- The history of each order, delivery and case: the rows of the workflows that somebody has taken. Search it by `subject_id`.
create table steps (
  subject_kind text not null check (subject_kind in ('order', 'delivery', 'case')),
  subject_id uuid not null,
  -- 0, 1, 2 ... of its subject.
  position integer not null,
  -- The round of an order, or the attempt of a delivery: an action is taken once in each. Null for a case.
  attempt integer,
  -- The row of the workflow, and the status that it led to.
  action text not null,
  status text not null,
  actor_role text not null check (actor_role in ('Bud', 'Scrub', 'Duber', 'Operator', 'System')),
  -- A person or an operator. Null for the System, and for the operator of a case.
  actor_id uuid,
  -- The operator's name, of a case.
  actor_name text,
  -- Why, where a row asks for a reason, and what was written.
  reason text,
  words text,
  -- The photos that the step was sent with.
  file_ids uuid[] not null default '{}',
  at timestamptz not null,
  -- When the Duber's device took a step that could only be sent later.
  taken_at timestamptz,
  -- From when an arrival counts that was said earlier than its Duber can have been there.
  counts_from timestamptz,
  -- Of a failure: whether more than the word of the Duber says so.
  is_proven boolean,
  -- Of a case: the id by which its notices name the step, what was offered or given back with it, and where.
  id uuid,
  offer text,
  cents integer,
  latitude float8,
  longitude float8,
  -- The subject as a foreign key.
  of_order uuid generated always as (case subject_kind when 'order' then subject_id end) stored references orders,
  of_delivery uuid generated always as (case subject_kind when 'delivery' then subject_id end) stored references deliveries,
  of_case uuid generated always as (case subject_kind when 'case' then subject_id end) stored references cases,
  primary key (subject_id, position),
  constraint steps_of_case check ((subject_kind = 'case') = (id is not null) and (subject_kind = 'case') = (attempt is null))
);
create unique index steps_by_id on steps (id) where id is not null;
-- An order can move to other windows more than once in a round.
create unique index steps_once_an_attempt on steps (subject_id, attempt, action)
  where action not in ('move-window', 'propose-window', 'accept-window', 'refuse-window', 'window-unanswered');
create index steps_unplanned on steps (actor_id, action) where action in ('give-back', 'reject-order', 'drop-delivery',
  'pickup-failed', 'drop-failed');
create trigger steps_keep before delete or update or truncate on steps for each statement execute function steps_keep();

-- Chargebacks -----------------------------------------------------------------------------------------

-- A payment that a cardholder contests at their bank.
create table disputes (
  id uuid primary key,
  square_id text unique not null,
  order_id uuid not null references orders,
  cents integer not null check (cents > 0),
  -- In the words of the card network, as is its state.
  reason text not null,
  network_state text not null,
  -- The card network counts the changes of its state: an answer that is older than one that came before it is not read.
  network_version integer not null default 0,
  status text not null check (status in ('open', 'prepared', 'sent', 'won', 'lost')),
  -- When the bank wants an answer.
  due_at timestamptz,
  seen_at timestamptz not null,
  -- What is sent to the bank, in pieces as the card network takes them.
  evidence text[],
  prepared_at timestamptz,
  prepared_by text,
  -- What an operator has decided and the card network does not know yet.
  call text check (call in ('send', 'accept')),
  call_due_at timestamptz,
  tries integer not null default 0,
  -- Why the card network did not take it.
  failure text,
  -- Who bears it when it is accepted: null for the platform.
  liable_account text check (liable_account in ('scrub', 'duber')),
  liable_user uuid references users,
  sent_at timestamptz,
  ended_at timestamptz,
  -- Its entries in the ledger. Without the first one no money was taken.
  debit_entry bigint references ledger_entries,
  end_entry bigint references ledger_entries,
  constraint disputes_call check ((call is null) = (call_due_at is null)),
  constraint disputes_end check ((status in ('won', 'lost')) = (ended_at is not null)),
  constraint disputes_liable check ((liable_account is null) = (liable_user is null))
);
create index disputes_ended on disputes (ended_at desc, id) where ended_at is not null;
create index disputes_of_order on disputes (order_id);
create index disputes_open on disputes (due_at, id) where ended_at is null;
create index disputes_to_call on disputes (call_due_at) where call is not null;

-- When the card network is asked for its chargebacks next.
create table dispute_polls (
  one_row boolean primary key default true check (one_row),
  due_at timestamptz not null
);

-- Totals of lists -------------------------------------------------------------------------------------

-- How many orders each person has in each status. Lists show these counts without counting.
create table order_tallies (
  person_id uuid not null references users,
  status text not null,
  orders bigint not null,
  -- Cents.
  total_price bigint not null,
  load_price bigint not null,
  primary key (person_id, status)
) with (fillfactor=70);

create table delivery_tallies (
  person_id uuid not null references users,
  status text not null,
  deliveries bigint not null,
  -- Cents, metres.
  price bigint not null,
  distance_m bigint not null,
  primary key (person_id, status)
) with (fillfactor=70);

create table ledger_tallies (
  party uuid not null references users,
  account text not null,
  kind text not null,
  -- Cents; debits above zero.
  amount bigint not null,
  primary key (party, account, kind)
) with (fillfactor=70);

-- Live events -----------------------------------------------------------------------------------------

-- Two steps of an order wait for each other, but the second may have begun first: its transaction has the lower id. So `tx`, by
-- which events are read, is at least as high as every transaction that had ended when the event was written. An event is still
-- read only when all transactions up to its `tx` have ended, so none can appear later before another. Volatile plpgsql, because
-- that takes a new snapshot: the snapshot of the statement may be from before a wait for a lock.
create function event_order() returns xid8 language plpgsql as $$
begin
  return greatest(pg_current_xact_id(),
    (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8);
end $$;

-- What changed, for the people whose screens show it. Kept for a while, so that a client can catch up.
create table live_events (
  -- The transaction that wrote the event. Ids are taken before the commit, so only `tx` tells what may still appear.
  tx xid8 not null default event_order(),
  id bigint generated always as identity,
  -- Besides them, the event is for the Dubers near the place, if there is a place.
  people uuid[] not null,
  entity text not null check (entity in ('order', 'delivery', 'position', 'case')),
  entity_id uuid not null,
  status text,
  at timestamptz not null,
  latitude float8,
  longitude float8,
  band integer,
  written_in xid8 default pg_current_xact_id(),
  primary key (tx, id),
  constraint live_events_check check ((status is null) = (entity = 'position')),
  constraint live_events_check1 check (((latitude is null) = (longitude is null)) and ((latitude is null) = (band is null)))
);
create index live_events_around on live_events (band, tx, id) where band is not null;
create index live_events_of_people on live_events using gin (people) with (fastupdate=off);
create index live_events_of_position on live_events (entity_id) where entity = 'position';

create table events_cleared (
  only_one boolean primary key default true check (only_one),
  tx xid8 not null
);

-- Mails and pushes ------------------------------------------------------------------------------------

-- The outbox: every mail and push is a row, written in the transaction of the step that causes it and sent after the commit.
create table notifications (
  kind text not null,
  -- The order, delivery or payout.
  about uuid not null,
  channel text not null,
  -- The person for a mail, the subscription for a push.
  target uuid not null,
  user_id uuid,
  state text not null check (state in ('due', 'sent', 'dropped', 'given-up')),
  tries integer not null default 0,
  -- When the next try is due. During a try, when other workers may take the message.
  due_at timestamptz,
  -- Why it was not sent, yet or for good.
  failure text,
  created_at timestamptz not null,
  done_at timestamptz,
  recipient text,
  -- Subject, text and HTML of an account mail. Erased once it is sent or given up: it holds a code or a link.
  rendered_mail jsonb,
  primary key (about, kind, channel, target),
  constraint notifications_due_or_done check ((state = 'due') = (due_at is not null)),
  constraint notifications_channel check (channel in ('mail', 'push', 'account-mail')),
  constraint notifications_recipient check ((channel = 'account-mail') = (kind = 'account') and (kind = 'account') = (recipient is not null)
    and (kind = 'account') = (user_id is null))
);
create index notifications_due on notifications (channel, due_at) where due_at is not null;
create index notifications_given_up on notifications (done_at) where state = 'given-up';

create table notification_choices (
  user_id uuid not null references users,
  kind text not null,
  mail boolean not null,
  push boolean not null,
  primary key (user_id, kind)
);

create table push_subscriptions (
  id uuid primary key,
  user_id uuid not null references users,
  -- After a sign-out on the device, or everywhere, nothing is sent to the device any more.
  session_hash bytea not null references sessions on delete cascade,
  endpoint text not null,
  -- An address may be longer than an index takes.
  endpoint_hash bytea not null,
  p256dh text not null,
  auth text not null,
  agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- How often in a row the push service did not answer, and since when.
  unanswered integer not null default 0,
  unanswered_since timestamptz,
  constraint push_subscriptions_endpoint unique (endpoint_hash)
);
create index push_subscriptions_of_session on push_subscriptions (session_hash);
create index push_subscriptions_of_user on push_subscriptions (user_id, created_at);

-- Deliveries that the Dubers nearby have not been told about yet.
create table nearby_notices (
  delivery_id uuid primary key,
  latitude float8 not null,
  longitude float8 not null,
  created_at timestamptz not null
);

-- Repeated requests -----------------------------------------------------------------------------------

-- Of each request with an Idempotency-Key: what it was answered, so that a repeat changes nothing.
create table requests (
  -- A person or an operator.
  actor_id uuid not null,
  -- The digest of the key and of who sent it.
  key_hash bytea not null,
  call text not null,
  -- The order, delivery or case of the call; the actor where the call has none.
  subject_id uuid not null,
  -- The digest of what was sent, where the call refuses the key with another body.
  body_hash bytea,
  -- As it was sent: `json` keeps the order of the properties. Null when a repeat reads the answer again.
  answer json,
  at timestamptz not null,
  primary key (actor_id, key_hash, call, subject_id)
);

-- Timers ----------------------------------------------------------------------------------------------

-- What the server does by itself when nobody does anything: a System row of a workflow, and when it is due.
create table timers (
  subject_kind text not null check (subject_kind in ('order', 'delivery', 'case', 'approval', 'suspension', 'dispute',
    'admission', 'erasure')),
  subject_id uuid not null,
  action text not null,
  -- Later while a worker has the timer.
  due_at timestamptz not null,
  -- The position of the step that started the timer. A timer that another step started again is another timer.
  armed_by_step integer not null,
  primary key (subject_id, action)
);
create index timers_due on timers (due_at);

-- What a new installation begins with -----------------------------------------------------------------

insert into events_cleared (tx) values ('0');
insert into audit_head (id, hash) values (0, '');
insert into dispute_polls (due_at) values ('2000-01-01');
insert into admission_sweeps default values;
insert into requirements (role, kind, needed, renew_days) values
  ('Duber', 'identity', true, null), ('Duber', 'licence', true, 1826), ('Duber', 'insurance', true, 366),
  ('Scrub', 'identity', true, null), ('Scrub', 'detergent-safety', true, 731);
-- spec 1, spec 9 and the defaults of the installation.
insert into prices (item, valid_from, value) select item, '2000-01-01T00:00:00Z', value from (values
  ('wash-and-fold', 250), ('dry-cleaning', 800), ('delicate', 400), ('pickup', 599), ('delivery', 599), ('platform-fee', 1000),
  ('taxes', 800), ('tax-rounding', 0), ('claim-garment', 5000), ('claim-order', 30000)) p (item, value);
