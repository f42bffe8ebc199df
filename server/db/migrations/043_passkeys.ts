import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // A second factor of an operator besides the authenticator app.
  `create table passkeys (
    id uuid primary key,
    operator_id uuid not null references operators,
    -- In base64url, as browsers send it.
    credential_id text not null unique,
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
  )`,
  'create index passkeys_of_operator on passkeys (operator_id)',
  // What a browser is asked to sign. The row goes with the answer: each is used once.
  `create table passkey_challenges (
    challenge_hash bytea primary key,
    operator_id uuid not null references operators,
    purpose text not null check (purpose in ('add', 'sign-in', 'step-up')),
    expires_at timestamptz not null
  )`,
  'create index passkey_challenges_of_operator on passkey_challenges (operator_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
