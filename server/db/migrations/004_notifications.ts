import { type Kysely, sql } from 'kysely';

const KINDS = `('placed', 'accepted', 'rejected', 'expired', 'delivered', 'payout', 'nearby')`;

const NOTIFICATIONS = `
-- The installation's own keys, made at its first start and shared by all its processes.
create table keys (
  name text primary key check (name in ('vapid', 'unsubscribe')),
  public_key text,
  secret text not null,
  created_at timestamptz not null
);

-- What people chose; without a row the usual holds.
create table notification_choices (
  user_id uuid not null references users,
  kind text not null check (kind in ${KINDS}),
  mail boolean not null,
  push boolean not null,
  primary key (user_id, kind)
);

create table push_subscriptions (
  id uuid primary key,
  user_id uuid not null references users,
  -- Whoever signs out of a device, or is signed out everywhere, gets nothing on it any more.
  session_hash bytea not null references sessions (token_hash) on delete cascade,
  endpoint text not null,
  -- An address may be longer than an index takes.
  endpoint_hash bytea not null constraint push_subscriptions_endpoint unique,
  p256dh text not null,
  auth text not null,
  agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index push_subscriptions_of_user on push_subscriptions (user_id, created_at);
create index push_subscriptions_of_session on push_subscriptions (session_hash);

-- One row a message, channel and target; its key is what makes it once whatever runs twice.
create table notifications (
  kind text not null check (kind in ${KINDS}),
  -- The order, delivery or payout.
  about uuid not null,
  channel text not null check (channel in ('mail', 'push')),
  -- The person for a mail, the subscription for a push.
  target uuid not null,
  user_id uuid not null,
  state text not null check (state in ('due', 'sent', 'dropped', 'given-up')),
  tries integer not null default 0,
  -- When it is tried next; while it is being tried, when others may believe that nobody does any more.
  due_at timestamptz,
  -- Why it was not sent, yet or for good.
  failure text,
  created_at timestamptz not null,
  done_at timestamptz,
  primary key (about, kind, channel, target),
  constraint notifications_due_or_done check ((state = 'due') = (due_at is not null))
);
-- Why a mail that somebody asked for, a code say, was given up.
alter table mails add column failure text;
create index mails_given_up on mails (given_up_at) where given_up_at is not null;

-- Deliveries that began to wait, for whose Dubers around no messages are written yet.
create table nearby_notices (
  delivery_id uuid primary key,
  latitude double precision not null,
  longitude double precision not null,
  created_at timestamptz not null
);

create index notifications_due on notifications (channel, due_at) where due_at is not null;
create index notifications_given_up on notifications (done_at) where state = 'given-up';
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of NOTIFICATIONS.split(/;\s*\n/)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
