import { sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

export type ResetRequest = { readonly emailKey: string; readonly requestedAt: Date };

export async function writeResetRequest(
  tx: Tx,
  id: string,
  { emailKey, requestedAt: askedAt }: ResetRequest,
): Promise<void> {
  await queryRows(
    tx,
    sql`insert into reset_requests (id, email_key, asked_at) values (${id}, ${emailKey}, ${askedAt})`,
  );
}

export async function hasResetRequest(tx: Tx): Promise<boolean> {
  return (await queryRow(tx, sql`select 1 as there from reset_requests limit 1`)) !== undefined;
}

/** Takes the oldest request for a link, in the transaction that answers it. */
export async function takeResetRequest(tx: Tx): Promise<ResetRequest | undefined> {
  const taken = await queryRow<{ email_key: string; asked_at: Date }>(
    tx,
    sql`delete from reset_requests
      where id = (select id from reset_requests order by asked_at, id limit 1 for update skip locked)
      returning email_key, asked_at`,
  );
  return taken && { emailKey: taken.email_key, requestedAt: taken.asked_at };
}

export async function writeResetLink(
  tx: Tx,
  link: { tokenHash: Buffer; userId: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  await queryRows(
    tx,
    sql`insert into reset_links (token_hash, user_id, created_at, expires_at)
      values (${link.tokenHash}, ${link.userId}, ${now}, ${link.expiresAt})
      on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at,
        expires_at = excluded.expires_at`,
  );
}

export async function isResetLinkValid(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  return (
    (await queryRow(
      tx,
      sql`select 1 as good from reset_links where token_hash = ${tokenHash} and expires_at > ${now}`,
    )) !== undefined
  );
}

/** Uses a link up and gives whose it was; undefined when it is used, stale or made up. */
export async function consumeResetLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<string | undefined> {
  const used = await queryRow<{ user_id: string }>(
    tx,
    sql`delete from reset_links where token_hash = ${tokenHash} and expires_at > ${now} returning user_id`,
  );
  return used?.user_id;
}
