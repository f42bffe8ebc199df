import type { Tx } from './database.ts';

export type KeyName = 'vapid' | 'unsubscribe' | 'record';
export type KeyRow = { readonly publicKey: string | null; readonly secret: string };

export function readKey(tx: Tx, name: KeyName): Promise<KeyRow | undefined> {
  return tx
    .selectFrom('keys')
    .select(['public_key as publicKey', 'secret'])
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Stores a key unless there is one, and returns the stored one: servers that start at once agree on it. */
export async function insertKeyIfMissing(tx: Tx, name: KeyName, key: KeyRow, now: Date): Promise<KeyRow> {
  await tx
    .insertInto('keys')
    .values({ name, public_key: key.publicKey, secret: key.secret, created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const stored = await readKey(tx, name);
  if (!stored) throw new Error(`the ${name} key was not stored`);
  return stored;
}
