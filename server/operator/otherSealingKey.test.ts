import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperator } from '../../testing/operators.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { createSealer } from '../auth/sealing.ts';
import type { Log } from '../log.ts';
import { warnOfOtherSealingKey } from './otherSealingKey.ts';

const OTHER_KEY = createSealer(Buffer.alloc(32));

describe.each(RULE_DATABASES)('a server with another key than the one that data was encrypted with, on %s', (kind) => {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
  });
  afterAll(() => testServer?.close());

  async function readWarnings(): Promise<unknown[]> {
    const warnings: unknown[] = [];
    const logAt = (level: string) => (details: object, text: string) => warnings.push({ level, ...details, text });
    const log = { error: logAt('error'), warn: logAt('warn') } as unknown as Log;
    await warnOfOtherSealingKey({ db: testServer.server.db, log }, OTHER_KEY);
    return warnings;
  }
  const text = 'Secrets were encrypted with another key. Set SEALING_KEY to the one of the other servers';

  test('says nothing where nothing is encrypted', async () => {
    expect(await readWarnings()).toEqual([]);
  });

  test('says which data it cannot read, also when some of it was entered again since', async () => {
    const { db } = testServer.server;
    const account = { method: 'iban', holder: 'Sid Soap', iban: 'DE89370400440532013000' } as const;
    const taxId = { kind: 'ssn', name: 'Sid Soap', number: '536-22-1234' } as const;
    const [first, second] = [await testServer.createUser('Scrub'), await testServer.createUser('Scrub')];
    for (const { api } of [first, second]) await api.changeTaxId({ body: { password: PASSWORD, taxId } });
    expect(await readWarnings()).toEqual([{ level: 'warn', unreadable: ['tax numbers'], text }]);
    const enterAgain = ({ user }: typeof first) =>
      db
        .updateTable('tax_ids')
        .set({ sealed: OTHER_KEY.seal('{}') })
        .where('user_id', '=', user.id)
        .execute();
    await enterAgain(first);
    expect(await readWarnings()).toEqual([{ level: 'warn', unreadable: ['tax numbers'], text }]);
    await enterAgain(second);
    expect(await readWarnings()).toEqual([]);
    await first.api.changePayoutAccount({ body: { password: PASSWORD, account } });
    expect(await readWarnings()).toEqual([{ level: 'warn', unreadable: ['bank accounts'], text }]);
    const at = testServer.now();
    const erased = { id: second.user.id, status: 'erased', since: at, step: 2, asked_at: at, due_at: at } as const;
    await db
      .insertInto('erasures')
      .values({ ...erased, sealed: createSealer(Buffer.alloc(32, 1)).seal('{}') })
      .execute();
    expect(await readWarnings()).toEqual([
      { level: 'warn', unreadable: ['bank accounts', 'what is kept of erased accounts'], text },
    ]);
    await db.deleteFrom('erasures').execute();
    await createOperator(testServer);
    expect(await readWarnings()).toEqual([{ level: 'error', unreadable: ['second factors', 'bank accounts'], text }]);
  });
});
