import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runCommand } from '../../testing/childProcesses.ts';
import { openPaymentHarness } from '../../testing/paymentHarness.ts';
import { writeRefundOfEarlierRelease } from '../../testing/refundOfEarlierRelease.ts';
import { queryRows } from '../db/database.ts';
import { runCommandLine } from './runCommandLine.ts';

test('a command runs in its own process, the ledger check reports what is wrong, and a problem is found and tried again', async () => {
  const harness = await openPaymentHarness('postgres');
  const folder = await mkdtemp(join(tmpdir(), 'rubadub-operator-'));
  const env = { DATABASE_URL: harness.databaseUrl ?? '', DATA_DIR: folder };
  const operator = (...typed: string[]) => runCommandLine(typed, env);
  try {
    const id = await harness.createOrder('Delivered');
    await harness.runPaymentJobs();
    expect(await runCommand('operator', ['list-money-problems'], env)).toEqual({ code: 0, output: 'hasMore: false\n' });
    expect(await runCommand('operator', ['sing'], env)).toMatchObject({ code: 1 });
    expect(await runCommand('ledgerCheck', [], env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('The ledger is right'),
    });
    const { db } = harness.context;
    await queryRows(db, sql`update payments set state = 'stuck', failure = 'some reason' where order_id = ${id}`);
    expect(await operator('list-money-problems')).toContain('some reason');
    const wrong = await runCommand('ledgerCheck', [], env);
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining(`order ${id}: its payment is stuck`) });
    expect(await operator('retry-problem', id, '--reason', 'Square is back')).toBe('Done.');
    expect(await operator('list-money-problems')).not.toContain('some reason');
    await queryRows(
      db,
      sql`update notifications set state = 'given-up', due_at = null, done_at = now(), failure = 'no such person'
          where kind = 'accepted' and channel = 'mail'`,
    );
    expect(await operator('list-given-up-messages')).toContain('no such person');
    expect(await operator('resend-messages', '--reason', 'The mail server works')).toBe('Done.');
    expect(await operator('list-given-up-messages')).not.toContain('no such person');
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
    const wrong = await runCommand('ledgerCheck', [], env);
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('operator -- preview-adjustment <order>') });
    const proposed = await runCommandLine(['preview-adjustment', id], env);
    expect(proposed).toMatch(/account: unearned\n(.*\n)? +amount: 26\.83/);
    expect(proposed).toMatch(/code: \S+/);
  } finally {
    await harness.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('help names every command, and what one of them takes', async () => {
  const help = await runCommandLine([], {});
  expect(help).toMatch(/^ {2}order-cancel-by-operator <id> +Cancel an order/m);
  expect(help).toMatch(/^ {2}list-approvals +What waits for a second operator/m);
  expect(help).not.toContain('operator-sign-in');
  const one = await runCommandLine(['help', 'set-price'], {});
  expect(one).toContain('set-price <id> --value … --reason …');
  expect(one).toMatch(/--from <date> +\(may be left out\)/);
});

test('without a database, a command fails with one clear line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rubadub-none-'));
  const answer = await runCommand('ledgerCheck', [], { DATABASE_URL: '', DATA_DIR: folder });
  expect(answer).toEqual({
    code: 2,
    output: `rubadub ledger:check: DATA_DIR ${folder} has no embedded database, and DATABASE_URL is not set\n`,
  });
  await rm(folder, { recursive: true });
});
