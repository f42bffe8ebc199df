import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openRestored, takeBackup } from '../../testing/backupFiles.ts';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { openPasskeyHarness } from '../../testing/passkeyHarness.ts';
import { addPasskeyOf, makePasskey, type SoftwarePasskey } from '../../testing/passkeys.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { endSessionsOf, lockOperator, removeSecondFactors } from './operators.sql.ts';
import { advanceCounter } from './passkeys.sql.ts';

/** Sessions live longer, and codes and challenges do not. */
const AHEAD_MS = 20 * 60_000;

describe.each(RULE_DATABASES)('passkeys of operators, when something comes between, on %s', (kind) => {
  const harness = openPasskeyHarness(kind);
  const { requestOf, signIn } = harness;
  const enter = async ({ api }: TestOperator, passkey: SoftwarePasskey) =>
    api.enterPasskey({ body: { passkey: passkey.use(await api.beginPasskeyEntry({ body: {} })) } });

  test('two tabs may ask at the same time, and both answers count', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada);
    const [one, other] = [await requestOf(ada), await requestOf(ada)];
    const [first, second] = [passkey.use(one), passkey.use(other)];
    await signIn(ada, first);
    await signIn(ada, second);
    // Two tabs of Settings, with two devices.
    const { origin } = await ada.api.listPasskeys();
    const creations = [await ada.api.beginPasskey({ body: {} }), await ada.api.beginPasskey({ body: {} })];
    const made = creations.map((creation) => makePasskey(creation, origin ?? '').made);
    await Promise.all(made.map((one, n) => ada.api.addPasskey({ body: { name: `Tab ${n}`, passkey: one } })));
    expect((await ada.api.listPasskeys()).items).toHaveLength(3);
  });

  test('challenges of a time when the clock was ahead keep nobody from using a passkey', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada);
    harness.testServer.advanceClock(AHEAD_MS);
    await ada.api.enterCode({ body: { code: ada.nextCode() } });
    for (let n = 0; n < 5; n += 1) await ada.api.beginPasskeyEntry({ body: {} });
    for (let n = 0; n < 5; n += 1) await requestOf(ada);
    harness.testServer.advanceClock(-AHEAD_MS);
    await enter(ada, passkey);
    await signIn(ada, passkey.use(await requestOf(ada)));
  });

  test('a second factor of a time when the clock was ahead is not fresh until then', async () => {
    const ada = await createOperator(harness.testServer);
    harness.testServer.advanceClock(AHEAD_MS);
    await ada.api.enterCode({ body: { code: ada.nextCode() } });
    await ada.api.beginPasskey({ body: {} });
    harness.testServer.advanceClock(-AHEAD_MS);
    expect(await outcomeOf(ada.api.beginPasskey({ body: {} }))).toBe('codeTooOld');
  });

  test.runIf(kind === 'postgres')(
    'a passkey that was used while the second factor is reset opens no session',
    async () => {
      const ada = await createOperator(harness.testServer);
      const passkey = await addPasskeyOf(ada);
      const { id } = ada.session.operator;
      const used = passkey.use(await requestOf(ada));
      const { db } = harness.testServer.server;
      const signingIn = await holdTransaction(db, async (tx) => {
        // So far a sign-in comes: its passkey is right, and it waits before it has a session.
        await sql`lock table sign_in_attempts in exclusive mode`.execute(tx);
        const outcome = outcomeOf(signIn(ada, used));
        const waits = sql`select from pg_locks where relation = 'sign_in_attempts'::regclass and not granted`;
        const isUsed = sql`select from passkeys where operator_id = ${id} and last_used_at is not null`;
        await waitFor(async () => {
          expect(await queryRow(db, isUsed)).toBeDefined();
          expect((await queryRows(db, waits)).length).toBeGreaterThan(0);
        });
        await lockOperator(tx, id);
        await removeSecondFactors(tx, id);
        await endSessionsOf(tx, id, harness.testServer.now());
        return { outcome };
      });
      expect(await signingIn.outcome).toBe('wrongPassword');
      const alive = sql`select from operator_sessions where operator_id = ${id} and ended_at is null`;
      expect(await queryRows(db, alive)).toEqual([]);
    },
  );

  test('a restored backup has its passkeys with earlier counters, and no challenge or session', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada);
    for (let n = 0; n < 2; n += 1) await enter(ada, passkey);
    await requestOf(ada);
    const backup = await takeBackup(harness.testServer.server.db, harness.testServer.now());
    await enter(ada, passkey);
    await ada.api.removePasskey({ params: { id: passkey.id }, body: {} });
    const restored = await openRestored(backup);
    const rows = await queryRows<{ counter: string }>(
      restored.db,
      sql`select counter::text from passkeys where operator_id = ${ada.session.operator.id}`,
    );
    expect(rows).toEqual([{ counter: '2' }]);
    for (const table of ['passkey_challenges', 'operator_sessions'])
      expect(await queryRows(restored.db, sql`select from ${sql.table(table)}`), table).toEqual([]);
    // The authenticator is further on: 4 is a later use, and 2 was used before the backup.
    expect(await advanceCounter(restored.db, passkey.id, 2, harness.testServer.now())).toBe(false);
    expect(await advanceCounter(restored.db, passkey.id, 4, harness.testServer.now())).toBe(true);
    await restored.close();
  });
});
