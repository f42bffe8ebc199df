import { type Kysely, sql } from 'kysely';
import { earlierEmailKey, parseEmail } from '../../../domain/accounts.ts';

type Row = { readonly id: string; readonly email: string; readonly email_key: string };

/**
 * Stores accounts under the canonical form of their e-mail address. Earlier releases stored them under the typed address in
 * lower case, which differs for a few: those with a domain outside ASCII or a dot at its end. An address that has become
 * invalid, or whose canonical form has an account already, keeps its key, and its owner can still sign in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Row>`select id, email, email_key from users
    where email_key ~ '[^!-~]' or email ~ '[^!-~]' or email_key like '%.' order by id`.execute(db);
  const targets = rows.map((row) => ({ ...row, canonical: parseEmail(row.email)?.canonical }));
  // First those that got another person's address as their key, because they were written with a look-alike of a letter.
  const sorted = targets.toSorted((a, b) => Number(a.canonical !== undefined) - Number(b.canonical !== undefined));
  for (const { id, email, email_key, canonical = earlierEmailKey(email) } of sorted) {
    if (canonical === email_key) continue;
    await sql`update users set email_key = ${canonical}
      where id = ${id} and not exists (select 1 from users where email_key = ${canonical})`.execute(db);
  }
}
