import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openPaymentHarness } from '../../testing/paymentHarness.ts';
import { writeRefundOfEarlierRelease } from '../../testing/refundOfEarlierRelease.ts';
import { queryRows } from '../db/database.ts';
import { proposeAdjustment } from '../payments/adjustments.ts';

/** Runs a command in its own process, as npm does. */
function runCommand(script: string, env: Record<string, string>, ...args: string[]) {
  const options = { env: { ...process.env, ...env }, cwd: new URL('../..', import.meta.url) };
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [`server/commands/${script}.ts`, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

test.runIf(process.env.TEST_DATABASE_URL)(
  'the operator commands list, refund, pay out and retry, and the ledger check reports what is wrong',
  async () => {
    const harness = await openPaymentHarness('postgres');
    const folder = await mkdtemp(join(tmpdir(), 'rubadub-operator-'));
    const env = { DATABASE_URL: harness.databaseUrl ?? '' };
    const operator = (...args: string[]) => runCommand('operator', env, ...args);
    try {
      harness.setClock('2026-01-07T12:00:00Z');
      const id = await harness.createOrder('Delivered');
      expect(await operator('list')).toEqual({ code: 0, output: 'Nothing needs a person.\n' });
      expect(await operator('refund', id, '5.00', '--liable', 'scrub', '--reason', 'a torn shirt')).toMatchObject({
        code: 0,
        output: expect.stringContaining('$5.00 ($4.80 paid by the scrub, $0.20 taxes)'),
      });
      const order = await harness.context.db
        .selectFrom('orders')
        .select('number')
        .where('id', '=', id)
        .executeTakeFirst();
      expect(await operator('refund', `R-${order?.number}`, '500')).toMatchObject({
        code: 1,
        output: expect.stringContaining('from 1 to 2183'),
      });
      expect((await operator('adjust', `${order?.number}`)).output).toBe('Nothing to adjust.\n');
      expect((await operator('refund', 'R-7')).output).toContain('there is no order R-7');
      expect((await operator('retry', 'Q-7')).output).toContain('retry must be an id, not "Q-7"');
      expect(await operator('refund', id, '5.00', '--liable', 'moon')).toMatchObject({ code: 1 });
      // The commands use the real clock, so the harness must too.
      harness.setClock(new Date().toISOString());
      await harness.runPaymentJobs();
      expect(await operator('payout', 'run')).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^2 payouts, \$24\.48/),
      });
      const file = join(folder, 'payouts.csv');
      const sent = await operator('payout', 'send', '--out', file);
      expect(sent.code).toBe(0);
      const batch = /payout again (\S+)/.exec(sent.output)?.[1] ?? '';
      expect(
        (await readFile(file, 'utf8'))
          .split('\r\n')
          .slice(1, 3)
          .map((line) => line.split(',').at(-1))
          .toSorted(),
      ).toEqual(['11.98', '12.50']);
      // It names people and what they earn. A planted link, or the file of an earlier run, is never written through.
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const victim = join(folder, 'victim');
      await symlink(victim, join(folder, 'link.csv'));
      for (const name of ['payouts.csv', 'link.csv']) {
        const refused = await operator('payout', 'again', batch, '--out', join(folder, name));
        expect(refused).toMatchObject({
          code: 1,
          output: expect.stringContaining('already exists: name another file'),
        });
      }
      await expect(stat(victim)).rejects.toThrow('ENOENT');
      expect((await operator('price', 'taxes', '8.25', '--from', '2100-01-01')).output).toContain('a rate, like 8.25%');
      expect(await operator('price', 'taxes', '8.25%', '--from', '2100-01-01')).toMatchObject({ code: 0 });
      const sellXl = (pounds: string) => operator('price', 'size-XL', pounds, '--from', '2100-01-01');
      for (const pounds of ['5', '8', '16', '9.5', 'many'])
        expect(await sellXl(pounds)).toMatchObject({
          code: 1,
          output: expect.stringContaining('size-XL is the pounds that are charged, from 9 to 15, or 0 to sell none'),
        });
      for (const pounds of ['9', '15', '0']) expect(await sellXl(pounds)).toMatchObject({ code: 0 });
      expect(await operator('sing')).toMatchObject({ code: 1 });
      expect((await operator('policy')).output).toMatch(/^privacy: open \(the default\)\n {2}open\n.+ {2}careful\n/s);
      expect(await operator('policy', 'privacy', 'secret')).toMatchObject({
        code: 1,
        output: expect.stringContaining('privacy is one of open, careful, not "secret"'),
      });
      expect((await operator('policy', 'privacy', 'careful')).output).toMatch(
        /^privacy is careful from now on.+300 meters/s,
      );
      expect((await operator('policy')).output).toMatch(/^privacy: careful \(since 20\d\d-.+, by .+\)\n/);
      expect(await operator('preset', 'strict')).toMatchObject({
        code: 1,
        output: expect.stringContaining('a preset is one of open, careful, not "strict"'),
      });
      expect((await operator('preset', 'careful')).output).toMatch(
        /^The preset careful.+privacy: careful .+start: careful /s,
      );
      expect((await operator('preset', 'open')).output).toMatch(/privacy: open .+start: open /s);
      const forget = queryRows(harness.context.db, sql`delete from policies`);
      await expect(forget).rejects.toThrow('a policy is never changed');
      expect(await operator('policy', 'privacy', 'open')).toMatchObject({ code: 0 });
      expect((await operator('messages')).output).toBe('No message was given up.\n');
      await queryRows(
        harness.context.db,
        sql`update notifications set state = 'given-up', due_at = null, done_at = now(), failure = 'no such person'
          where kind = 'accepted' and channel = 'mail'`,
      );
      expect((await operator('messages')).output).toMatch(
        /accepted by mail to \S+@rubadub.test, about \S+\n +no such person\n$/,
      );

      expect(await runCommand('ledgerCheck', env)).toMatchObject({
        code: 0,
        output: expect.stringContaining('The ledger is right'),
      });
      const stuck = sql`update payments set state = 'stuck', failure = 'some reason' where order_id = ${id}`;
      await queryRows(harness.context.db, stuck);
      expect((await operator('list')).output).toMatch(/some reason\n.*card was not charged/s);
      // An outage of the card network leaves thousands of them.
      await queryRows(
        harness.context.db,
        sql`insert into payments (order_id, bud_id, state, amount, failure, created_at, updated_at)
          select gen_random_uuid(), p.bud_id, 'stuck', 100, 'an outage', now(), now()
          from payments p, generate_series(1, 120) where p.order_id = ${id}`,
      );
      const { output } = await operator('list');
      expect(output.match(/^payment /gm)).toHaveLength(100);
      expect(output).toMatch(/some reason\n.*\n\nThere are more: these are the 100 oldest\.\n$/s);
      await queryRows(harness.context.db, sql`delete from payments where failure = 'an outage'`);
      const wrong = await runCommand('ledgerCheck', env);
      expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining(`order ${id}: its payment is stuck`) });
      expect(await operator('retry', id)).toMatchObject({ code: 0 });
      expect((await operator('list')).output).toBe('Nothing needs a person.\n');
    } finally {
      await harness.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test.runIf(process.env.TEST_DATABASE_URL)(
  'the ledger check lists an order that an earlier release refunded, and the operator adjusts it with a yes to what was shown',
  async () => {
    const harness = await openPaymentHarness('postgres');
    const env = { DATABASE_URL: harness.databaseUrl ?? '' };
    try {
      const id = await harness.createOrder();
      await writeRefundOfEarlierRelease(harness, id);
      const wrong = await runCommand('ledgerCheck', env);
      expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('operator -- adjust <order>') });
      const proposed = await runCommand('operator', env, 'adjust', id);
      expect(proposed.output).toMatch(/ unearned +26\.83\n.* refund-costs +-25\.73\n/s);
      const code = /add --yes (\S+)\.\n/.exec(proposed.output)?.[1] ?? '';
      // Other lines than those that would be written.
      const other = await runCommand('operator', env, 'adjust', id, '--yes', '00000000');
      expect(other).toMatchObject({
        code: 1,
        output: expect.stringContaining('is not the code of what corrects this order now'),
      });
      expect(await proposeAdjustment(harness.context.db, id)).not.toEqual([]);
      expect((await runCommand('operator', env, 'adjust', id, '--yes', code)).output).toContain('in the ledger now');
      expect(await proposeAdjustment(harness.context.db, id)).toEqual([]);
    } finally {
      await harness.close();
    }
  },
);

