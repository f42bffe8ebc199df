import { sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

export type KeyName = 'vapid' | 'unsubscribe';
export type KeyRow = { readonly publicKey: string | null; readonly secret: string };

export function readKey(tx: Tx, name: KeyName): Promise<KeyRow | undefined> {
  return queryRow(tx, sql`select public_key as "publicKey", secret from keys where name = ${name}`);
}

/** Keeps a key unless there is one already, and gives the one that is kept: the same for all who start at once. */
export async function insertKeyIfMissing(tx: Tx, name: KeyName, key: KeyRow, now: Date): Promise<KeyRow> {
  await queryRows(
    tx,
    sql`insert into keys (name, public_key, secret, created_at)
      values (${name}, ${key.publicKey}, ${key.secret}, ${now}) on conflict (name) do nothing`,
  );
  const kept = await readKey(tx, name);
  if (!kept) throw new Error(`the ${name} key was not kept`);
  return kept;
}
