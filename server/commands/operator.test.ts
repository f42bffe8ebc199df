import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openPaymentHarness } from '../../testing/paymentHarness.ts';
import { writeRefundOfEarlierRelease } from '../../testing/refundOfEarlierRelease.ts';
import { queryRows } from '../db/database.ts';
import { runCommandLine } from './runCommandLine.ts';

/** Runs a command in its own process, as npm does. */
function runCommand(script: string, env: Record<string, string>, ...args: string[]) {
  const options = { env: { ...process.env, ...env }, cwd: new URL('../..', import.meta.url) };
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [`server/commands/${script}.ts`, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

/** What a command prints. In this process: to start one takes seconds on a busy machine, and there are dozens. */
const operatorOf =
  (env: Record<string, string>) =>
  (...args: string[]) =>
    runCommandLine(args, env).then(
      (printed) => ({ code: 0, output: `${printed}\n` }),
      (error: unknown) => ({ code: 1, output: `${(error as Error).message}\n` }),
    );

test('before there are operators, commands list, set prices and policies and retry, refuse what gives money away, and the ledger check reports what is wrong', async () => {
  const harness = await openPaymentHarness('postgres');
  const folder = await mkdtemp(join(tmpdir(), 'rubadub-operator-'));
  const env = { DATABASE_URL: harness.databaseUrl ?? '', DATA_DIR: folder };
  const operator = operatorOf(env);
  try {
    harness.setClock('2026-01-07T12:00:00Z');
    const id = await harness.createOrder('Delivered');
    expect(await runCommand('operator', env, 'list')).toEqual({ code: 0, output: 'Nothing needs a person.\n' });
    const order = await harness.context.db
      .selectFrom('orders')
      .select('number')
      .where('id', '=', id)
      .executeTakeFirst();
    const second = { code: 1, output: expect.stringContaining('There is none yet: npm run operator -- invite') };
    for (const words of [
      ['refund', `R-${order?.number}`, '5.00', '--liable', 'scrub', '--reason', 'a torn shirt'],
      ['adjust', id, '--yes', '00000000'],
      ['payout', 'send'],
    ])
      expect(await operator(...words)).toMatchObject(second);
    expect((await operator('adjust', `${order?.number}`)).output).toBe('Nothing to adjust.\n');
    expect((await operator('adjust', 'R-7')).output).toContain('there is no order R-7');
    expect((await operator('retry', 'Q-7')).output).toContain('retry must be an id, not "Q-7"');
    await harness.runPaymentJobs();
    expect(await operator('payout', 'run')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^2 payouts, \$\d+\.\d\d in total/),
    });
    expect((await operator('price', 'taxes', '8.25', '--from', '2100-01-01')).output).toContain('a rate, like 8.875%');
    expect(await operator('price', 'taxes', '8.25%', '--from', '2100-01-01')).toMatchObject({ code: 0 });
    const sellXl = (pounds: string) => operator('price', 'size-XL', pounds, '--from', '2100-01-01');
    const whole = 'Whole pounds from 9 to 15, or 0 to sell none';
    for (const [pounds, why] of [
      ['5', whole],
      ['8', whole],
      ['16', whole],
      ['9.5', 'a number of pounds'],
      ['many', 'a number of pounds'],
    ] as const)
      expect(await sellXl(pounds)).toMatchObject({ code: 1, output: expect.stringContaining(why) });
    for (const pounds of ['9', '15', '0']) expect(await sellXl(pounds)).toMatchObject({ code: 0 });
    expect(await runCommand('operator', env, 'sing')).toMatchObject({ code: 1 });
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
    expect((await operator('messages')).output).toBe('Every message was sent.\n');
    await queryRows(
      harness.context.db,
      sql`update notifications set state = 'given-up', due_at = null, done_at = now(), failure = 'no such person'
          where kind = 'accepted' and channel = 'mail'`,
    );
    expect((await operator('messages')).output).toMatch(
      /accepted by mail to \S+@rubadub.test, about \S+\n +no such person\n +given up: messages resend mail:accepted:\S+\n$/,
    );
    expect(await operator('messages', 'again')).toMatchObject({
      code: 1,
      output: expect.stringContaining('messages resend all'),
    });
    expect((await operator('messages', 'resend', 'all', '--reason', 'The mail server works')).output).toContain(
      'within seconds',
    );
    expect((await operator('messages')).output).toBe('Every message was sent.\n');

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
});

test('the ledger check lists an order that an earlier release refunded, and shows what corrects it', async () => {
  const harness = await openPaymentHarness('postgres');
  const folder = await mkdtemp(join(tmpdir(), 'rubadub-operator-'));
  const env = { DATABASE_URL: harness.databaseUrl ?? '', DATA_DIR: folder };
  try {
    const id = await harness.createOrder();
    await writeRefundOfEarlierRelease(harness, id);
    const wrong = await runCommand('ledgerCheck', env);
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('operator -- adjust <order>') });
    const proposed = await operatorOf(env)('adjust', id);
    expect(proposed.output).toMatch(/ unearned +26\.83\n.* refund-costs +-25\.73\n/s);
    expect(proposed.output).toMatch(/add --yes \S+\.\n/);
  } finally {
    await harness.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('without a database, a command fails with one clear line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rubadub-none-'));
  const answer = await runCommand('ledgerCheck', { DATABASE_URL: '', DATA_DIR: folder });
  expect(answer).toEqual({
    code: 2,
    output: `rubadub ledger:check: DATA_DIR ${folder} has no embedded database, and DATABASE_URL is not set\n`,
  });
  await rm(folder, { recursive: true });
});

