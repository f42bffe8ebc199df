import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import { openEmbeddedDatabase, queryRow, queryRows, type Tx } from '../db/database.ts';
import { ensureSchema } from '../db/ensureSchema.ts';
import { createRetentionJob } from './retention.ts';

test('the retention job deletes expired rows a few pages at a time, and keeps the others', async () => {
  const database = await openEmbeddedDatabase(undefined);
  try {
    const { db } = database;
    await ensureSchema(db);
    const now = new Date('2026-05-04T12:00:00Z');
    const [old, young] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-05-04T11:59:00Z')];
    await fill(db, old, 'old');
    await fill(db, young, 'young');
    const runJob = createRetentionJob({ db, now: () => now }, 1);
    let runs = 0;
    while (await runJob()) runs += 1;
    // A table of several pages takes several runs.
    expect(runs).toBeGreaterThan(6);
    for (const table of [
      'rate_limits',
      'sign_in_attempts',
      'known_devices',
      'email_codes',
      'email_changes',
      'sessions',
      'reset_links',
      'webhook_events',
      'requests',
    ]) {
      const left = await queryRow(db, sql`select count(*)::int as count from ${sql.id(table)}`);
      expect(left, table).toEqual({ count: table === 'rate_limits' ? 300 : 1 });
    }
    // In use until a minute ago, but too old.
    await queryRows(db, sql`update sessions set created_at = ${new Date('2025-11-01T00:00:00Z')}`);
    while (await runJob());
    expect(await queryRow(db, sql`select count(*)::int as count from sessions`)).toEqual({ count: 0 });
    expect(await runJob()).toBe(true);
  } finally {
    await database.close();
  }
});

async function fill(db: Tx, at: Date, name: string) {
  const user = name === 'old' ? '01900000-0000-7000-8000-000000000001' : '01900000-0000-7000-8000-000000000002';
  const statements = [
    sql`insert into users (id, fullname, email, email_key, role, password_hash, created_at)
        values (${user}, 'Ada', ${name}, ${name}, 'Bud', 'x', ${at})`,
    sql`insert into rate_limits select 'code', ${name} || n, ${at}, 1 from generate_series(1, 300) n`,
    sql`insert into sign_in_attempts values (${name}, 'all', 3, ${at})`,
    sql`insert into known_devices values (${user}, 'network', ${name}, ${new Date(at.getTime() - (name === 'old' ? 180 * DAY_MS : 0))})`,
    sql`insert into email_codes values (${name}, null, ${at}, 5, ${at}, ${at}, 1)`,
    sql`insert into email_changes values (${user}, ${name}, ${name}, null, null, ${at}, 5, ${at}, ${at}, 1)`,
    sql`insert into sessions values (decode(md5(${name}), 'hex'), ${user}, ${at}, ${at})`,
    sql`insert into webhook_events values (${name}, 'payment.updated', ${at})`,
    sql`insert into requests values (${user}, decode(md5(${name}), 'hex'), 'start-order', ${user}, null, null, ${at})`,
    sql`insert into reset_links values (${user}, decode(md5(${name}), 'hex'), ${at}, ${at})`,
  ];
  for (const statement of statements) await queryRows(db, statement);
}
