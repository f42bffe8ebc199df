import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import { runCommand } from '../../testing/childProcesses.ts';
import { createTestDatabase, openTestServer, PASSWORD, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { ERASURE_LIST } from '../personal/erasureList.ts';

const readUser = (db: Tx, id: string) =>
  queryRow<{ fullname: string; email: string; status: string | null }>(
    db,
    sql`select u.fullname, u.email, e.status from users u left join erasures e on e.id = u.id where u.id = ${id}`,
  );

const waitForErasure = ({ server }: TestServer, id: string) =>
  waitFor(async () => {
    server.wakeTimers();
    expect((await readUser(server.db, id))?.status).toBe('erased');
  });

test('a backup from before an erasure does not bring the person back: the list beside the backups says who was erased', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-erased-'));
  const servers: TestServer[] = [];
  try {
    const town = await openTestServer('postgres');
    servers.push(town);
    const { user, api } = await town.createUser('Bud', { fullname: 'Ada Canary', email: 'ada.canary@rubadub.test' });
    const env = { DATABASE_URL: town.databaseUrl ?? '', DATA_DIR: join(folder, 'data') };
    const [before, after] = [join(folder, 'before.gz'), join(folder, 'after.gz')];
    expect((await runCommand('backup', [before, '--quick'], env)).code).toBe(0);
    await api.eraseAccount({ body: { currentPassword: PASSWORD } });
    town.advanceClock(14 * DAY_MS);
    await waitForErasure(town, user.id);
    expect((await runCommand('backup', [after, '--quick'], env)).code).toBe(0);
    const list = readFileSync(join(folder, ERASURE_LIST), 'utf8');
    expect(list).toContain(user.id);
    expect(list).not.toMatch(/canary/i);

    const url = await createTestDatabase();
    const restored = await runCommand('restore', [before], { ...env, DATABASE_URL: url });
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('are restored')]);
    const again = await openTestServer('postgres', { beside: { databaseUrl: url, shared: town.shared } });
    servers.push(again);
    await waitForErasure(again, user.id);
    expect(await readUser(again.server.db, user.id)).toEqual({ fullname: 'Former Bud', email: '', status: 'erased' });
  } finally {
    for (const server of servers.reverse()) await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