test('without a database, a command fails with one clear line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rubadub-none-'));
  const answer = await runCommand('ledgerCheck', { DATABASE_URL: '', DATA_DIR: folder });
  expect(answer).toEqual({
    code: 2,
    output: `rubadub ledger:check: DATA_DIR ${folder} has no embedded database, and DATABASE_URL is not set\n`,
  });
  await rm(folder, { recursive: true });
});

test.runIf(process.env.TEST_DATABASE_URL)(
  'an operator takes the steps of deliveries that only they can take, and reads what is missing',
  async () => {
    const harness = await openPaymentHarness('postgres');
    const env = { DATABASE_URL: harness.databaseUrl ?? '' };
    const step = (...args: string[]) => runCommand('operator', env, 'step', ...args);
    const refused = (text: string) => ({ code: 1, output: expect.stringContaining(text) });
    try {
      const orderId = await harness.createOrder('Accepted');
      const { db } = harness.context;
      const leg = db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
      const { id } = await leg.executeTakeFirstOrThrow();
      expect(await step(id, 'take-off', '--reason', 'asked')).toMatchObject(refused('This delivery is Pending'));
      expect(await step(id, 'fly')).toMatchObject(
        refused("an operator's steps of a delivery are take-off, bring-back,"),
      );
      expect(await step(id, 'call-off')).toMatchObject(
        refused('not taken: --reason must be one of order-ended, asked'),
      );
      expect(await step(id, 'call-off', '--reason', 'other')).toMatchObject(refused('--words must say what happened'));
      expect(await step(id, 'relay', '--reason', 'ill')).toMatchObject(refused('--latitude and --longitude must say'));
      expect(await step(id, 'relay', '--latitude', '91')).toMatchObject(refused('must be a place in degrees'));
      expect(await step(harness.users.buds[0]?.id ?? '', 'call-off')).toMatchObject(
        refused('is neither a delivery nor an order'),
      );
      const nobody = await step(id, 'call-off', '--reason', 'asked', '--as', 'nobody@rubadub.test');
      expect(nobody).toMatchObject(refused('no account with the e-mail nobody@rubadub.test'));
      const ada = await db.selectFrom('users').select(['id', 'email']).limit(1).executeTakeFirstOrThrow();
      expect(await step(id, 'call-off', '--reason', 'asked', '--words', 'By phone.', '--as', ada.email)).toEqual({
        code: 0,
        output: `Delivery ${id} is Called Off now, attempt 1. Its people are notified.\n`,
      });
      const order = await db.selectFrom('orders').select('number').where('id', '=', orderId).executeTakeFirstOrThrow();
      const number = `R-${order.number}`;
      expect(await step('R-7', 'reopen')).toMatchObject(refused('there is no order R-7'));
      expect(await step('Q', 'reopen')).toMatchObject(refused('"Q" is neither an order like R-1042 nor an id'));
      expect(await step(number, 'reopen', '--reason', 'asked', '--liable', 'scrub')).toMatchObject(
        refused('not taken: This order is Accepted'),
      );
      expect(await step(number, 'cancel-by-operator', '--reason', 'asked', '--as', ada.email)).toEqual({
        code: 0,
        output: `Order ${orderId} is Cancelled now, round 1. Its people are notified.\n`,
      });
      const last = await db
        .selectFrom('delivery_steps')
        .select(['action', 'actor_role as by', 'actor_id as who', 'reason', 'words'])
        .where('delivery_id', '=', id)
        .orderBy('position', 'desc')
        .executeTakeFirst();
      expect(last).toEqual({ action: 'call-off', by: 'Operator', who: ada.id, reason: 'asked', words: 'By phone.' });
    } finally {
      await harness.close();
    }
  },
);
