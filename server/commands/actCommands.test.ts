import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caseNumber } from '../../domain/cases.ts';
import { createClaimForTown } from '../../testing/caseCalls.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  type Participants,
} from '../../testing/orderSteps.ts';
import { writeRefundOfEarlierRelease } from '../../testing/refundOfEarlierRelease.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { proposeAdjustment } from '../payments/ledger/adjustments.ts';
import { serveCommandSocket } from './commandSocket.ts';
import { runCommandLine } from './runCommandLine.ts';

const WAITS = 'It waits for a second operator';
const REASON = ['--reason', 'Because of the test'];
const WEEK_MS = 7 * 24 * 60 * 60_000;
const folder = mkdtempSync(join(tmpdir(), 'rubadub-acts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(DATABASE_KINDS)('commands that are acts of the console, on %s', (kind) => {
  const DATA_DIR = join(folder, kind);
  let testServer: TestServer;
  let people: Participants;
  let closeSocket: () => Promise<void>;
  let ada: TestOperator;
  let grace: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer(kind, { env: { DATA_DIR } });
    closeSocket = await serveCommandSocket(testServer.server.console);
    people = await createParticipants(testServer);
  });
  afterAll(async () => {
    await closeSocket?.();
    await testServer?.close();
  });

  const db = () => testServer.server.db;
  const run = (...typed: string[]) =>
    runCommandLine(typed, { DATA_DIR }).catch((error: unknown) => `refused: ${(error as Error).message}`);
  const asAda = (...typed: string[]) => run(...typed, '--as', ada.email);
  const approve = async (printed: string) => {
    expect(printed).toContain(WAITS);
    const id = /approve (\S+)/.exec(printed)?.[1] ?? '';
    expect(await run('list-approvals', '--as', grace.email)).toContain(id);
    expect(await run('approve', id, ...REASON, '--as', grace.email)).toBe('Done.');
  };
  const newest = () =>
    queryRow<{ action: string; by: string; second: string | null }>(
      db(),
      sql`select action, operator_name as by, approved_by_name as second from audit order by id desc limit 1`,
    );
  const expectBothDid = async (action: string) =>
    expect(await newest()).toEqual({
      ...{ action, by: ada.session.operator.fullname, second: grace.session.operator.fullname },
    });
  const expectAdaDid = async (action: string) =>
    expect(await newest()).toEqual({ action, by: ada.session.operator.fullname, second: null });
  const createCharged = async (status: 'Accepted' | 'Completed' = 'Accepted') => {
    const { id, number } = await createOrderInStatus(people, status);
    const isCharged = sql`select order_id from payments where order_id = ${id} and state = 'captured'`;
    await waitFor(async () => expect(await queryRow(db(), isCharged)).toBeDefined());
    return { id, number };
  };
  const noOf = async (id: string) => {
    const row = await queryRow<{ no: number }>(db(), sql`select no from cases where id = ${id}`);
    return caseNumber(row?.no ?? 0);
  };

  // First: later there are operators.
  test('until there are operators, the user of the machine sets prices and policies and takes steps, and gives no money away', async () => {
    const { userInfo } = await import('node:os');
    const byUser = async (action: string) =>
      expect(await newest()).toEqual({ action, by: userInfo().username, second: null });
    const { id, number } = await createCharged();
    const claim = await noOf(await createClaimForTown({ testServer, participants: people }));
    for (const typed of [
      ['refund-order', number, '--amount', '1.00', '--liable', 'platform'],
      ['adjust-order', id, '--code', '00000000'],
      ['send-payouts', '--amount', '1'],
      ['decide-case', claim, '--items', '[]', '--words', 'No'],
      ['set-iban', '--name', 'Soapwick', '--iban', 'DE89370400440532013000'],
    ])
      expect(await run(...typed, ...REASON), typed.join(' ')).toMatch(
        /^refused: only operators do this.+ -- invite <your e-mail>/,
      );
    expect(await run('set-price', 'pickup', '--value', '6.50', ...REASON)).toBe('Done.');
    await byUser('setPrice');
    expect(await run('list-prices')).toMatch(/item: pickup\n.+\n +value: 6\.5\n/);
    expect(await run('set-price', 'pickup', '--value', '$5.99', ...REASON)).toBe('Done.');
    expect(await run('set-price', 'taxes', '--value', '8.25%', '--from', '2100-01-01', ...REASON)).toBe('Done.');
    expect(await run('set-policy', 'privacy', '--value', 'careful', ...REASON)).toBe('Done.');
    expect(await run('list-policies')).toMatch(/name: privacy\n +value: careful/);
    expect(await run('set-preset', '--preset', 'open', ...REASON)).toBe('Done.');
    expect(await run('run-payouts', ...REASON)).toBe('Done.');
    expect(await run('close-case', claim, '--words', 'It is nothing', ...REASON)).toBe('Done.');
    const { number: cancelled } = await createOrderInStatus(people, 'Requested');
    expect(await run('order-cancel-by-operator', cancelled, '--why', 'asked', ...REASON)).toBe('Done.');
    await byUser('order-cancel-by-operator');
    [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
    for (const typed of [
      ['set-price', 'taxes', '--value', '8%'],
      ['set-policy', 'privacy', '--value', 'careful'],
      ['set-preset', '--preset', 'careful'],
      ['order-cancel-by-operator', number, '--why', 'asked'],
      ['retry-problem', id],
      ['run-payouts'],
    ])
      expect(await run(...typed, ...REASON), typed.join(' ')).toContain('refused: say who you are: --as');
  });

  test('a price, a policy and a preset wait for approval', async () => {
    expect(await asAda('set-price', 'taxes', '--value', 'much', ...REASON)).toBe('refused: --value must be a number');
    expect(await asAda('set-price', 'taxes', '--value', '8.8755%', ...REASON)).toContain('At most 3 decimals');
    expect(await asAda('set-price', 'size-XL', '--value', '5', ...REASON)).toContain('Whole pounds from 9 to 15');
    expect(await asAda('set-price', 'taxes', '--value', '9%', '--from', 'soon', ...REASON)).toContain(
      'refused: --from must be a date',
    );
    expect(await asAda('set-price', 'taxes', '--value', '9%')).toContain('refused: --reason is missing');
    expect(await asAda('set-price', '--value', '9%', ...REASON)).toBe('refused: set-price <id> --value … --reason …');
    await approve(await asAda('set-price', 'taxes', '--value', '9.375%', '--from', '2101-01-01', ...REASON));
    await expectBothDid('setPrice');
    await approve(await asAda('set-policy', 'privacy', '--value', 'careful', ...REASON));
    await expectBothDid('setPolicy');
    await approve(await asAda('set-preset', '--preset', 'careful', ...REASON));
    await expectBothDid('setPreset');
  });

  test('a refund waits above the limit, and the ledger of an order is corrected by two', async () => {
    const { id, number } = await createCharged();
    const refund = (order: string, amount: string, liable = 'platform') =>
      asAda('refund-order', order, '--amount', amount, '--liable', liable, ...REASON);
    expect(await refund('R-7', '1')).toBe('refused: there is no order R-7');
    expect(await refund(id, '1', 'moon')).toContain('liable must be one of');
    expect(await refund(id, '500')).toBe('refused: The amount must be from 1 to 2683 cents');
    expect(await refund(number, '5.00', 'scrub')).toBe('Done.');
    await expectAdaDid('refundOrder');
    await queryRows(
      db(),
      sql`insert into settings (name, value, set_by, valid_from)
      values ('refundLimitOrder', '1000', 'the test', ${testServer.now().toISOString()}::timestamptz)`,
    );
    await approve(await refund(number, '21.83'));
    await expectBothDid('refundOrder');
    const wrong = await createCharged();
    await writeRefundOfEarlierRelease({ context: { db: db() }, users: { buds: [people.bud.user] } }, wrong.id);
    const code = /code: (\S+)/.exec(await asAda('preview-adjustment', wrong.number))?.[1] ?? '';
    expect(await asAda('adjust-order', wrong.id, '--code', '00000000', ...REASON)).toContain('Look at the lines again');
    await approve(await asAda('adjust-order', wrong.id, '--code', code, ...REASON));
    await expectBothDid('adjustOrder');
    expect(await proposeAdjustment(db(), wrong.id)).toEqual([]);
  });

  test('a stuck payment is tried again by one operator, who finds it in the list of problems', async () => {
    const { id, number } = await createCharged();
    expect(await asAda('retry-problem', id, ...REASON)).toContain('refused: ');
    await queryRows(db(), sql`update payments set state = 'stuck', failure = 'some reason' where order_id = ${id}`);
    expect(await run('list-money-problems')).toContain('some reason');
    expect(await asAda('retry-problem', number, ...REASON)).toBe('Done.');
    await expectAdaDid('retryProblem');
  });

  test('steps are taken by the operator, and a case is decided', async () => {
    const { id, number, deliveries } = await createOrderInStatus(people, 'Accepted');
    const cancel = (...more: string[]) => asAda('order-cancel-by-operator', number, ...more);
    expect(await cancel('--why', 'asked')).toContain('refused: --reason is missing');
    expect(await cancel('--why', 'bored', ...REASON)).toContain('--why must be one of');
    expect(await cancel('--why', 'other', ...REASON)).toContain('(--words)');
    expect(await cancel('--loud', ...REASON)).toBe(
      'refused: there is no option --loud: "npm run operator -- help" shows them',
    );
    for (const delivery of deliveries)
      expect(await asAda('delivery-call-off', delivery.id, '--why', 'asked', '--words', 'By phone.', ...REASON)).toBe(
        'Done.',
      );
    await expectAdaDid('delivery-call-off');
    // With what she has given back before, it is above what she may move in a day.
    await approve(await cancel('--why', 'asked', ...REASON));
    await expectBothDid('order-cancel-by-operator');
    const order = await queryRow(db(), sql`select status from orders where id = ${id}`);
    expect(order).toEqual({ status: 'Cancelled' });
    const decided = await noOf(await createClaimForTown({ testServer, participants: people }));
    expect(await run('list-town-cases')).toContain(`no: ${decided}`);
    expect(await asAda('close-case', 'C-99999', '--words', 'No', ...REASON)).toContain('there is no case "C-99999"');
    const items = JSON.stringify([{ n: 1, amount: 2.5, liable: 'scrub' }]);
    expect(await asAda('decide-case', decided, '--items', items, '--words', 'A stain', ...REASON)).toBe('Done.');
    await expectAdaDid('decideCase');
    expect(await run('read-town-case', decided)).toContain('decided: 2.5');
  });

  test('laundry is handed on from a place that is typed as it is shown', async () => {
    const { deliveries } = await createOrderInStatus(people, 'Accepted');
    const deliveryId = deliveries[0]?.id ?? '';
    await advanceDelivery(people.duber, deliveryId, 3);
    const relay = (place: string) =>
      asAda('delivery-relay', deliveryId, '--place', place, '--why', 'breakdown', ...REASON);
    expect(await relay('here')).toBe('refused: --place must be JSON, or a place like 40.7,-74');
    expect(await relay('40.7128,-74.006')).toBe('Done.');
    const delivery = await queryRow(
      db(),
      sql`select pickup_latitude as latitude, pickup_longitude as longitude from deliveries where id = ${deliveryId}`,
    );
    expect(delivery).toEqual({ latitude: 40.7128, longitude: -74.006 });
    await asAda('delivery-call-off', deliveryId, '--why', 'asked', '--words', 'By phone.', ...REASON);
  });

  // Last: it moves the clock.
  test('payouts are sent by two, and the file for the bank is private', async () => {
    const { id } = await createCharged('Completed');
    const { deliveries } = await people.scrub.api.readOrder({ params: { id } });
    for (const delivery of deliveries) await advanceDelivery(people.duber, delivery.id);
    testServer.advanceClock(8 * WEEK_MS);
    expect(await asAda('run-payouts', ...REASON)).toBe('Done.');
    await expectAdaDid('runPayouts');
    const due = /due:\n +amount: (\S+)/.exec(await asAda('list-payouts'))?.[1] ?? '';
    await approve(await asAda('send-payouts', '--amount', due, ...REASON));
    await expectBothDid('sendPayouts');
    const batch = /batch: (\S+)/.exec(await asAda('list-payouts'))?.[1] ?? '';
    const file = join(DATA_DIR, 'payouts.csv');
    expect(await asAda('open-payout-file', batch, ...REASON)).toBe('Done.');
    expect(await asAda('read-payout-file', batch, '--out', file)).toBe(`${file} is written, and only you can read it.`);
    expect(readFileSync(file, 'utf8')).toContain('Grace Scrub');
    // It names people and what they earn. A link that somebody has put there, or the file of an earlier run, is never written through.
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const link = join(DATA_DIR, 'link.csv');
    symlinkSync(join(DATA_DIR, 'victim'), link);
    for (const out of [file, link])
      expect(await asAda('read-payout-file', batch, '--out', out)).toContain('already exists: name another file');
  });
});
