import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PERMISSIONS, type Permission } from '../../domain/operators.ts';
import { runCommand } from '../../testing/childProcesses.ts';
import { createOperator, operatorClient, tokenOf } from '../../testing/operators.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { openEmbeddedDatabase } from '../db/database.ts';
import { verifyAuditChain } from '../operator/audit.ts';
import { openCommandClient } from './commandClient.ts';
import { serveCommandSocket } from './commandSocket.ts';
import { commandSocketOf } from './commandSocketPath.ts';
import { runCommandLine } from './runCommandLine.ts';

const REASON = 'Because of the test';
const folder = mkdtempSync(join(tmpdir(), 'rubadub-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(DATABASE_KINDS)('the command line while a server runs, on %s', (kind) => {
  const DATA_DIR = join(folder, kind);
  const socket = commandSocketOf(DATA_DIR);
  let testServer: TestServer;
  let closeSocket: () => Promise<void>;

  beforeAll(async () => {
    testServer = await openTestServer(kind, { env: { DATA_DIR } });
    // A server that was killed left its socket behind.
    writeFileSync(socket, '');
    closeSocket = await serveCommandSocket(testServer.server.console);
  });
  afterAll(async () => {
    await closeSocket?.();
    await testServer?.close();
  });

  const run = (as: string | undefined, name: string, words: string[] = [], flags: Record<string, string> = {}) => {
    const isCall = !['invite', 'sing', 'list-approvals', 'list-operators', 'verify-audit'].includes(name);
    const given = { ...(isCall ? { reason: REASON } : {}), ...flags, ...(as === undefined ? {} : { as }) };
    const options = Object.entries(given).flatMap(([flag, value]) => [`--${flag}`, value]);
    const printed = runCommandLine([name, ...words, ...options], { DATA_DIR });
    return printed.catch((error: unknown) => `refused: ${(error as Error).message}`);
  };
  const listAudit = () =>
    testServer.server.db
      .selectFrom('audit')
      .select(['action', 'operator_name as by', 'details'])
      .orderBy('id')
      .execute();
  const newest = async () => {
    const row = (await listAudit()).at(-1);
    return { ...row, details: JSON.parse(row?.details ?? '{}') };
  };

  test('is open to the user of the server only', () => {
    expect((statSync(socket).mode & 0o777).toString(8)).toBe('600');
  });

  // First: later there are operators.
  test('invites the first operator, who needs no other one, and says who typed it', async () => {
    const printed = await run(undefined, 'invite', ['first@rubadub.test']);
    const token = tokenOf(/http\S+/.exec(printed)?.[0] ?? '');
    expect(await operatorClient(testServer).readInvitation({ body: { token } })).toMatchObject({
      email: 'first@rubadub.test',
      caps: [...PERMISSIONS],
    });
    expect((await testServer.waitForMail('first@rubadub.test')).text).toContain(token);
    expect(await newest()).toMatchObject({ action: 'inviteOperator', details: { via: 'command line' } });
    expect(await run(undefined, 'set-policy', ['privacy'], { value: 'careful' })).toBe('Done.');
    expect(await newest()).toMatchObject({ action: 'setPolicy', details: { value: 'careful', via: 'command line' } });
  });

  const create = (caps?: readonly Permission[]) => createOperator(testServer, caps ? { caps } : {});

  test('acts for the operator whom it names, with the rights of that operator', async () => {
    const [ada, clerk] = [await create(), await create(['see'])];
    const before = await listAudit();
    const policy = (as: string | undefined, value: string) => run(as, 'set-policy', ['privacy'], { value });
    expect(await policy(undefined, 'open')).toContain('refused: say who you are');
    expect(await policy('nobody@rubadub.test', 'open')).toContain('refused: There is no operator');
    expect(await policy(clerk.email, 'open')).toContain('refused: You may not do this');
    expect(await policy(ada.email, 'shut')).toContain('refused: A policy is one of');
    expect(await run(undefined, 'approve', [ada.session.operator.id])).toContain('refused: say who you are');
    expect(await run('nobody@rubadub.test', 'list-approvals')).toContain('refused: There is no operator');
    expect(await run(clerk.email, 'reset-factor', [ada.email])).toContain('refused: ');
    expect(await run(undefined, 'sing')).toContain('refused: there is no command "sing"');
    expect(await listAudit()).toEqual(before);
    expect(await policy(ada.email, 'open')).toContain('It waits for a second operator');
    const { userInfo } = await import('node:os');
    expect(await newest()).toEqual({
      action: 'ask',
      by: ada.session.operator.fullname,
      details: { act: 'setPolicy', value: 'open', via: 'command line', user: userInfo().username },
    });
    expect(await run(undefined, 'verify-audit')).toMatch(/^rows: \d+\nlastAt: \S+$/);
    expect(await run(undefined, 'list-operators')).toContain(`email: ${clerk.email}`);
  });

  test('needs approval where the console does, and can approve', async () => {
    const [ada, grace] = [await create(), await create()];
    const asked = await run(ada.email, 'reset-factor', [grace.email.toUpperCase()]);
    const id = /approve (\S+)/.exec(asked)?.[1] ?? '';
    expect(await run(grace.email, 'list-approvals')).toContain(`id: ${id}\n    action: resetFactor`);
    expect(await run(ada.email, 'approve', [id])).toContain('refused: Another operator must decide');
    expect(await run(grace.email, 'approve', [id])).toBe('Done.');
    expect((await testServer.waitForMail(grace.email, 'way back')).text).toContain('/#/operator/join?token=');
    expect(await newest()).toMatchObject({
      action: 'resetFactor',
      by: ada.session.operator.fullname,
      details: { via: 'command line' },
    });
    const invited = await run(ada.email, 'invite-operator', [], { email: 'more@rubadub.test', caps: 'see' });
    const other = /approve (\S+)/.exec(invited)?.[1] ?? '';
    expect(await run(grace.email, 'decline', [other])).toBe('Done.');
    expect(await run(grace.email, 'decline', [other])).toContain('refused: This no longer waits');
    expect(await run(undefined, 'invite', ['late@rubadub.test'])).toContain('refused: there are operators already');
    expect(await run(undefined, 'verify-audit')).not.toContain('brokenAt');
  });

  test('keeps its socket when another server of the folder starts', async () => {
    const ada = await create();
    const closeOther = await serveCommandSocket(testServer.server.console);
    await closeOther();
    expect(await run(ada.email, 'list-approvals')).not.toContain('refused');
  });

  test('runs the weekly checks, which need the database that only the server can use', async () => {
    const check = (name: string, ...args: string[]) => runCommand(name, args, { DATABASE_URL: '', DATA_DIR });
    expect(await check('ledgerCheck')).toEqual({ code: 0, output: expect.stringContaining('The ledger is right') });
    expect(await check('talliesCheck')).toEqual({ code: 0, output: expect.stringContaining('The tallies are right') });
    const { user } = await testServer.createUser('Bud');
    const wrong = sql`insert into order_tallies (person_id, status, orders, total_price, load_price)
      values (${user.id}, 'Completed', 7, 0, 0)`;
    await wrong.execute(testServer.server.db);
    expect(await check('talliesCheck')).toEqual({ code: 1, output: expect.stringContaining('WRONG: ') });
    expect(await check('talliesCheck', '--fix')).toEqual({ code: 0, output: expect.stringContaining('corrected') });
    expect(await check('talliesCheck')).toMatchObject({ code: 0 });
  });

  test('is not reachable over the network', async () => {
    const { email } = await create();
    const headers = {
      'rubadub-as': encodeURIComponent(email),
      'rubadub-user': 'root',
      'content-type': 'application/json',
    };
    expect((await fetch(`${testServer.apiUrl}/operator/approvals`, { headers })).status).toBe(401);
    const body = JSON.stringify({ name: 'invite', words: ['me@rubadub.test'] });
    const sent = await fetch(`${testServer.apiUrl}/operator/commands`, { method: 'POST', headers, body });
    expect(sent.status).toBe(404);
  });
});

