import { type Kysely, sql } from 'kysely';

// Every statement changes the catalog only, or creates an empty table.
const SIGN_IN = [
  // Where a session was opened. Null for sessions of earlier releases.
  `alter table sessions
    -- The address that limits count: an IPv4 address, or the /64 of an IPv6 address.
    add column network text,
    -- As people read it: 'Firefox on Android'.
    add column browser text,
    -- The digest of the random id that the browser keeps, if it sent one.
    add column device bytea`,
  // The devices, networks, and browsers in a network, from which a user has signed in with the right password or code.
  `create table known_devices (
    user_id uuid not null references users,
    kind text not null constraint known_devices_kind check (kind in ('device', 'network', 'browser')),
    -- The hexadecimal digest of a device's id, a network, or 'Firefox on Android in 203.0.113.9'.
    value text not null,
    last_seen_at timestamptz not null,
    primary key (user_id, kind, value)
  )`,
  // Wrong passwords for an e-mail address, by where they came from. Replaces sign_in_failures, which the previous release
  // still uses while it serves. A later release drops it.
  `create table sign_in_attempts (
    email_key text not null,
    -- 'network …' (an address, a /64 or a /48), 'device …', or 'all' for all networks that the account does not know.
    origin text not null,
    failures integer not null,
    blocked_until timestamptz not null,
    primary key (email_key, origin)
  )`,
  // Where a link was asked for. Null in requests of the previous release. They are deleted when they are answered.
  `alter table reset_requests
    add column network text,
    -- The hexadecimal digest of the device's id.
    add column device text`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of SIGN_IN) await sql.raw(statement).execute(db);
}
