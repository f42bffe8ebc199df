import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openPaymentHarness } from '../../testing/paymentHarness.ts';
import { queryRows } from '../db/database.ts';

/** Runs a script as its own process, as npm does. */
function runCommand(script: string, env: Record<string, string>, ...words: string[]) {
  const options = { env: { ...process.env, ...env }, cwd: new URL('../..', import.meta.url) };
  return new Promise<{ code: number; said: string }>((resolve) => {
    execFile(process.execPath, [`server/commands/${script}.ts`, ...words], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr });
    });
  });
}

test.runIf(process.env.TEST_DATABASE_URL)(
  'the operator lists, refunds, pays out, and the check says what is wrong',
  async () => {
    const till = await openPaymentHarness('postgres');
    const folder = await mkdtemp(join(tmpdir(), 'rubadub-operator-'));
    const env = { DATABASE_URL: till.databaseUrl ?? '' };
    const operator = (...words: string[]) => runCommand('operator', env, ...words);
    try {
      till.setClock('2026-01-07T12:00:00Z');
      const id = await till.createOrder('Delivered');
      expect(await operator('list')).toEqual({ code: 0, said: 'Nothing needs a person.\n' });
      expect(await operator('refund', id, '5.00', '--liable', 'scrub', '--reason', 'a torn shirt')).toMatchObject({
        code: 0,
        said: expect.stringContaining('$5.00 ($4.80 borne by the scrub, $0.20 taxes)'),
      });
      expect(await operator('refund', id, '500')).toMatchObject({
        code: 1,
        said: expect.stringContaining('from 1 to 2183'),
      });
      expect(await operator('refund', id, '5.00', '--liable', 'moon')).toMatchObject({ code: 1 });
      // The commands go by the real clock: what they wrote down is due by then.
      till.setClock(new Date().toISOString());
      await till.runPaymentJobs();
      expect(await operator('payout', 'run')).toMatchObject({
        code: 0,
        said: expect.stringMatching(/^2 payouts, \$24\.48/),
      });
      const file = join(folder, 'payouts.csv');
      expect(await operator('payout', 'send', '--out', file)).toMatchObject({ code: 0 });
      expect(
        (await readFile(file, 'utf8'))
          .split('\r\n')
          .slice(1, 3)
          .map((line) => line.split(',').at(-1))
          .toSorted(),
      ).toEqual(['11.98', '12.50']);
      expect((await operator('price', 'taxes', '8.25', '--from', '2100-01-01')).said).toContain('a rate, like 8.25%');
      expect(await operator('price', 'taxes', '8.25%', '--from', '2100-01-01')).toMatchObject({ code: 0 });
      expect(await operator('sing')).toMatchObject({ code: 1 });
      expect((await operator('messages')).said).toBe('No message was given up.\n');
      await queryRows(
        till.context.db,
        sql`update notifications set state = 'given-up', due_at = null, done_at = now(), failure = 'no such person'
          where kind = 'accepted' and channel = 'mail'`,
      );
      expect((await operator('messages')).said).toMatch(
        /accepted by mail to \S+@rubadub.test, about \S+\n +no such person\n$/,
      );

      expect(await runCommand('ledgerCheck', env)).toMatchObject({
        code: 0,
        said: expect.stringContaining('The ledger is right'),
      });
      const stuck = sql`update payments set state = 'stuck', failure = 'why ever' where order_id = ${id}`;
      await queryRows(till.context.db, stuck);
      expect((await operator('list')).said).toMatch(/why ever\n.*card was not charged/s);
      const wrong = await runCommand('ledgerCheck', env);
      expect(wrong).toMatchObject({ code: 1, said: expect.stringContaining(`order ${id}: its payment is stuck`) });
      expect(await operator('retry', id)).toMatchObject({ code: 0 });
      expect((await operator('list')).said).toBe('Nothing needs a person.\n');
    } finally {
      await till.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test('without a database there is one clear line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rubadub-none-'));
  const answer = await runCommand('ledgerCheck', { DATABASE_URL: '', DATA_DIR: folder });
  expect(answer).toEqual({
    code: 2,
    said: `rubadub ledger:check: DATA_DIR ${folder} has no embedded database, and DATABASE_URL is not set\n`,
  });
  await rm(folder, { recursive: true });
});