test('an act without --as asks for it when the demo has the only operator', async () => {
  const env = { DATA_DIR: join(folder, 'demo'), DEMO: 'on' };
  const testServer = await openTestServer('embedded', { env });
  const demo = { email: 'operator@rubadub.test', fullname: 'Greta Stone', password: 'correct horse battery' };
  const closeSocket = await serveCommandSocket(testServer.server.console);
  const refund = () => runCommandLine(['send-payouts', '--amount', '1.00', '--reason', REASON], env);
  await expect(refund()).rejects.toThrow('There is none yet');
  await testServer.server.addDemoOperator(demo);
  await expect(refund()).rejects.toThrow('say who you are: --as <your e-mail as an operator>');
  await closeSocket();
  await testServer.close();
});

test('without a server, a command opens the database itself, and does the same', async () => {
  const DATA_DIR = join(folder, 'stopped');
  const testServer = await openTestServer('embedded', { env: { DATA_DIR } });
  const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
  const closeSocket = await serveCommandSocket(testServer.server.console);
  await closeSocket();
  await testServer.close();
  expect(existsSync(commandSocketOf(DATA_DIR))).toBe(false);
  const operator = async (...args: string[]) =>
    (await runCommand('operator', args, { DATABASE_URL: '', DATA_DIR })).output;
  const client = await openCommandClient({ DATA_DIR }, ada.email);
  const body = { reason: REASON };
  const { approvalId } = await (await client.api()).resetFactor({ params: { id: grace.session.operator.id }, body });
  expect((await client.run({ name: 'ledger:check', words: [] })).problems).toEqual([]);
  await client.close();
  expect(await operator('approve', `${approvalId}`, `--as=${grace.email}`, '--reason', REASON)).toContain('Done');
  const database = await openEmbeddedDatabase(DATA_DIR);
  expect(await verifyAuditChain(database.db)).toMatchObject({ rows: 4, brokenAt: null });
  await database.close();
});
