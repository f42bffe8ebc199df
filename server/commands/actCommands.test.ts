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
    expect(await run('approvals', '--as', grace.email)).toContain(id);
    expect(await run('approve', id, ...REASON, '--as', grace.email)).toContain('Done');
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
  test('an act that may need approval is refused until there are operators; prices and policies are not', async () => {
    const { id } = await createCharged();
    const claim = await createClaimForTown({ testServer, participants: people });
    for (const typed of [
      ['refund', id, '1.00', ...REASON],
      ['adjust', id, '--yes', '00000000', ...REASON],
      ['payout', 'send', ...REASON],
      ['case', 'decide', await noOf(claim), ...REASON],
    ])
      expect(await run(...typed), typed.join(' ')).toMatch(
        /^refused: only operators do this.+ -- invite <your e-mail>/,
      );
    expect(await run('price', 'taxes', '8.25%', '--from', '2100-01-01')).toBe(
      'taxes is 8.25% from 2100-01-01T00:00:00.000Z on.',
    );
    expect(await run('price', 'pickup', '6.50')).toMatch(/^pickup is 6\.50 from \S+Z on\.$/);
    expect(await run('prices')).toMatch(/pickup +\$6\.50/);
    expect(await run('price', 'pickup', '5.99')).toContain('pickup is 5.99');
    expect(await run('policy', 'privacy', 'careful')).toContain('privacy is careful from now on');
    expect(await run('preset', 'open')).toContain('The preset open holds from now on');
    [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
    for (const typed of [
      ['refund', id, '1.00'],
      ['payout', 'send'],
      ['payout', 'run'],
      ['price', 'taxes', '8%', '--from', '2100-02-01'],
      ['policy', 'privacy', 'careful'],
      ['preset', 'careful'],
      ['step', id, 'cancel-by-operator', '--reason', 'asked'],
      ['retry', id],
      ['drop', id],
      ['case', 'decide', await noOf(claim)],
    ])
      expect(await run(...typed, ...REASON), typed.join(' ')).toContain('refused: say who you are: --as');
  });

  test('a price, a policy and a preset wait for approval', async () => {
    expect(await asAda('price', 'taxes', '8.25', ...REASON)).toContain('a rate, like 8.875%');
    expect(await asAda('price', 'taxes', '8.8755%', ...REASON)).toContain('taxes: At most 3 decimals');
    expect(await asAda('price', 'tax-rounding', 'up', ...REASON)).toContain('tax-rounding is order or line');
    expect(await asAda('price', 'size-XL', '5', ...REASON)).toContain('Whole pounds from 9 to 15');
    expect(await asAda('price', 'taxes', '9%', '--from', 'soon', ...REASON)).toContain(
      'refused: --from must be a date',
    );
    expect(await asAda('price', 'taxes', '9%')).toContain('refused: --reason is missing');
    await approve(await asAda('price', 'tax-rounding', 'line', '--from', '2101-01-01', ...REASON));
    await approve(await asAda('price', 'taxes', '9.375%', '--from', '2101-01-01', ...REASON));
    await expectBothDid('setPrice');
    expect(await run('prices')).toMatch(/taxes +9\.375% {2}from 2101-01-01/);
    expect(await run('prices')).toMatch(/tax-rounding +for each line {2}from 2101-01-01/);
    await approve(await asAda('policy', 'privacy', 'careful', ...REASON));
    await expectBothDid('setPolicy');
    await approve(await asAda('preset', 'careful', ...REASON));
    await expectBothDid('setPreset');
  });

  test('a refund waits above the limit, and the ledger of an order is corrected by two', async () => {
    const { id, number } = await createCharged();
    expect(await asAda('refund', 'R-7', '1', ...REASON)).toBe('refused: there is no order R-7');
    expect(await asAda('refund', id, '1', '--liable', 'moon', ...REASON)).toContain('--liable must be one of');
    expect(await asAda('refund', id, '500', ...REASON)).toBe('refused: The amount must be from 1 to 2683 cents');
    expect(await asAda('refund', number, '5.00', '--liable', 'scrub', ...REASON)).toContain('$5.00 goes back');
    await expectAdaDid('refundOrder');
    // Two commands at once give it once: each names what was left before it.
    const named = sql`select details::jsonb->'left' as left from audit where action = 'refundOrder' and subject_id = ${id}`;
    expect(await queryRows(db(), named)).toEqual([{ left: 26.83 }]);
    await queryRows(
      db(),
      sql`insert into settings (name, value, set_by, valid_from)
      values ('refundLimitOrder', '1000', 'the test', ${testServer.now().toISOString()}::timestamptz)`,
    );
    await approve(await asAda('refund', number, ...REASON));
    await expectBothDid('refundOrder');
    const wrong = await createCharged();
    expect(await asAda('adjust', wrong.number)).toBe('Nothing to adjust.');
    await writeRefundOfEarlierRelease({ context: { db: db() }, users: { buds: [people.bud.user] } }, wrong.id);
    const code = /add --yes (\S+)\.$/.exec(await asAda('adjust', wrong.number))?.[1] ?? '';
    expect(await asAda('adjust', wrong.id, '--yes', '00000000', ...REASON)).toContain('Look at the lines again');
    await approve(await asAda('adjust', wrong.id, '--yes', code, ...REASON));
    await expectBothDid('adjustOrder');
    expect(await proposeAdjustment(db(), wrong.id)).toEqual([]);
  });

  test('a stuck payment is tried again, and a stuck refund tried again or dropped, by one operator', async () => {
    const { id } = await createCharged();
    expect(await asAda('retry', id, ...REASON)).toBe(`refused: no payment or refund ${id} waits for a person`);
    expect(await asAda('drop', id, ...REASON)).toBe(`refused: no refund ${id} waits for a person`);
    await queryRows(db(), sql`update payments set state = 'stuck', failure = 'some reason' where order_id = ${id}`);
    expect(await asAda('retry', id, ...REASON)).toContain('tries it again within seconds');
    await expectAdaDid('retryProblem');
  });

  test('steps are taken by the operator, and a case is closed or decided', async () => {
    const { id, number, deliveries } = await createOrderInStatus(people, 'Accepted');
    expect(await asAda('step', number, 'fly')).toMatch(
      /^refused: the steps of an order are .+cancel-by-operator.+; the steps of a delivery are .+relay/,
    );
    expect(await asAda('step', number, 'relay', '--latitude', '40.7', '--longitude', '-999')).toBe(
      'refused: --latitude and --longitude must be a place in degrees',
    );
    expect(await asAda('step', number, 'cancel-by-operator')).toContain('refused: --reason');
    expect(await asAda('step', number, 'cancel-by-operator', '--reason', 'bored')).toContain('--reason must be one of');
    expect(await asAda('step', number, 'cancel-by-operator', '--reason', 'other')).toContain('(--words)');
    for (const delivery of deliveries)
      expect(await asAda('step', delivery.id, 'call-off', '--reason', 'asked', '--words', 'By phone.')).toContain(
        'Done: call-off',
      );
    await expectAdaDid('delivery-call-off');
    // With what she has given back before, it is above what she may move in a day.
    await approve(await asAda('step', number, 'cancel-by-operator', '--reason', 'asked'));
    await expectBothDid('order-cancel-by-operator');
    const order = await queryRow(db(), sql`select status from orders where id = ${id}`);
    expect(order).toEqual({ status: 'Cancelled' });
    const scenario = { testServer, participants: people };
    const [first, second] = [await createClaimForTown(scenario), await createClaimForTown(scenario)];
    const [closed, decided] = [await noOf(first), await noOf(second)];
    await queryRows(db(), sql`update cases set priority = 'high' where id = ${second}`);
    const urgentFirst = `Cases that wait for the town \\(.+\\):\n${decided}  URGENT claim, order .+, since .+\n(.+\n)*${closed}  claim,`;
    expect(await run('list')).toMatch(new RegExp(urgentFirst));
    expect(await asAda('case', 'close', 'C-99999', ...REASON)).toContain('there is no case "C-99999"');
    expect(await asAda('case', 'close', closed)).toContain('--reason is missing');
    expect(await asAda('case', 'close', closed, ...REASON)).toBe(`${closed} is closed.`);
    await expectAdaDid('closeCase');
    const item = ['--item', '1', '--amount', '2.50', '--liable', 'scrub'];
    expect(await asAda('case', 'decide', decided, ...item, ...REASON)).toBe(
      `${decided} is decided: item 1 $2.50 by the scrub.`,
    );
    await expectAdaDid('decideCase');
    expect(await asAda('case', 'show', decided)).toContain('$2.50 decided');
  });

  test('a case shows which Dubers carried the laundry, and the delivery of one is named to have them bear it', async () => {
    const claim = await noOf(await createClaimForTown({ testServer, participants: people }));
    const carried = /(.+) carried the laundry in delivery (\S+)/;
    const [, name = '', deliveryId = ''] = carried.exec(await asAda('case', 'show', claim)) ?? [];
    expect(name.trim()).toBe('Test Duber');
    const decide = (liable: string, delivery: string) =>
      asAda('case', 'decide', claim, ...['--item', '1', '--amount', '2.50'], ...ofDuber(liable, delivery), ...REASON);
    const ofDuber = (liable: string, delivery: string) => ['--liable', liable, '--delivery', delivery];
    expect(await decide('scrub', deliveryId)).toContain('refused: --delivery says which Duber bears an item');
    expect(await decide('duber', claim)).toContain('refused');
    expect(await decide('duber', deliveryId)).toBe(`${claim} is decided: item 1 $2.50 by the duber.`);
    const liable = await queryRow<{ id: string }>(
      db(),
      sql`select r.liable_user as id from case_refunds c join refunds r on r.id = c.refund_id order by r.created_at desc limit 1`,
    );
    const carrier = await queryRow(db(), sql`select duber_id as id from deliveries where id = ${deliveryId}`);
    expect(liable).toEqual(carrier);
  });

  test('a case shows where the Duber is who cannot go on, as the step that hands the laundry on takes it', async () => {
    const { deliveries } = await createOrderInStatus(people, 'Accepted');
    const deliveryId = deliveries[0]?.id ?? '';
    await advanceDelivery(people.duber, deliveryId, 3);
    const place = { latitude: 40.7128, longitude: -74.006 };
    const body = { kind: 'relay', deliveryId, words: 'The chain broke', place } as const;
    const no = await noOf((await people.duber.api.createCase({ body })).id);
    const [, where = ''] = /at (--latitude .+)/.exec(await asAda('case', 'show', no)) ?? [];
    expect(where).toBe('--latitude 40.7128 --longitude -74.006');
    const relay = ['relay', ...where.split(' '), '--reason', 'breakdown'];
    expect(await asAda('step', deliveryId, ...relay)).toContain('Done: relay');
    const delivery = await queryRow(
      db(),
      sql`select pickup_latitude as latitude, pickup_longitude as longitude from deliveries where id = ${deliveryId}`,
    );
    expect(delivery).toEqual(place);
    await asAda('step', deliveryId, 'call-off', '--reason', 'asked', '--words', 'By phone.');
  });

  // Last: it moves the clock.
  test('payouts are sent by two, and the file for the bank is private', async () => {
    const { id } = await createCharged('Completed');
    const { deliveries } = await people.scrub.api.readOrder({ params: { id } });
    for (const delivery of deliveries) await advanceDelivery(people.duber, delivery.id);
    expect(await asAda('payout', 'again')).toContain('refused: no payouts were sent yet');
    testServer.advanceClock(8 * WEEK_MS);
    expect(await asAda('payout', 'run', ...REASON)).toMatch(/^Done\. Due now: \$\d+\.\d\d for [1-9]\d* people\.$/);
    await expectAdaDid('runPayouts');
    await approve(await asAda('payout', 'send', ...REASON));
    await expectBothDid('sendPayouts');
    expect(await asAda('payout', 'send', ...REASON)).toBe('No payout is due.');
    const file = join(DATA_DIR, 'payouts.csv');
    expect(await asAda('payout', 'again', '--out', file)).toMatch(/only you can read it\. .+ payout again \S+ --out/);
    expect(readFileSync(file, 'utf8')).toContain('Grace Scrub');
    // It names people and what they earn. A link that somebody has put there, or the file of an earlier run, is never written through.
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const link = join(DATA_DIR, 'link.csv');
    symlinkSync(join(DATA_DIR, 'victim'), link);
    for (const out of [file, link])
      expect(await asAda('payout', 'again', '--out', out)).toContain('already exists: name another file');
    expect(await asAda('payout', 'again', 'none')).toBe('refused: there is no batch "none"');
    expect(await asAda('payout', 'dance')).toContain('payout run, payout send, or payout again');
  });
});