test('before there are operators, a command takes the steps that only an operator can take, and says what is missing', async () => {
  const harness = await openPaymentHarness('postgres');
  const folder = await mkdtemp(join(tmpdir(), 'rubadub-operator-'));
  const env = { DATABASE_URL: harness.databaseUrl ?? '', DATA_DIR: folder };
  const step = (...args: string[]) => operatorOf(env)('step', ...args);
  const refusalOf = async (...args: string[]) => {
    const { code, output } = await step(...args);
    return code === 1 ? output : `not refused: ${output}`;
  };
  try {
    const orderId = await harness.createOrder('Accepted');
    const { db } = harness.context;
    const delivery = db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
    const { id } = await delivery.executeTakeFirstOrThrow();
    expect(await refusalOf(id, 'take-off', '--reason', 'asked')).toContain('This delivery is Pending');
    expect(await refusalOf(id, 'fly')).toContain("an operator's steps of a delivery are take-off, bring-back,");
    expect(await refusalOf(id, 'call-off')).toContain('not taken: --reason must be one of order-ended, asked');
    expect(await refusalOf(id, 'call-off', '--reason', 'other')).toContain('Say in words what it is');
    expect(await refusalOf(id, 'relay', '--reason', 'ill')).toContain('--latitude and --longitude must say');
    expect(await refusalOf(id, 'relay', '--latitude', '91')).toContain('must be a place in degrees');
    expect(await refusalOf(harness.users.buds[0]?.id ?? '', 'call-off')).toContain(
      'is neither a delivery nor an order',
    );
    const nobody = await refusalOf(id, 'call-off', '--reason', 'asked', '--as', 'nobody@rubadub.test');
    expect(nobody).toContain('There is no operator with the e-mail nobody@rubadub.test');
    expect(await step(id, 'call-off', '--reason', 'asked', '--words', 'By phone.')).toEqual({
      code: 0,
      output: `Delivery ${id} is Called Off now, attempt 1. Its people are notified.\n`,
    });
    const order = await db.selectFrom('orders').select('number').where('id', '=', orderId).executeTakeFirstOrThrow();
    const number = `R-${order.number}`;
    expect(await refusalOf('R-7', 'reopen')).toContain('there is no order R-7');
    expect(await refusalOf('Q', 'reopen')).toContain('"Q" is neither an order like R-1042 nor an id');
    expect(await refusalOf(number, 'reopen', '--reason', 'asked', '--liable', 'scrub')).toContain(
      'not taken: This order is Accepted',
    );
    expect(await step(number, 'cancel-by-operator', '--reason', 'asked')).toEqual({
      code: 0,
      output: `Order ${orderId} is Cancelled now, round 1. Its people are notified.\n`,
    });
    const last = await db
      .selectFrom('steps')
      .select(['action', 'actor_role as by', 'actor_id as who', 'reason', 'words'])
      .where('subject_id', '=', id)
      .orderBy('position', 'desc')
      .executeTakeFirst();
    expect(last).toEqual({ action: 'call-off', by: 'Operator', who: null, reason: 'asked', words: 'By phone.' });
  } finally {
    await harness.close();
    await rm(folder, { recursive: true, force: true });
  }
});
