import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { expect, test } from 'vitest';
import { createTestDatabase, DATABASE_KINDS } from '../../testing/testServer.ts';
import { findAccountByEmail } from '../accounts/accounts.sql.ts';
import { openEmbeddedDatabase, openServerDatabase, queryRow, type Tx } from './database.ts';
import { migrate } from './migrate.ts';
import { up } from './migrations/013_email_keys.ts';

/** Stores an account as earlier releases did, and returns its id. */
async function insertAccount(db: Tx, email: string): Promise<string> {
  const id = newId();
  await sql`insert into users (id, fullname, email, email_key, role, password_hash, created_at)
    values (${id}, 'Ada', ${email}, ${email.toLowerCase()}, 'Bud', 'x', now())`.execute(db);
  return id;
}

test.each(DATABASE_KINDS)('accounts from before get the canonical form of their address, on %s', async (kind) => {
  const database =
    kind === 'embedded' ? await openEmbeddedDatabase(undefined) : openServerDatabase(await createTestDatabase(), 1);
  try {
    const { db } = database;
    await migrate(db);
    const keyOf = async (id: string) =>
      (await queryRow<{ key: string }>(db, sql`select email_key as key from users where id = ${id}`))?.key;
    const findId = async (email: string) => (await findAccountByEmail(db, email))?.id;

    const plain = await insertAccount(db, 'Plain+1@Example.org');
    const dotted = await insertAccount(db, 'dot@example.org.');
    const umlaut = await insertAccount(db, 'umlaut@EX\u00C4MPLE.org');
    const wide = await insertAccount(db, 'wide@\uFF45xample.org');
    // These two have one mailbox, and these three cannot be signed up with any more.
    const twins = [await insertAccount(db, 'twin@example.org'), await insertAccount(db, 'twin@ex\u00ADample.org')];
    const accented = await insertAccount(db, 'JOS\u00C9@Example.org');
    const lookalike = await insertAccount(db, 'mi\u212Ae@example.org');
    const double = await insertAccount(db, 'a..b@example.org');
    await up(db as never);
    await up(db as never);

    expect(await Promise.all([plain, dotted, umlaut, wide].map(keyOf))).toEqual([
      'plain+1@example.org',
      'dot@example.org',
      'umlaut@xn--exmple-cua.org',
      'wide@example.org',
    ]);
    expect(await Promise.all([...twins, accented, lookalike, double].map(keyOf))).toEqual([
      'twin@example.org',
      'twin@ex\u00ADample.org',
      'jos\u00E9@example.org',
      'mi\u212Ae@example.org',
      'a..b@example.org',
    ]);
    // Everybody is found with the address that they typed at their sign-up, in any case, and with the canonical one.
    const spellings: [string, string | undefined][] = [
      ['PLAIN+1@example.org', plain],
      ['dot@example.org.', dotted],
      ['Dot@example.org', dotted],
      ['umlaut@ex\u00E4mple.org', umlaut],
      ['umlaut@xn--exmple-cua.org', umlaut],
      ['wide@\uFF45xample.org', wide],
      ['wide@example.org', wide],
      ['twin@example.org', twins[0]],
      ['TWIN@ex\u00ADample.org', twins[1]],
      ['jos\u00E9@example.org', accented],
      ['JOS\u00C9@EXAMPLE.ORG', accented],
      ['mi\u212Ae@example.org', lookalike],
      ['a..b@example.org', double],
      ['mike@example.org', undefined],
    ];
    for (const [email, id] of spellings) expect(await findId(email), email).toBe(id);
  } finally {
    await database.close();
  }
});
