import { type Kysely, sql } from 'kysely';

// Creates an empty table only.
const EMAIL_CHANGES = `
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
)`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(EMAIL_CHANGES).execute(db);
}
