import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewTaxId } from '../../../contract/taxIds.ts';
import { reportedFrom } from '../../../domain/taxIds.ts';
import { expectFailure } from '../../../testing/checkedClient.ts';
import { insertTestPayout } from '../../../testing/taxIds.ts';
import {
  openTestServer,
  PASSWORD,
  RULE_DATABASES,
  type TestServer,
  type TestUser,
} from '../../../testing/testServer.ts';
import { createSealer } from '../../auth/sealing.ts';
import { queryRows } from '../../db/database.ts';
import { markDuePayoutsSent } from './payouts.sql.ts';

const SSN = { kind: 'ssn', name: 'Sid Soap', number: '536-22-1234' } as const;
const TIN = { kind: 'tin', country: 'DE', name: 'Sidonie Seife', number: '86 095 742 719' } as const;

describe.each(RULE_DATABASES)('the tax number of a worker, on %s', (kind) => {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
  });
  afterAll(() => testServer?.close());

  const db = () => testServer.server.db;
  const thisYear = () => testServer.now().getUTCFullYear();
  const enter = ({ api }: TestUser, taxId: NewTaxId, password = PASSWORD) =>
    api.changeTaxId({ body: { password, taxId } });
  const rowsOf = ({ user }: TestUser) =>
    db().selectFrom('tax_ids').selectAll().where('user_id', '=', user.id).execute();

  test('is stored encrypted and shown by its end, and its owner is mailed', async () => {
    const sid = await testServer.createUser('Scrub');
    expect(await sid.api.readTaxId()).toEqual({ taxId: null, askedFor: null });
    const answer = await enter(sid, SSN);
    expect(answer).toMatchObject({ taxId: { kind: 'ssn', country: 'US', last4: '1234' }, askedFor: null });
    expect(await sid.api.readTaxId()).toEqual(answer);
    const { text } = await testServer.waitForMail(sid.user.email, 'tax number was added');
    expect(text).toContain('If this was not you');
    expect(text).not.toMatch(/536-?22-?1234|ends in/);
    const [row] = await rowsOf(sid);
    const stored = JSON.stringify({ ...row, sealed: row?.sealed.toString('latin1') });
    expect(stored).not.toMatch(/536-?22-?1234|Sid Soap/);
    expect(() => createSealer(Buffer.alloc(32)).unseal(row?.sealed ?? Buffer.alloc(0))).toThrow('another key');
  });

  test('replaces the one before, of which nothing is left', async () => {
    const worker = await testServer.createUser('Duber');
    await enter(worker, SSN);
    const { taxId } = await enter(worker, TIN);
    expect(taxId).toMatchObject({ kind: 'tin', country: 'DE', last4: '2719' });
    expect(await rowsOf(worker)).toMatchObject([{ kind: 'tin', country: 'DE', last4: '2719' }]);
    await testServer.waitForMail(worker.user.email, 'tax number on Rubadub was replaced');
  });

  test('is changed only with the password, and guesses of it are counted', async () => {
    const worker = await testServer.createUser('Scrub');
    const wrong = () => expectFailure(enter(worker, SSN, 'Wrong-1!'));
    expect((await wrong()).message).toBe('The current password is wrong');
    for (let tries = 0; tries < 4; tries += 1) await wrong();
    expect((await wrong()).status).toBe(429);
    expect((await expectFailure(enter(worker, SSN))).status).toBe(429);
    expect(await rowsOf(worker)).toEqual([]);
  });

  test('is refused with a clear message when it cannot be one', async () => {
    const worker = await testServer.createUser('Duber');
    const refuse = async (taxId: object) => (await expectFailure(enter(worker, taxId as NewTaxId))).message;
    expect(await refuse({ ...SSN, number: '666-22-1234' })).toContain('not a Social Security Number');
    expect(await refuse({ ...SSN, kind: 'itin' })).toContain('not an ITIN');
    expect(await refuse({ ...SSN, kind: 'ein', number: '07-1234567' })).toContain('not an EIN');
    expect(await refuse({ ...SSN, number: ' - ' })).toBe('The number is required');
    expect(await refuse({ ...SSN, name: ' ' })).toBe('The name on your tax return is required');
    expect(await refuse({ ...SSN, kind: 'vat' })).toBe('Choose the kind of number');
    expect(await refuse({ ...TIN, number: '0000000' })).toContain('not a tax number');
    expect(await refuse({ ...TIN, country: 'US' })).toBe('For the USA, choose SSN, ITIN or EIN');
    expect(await refuse({ ...TIN, country: 'Germany' })).toBe('Choose the country');
    expect(await rowsOf(worker)).toEqual([]);
  });

  test('is asked for once what a worker gets in a year must be reported, and stops no payout', async () => {
    const worker = await testServer.createUser('Scrub');
    const ask = async () => (await worker.api.readTaxId()).askedFor;
    const [now, cents] = [testServer.now(), reportedFrom(thisYear())];
    await insertTestPayout(db(), worker.user.id, { cents: cents - 1, at: now });
    expect(await ask()).toBeNull();
    await insertTestPayout(db(), worker.user.id, { cents: 1, at: weeksBefore(now, 1), state: 'due' });
    expect(await ask()).toEqual({ year: thisYear(), from: cents / 100 });
    expect(await markDuePayoutsSent(db(), 'without-a-number', 'manual', testServer.now())).toBe(1);
    await enter(worker, SSN);
    expect(await ask()).toBeNull();
  });

  test('is asked for, too, when only the last year must be reported', async () => {
    const worker = await testServer.createUser('Duber');
    const year = thisYear() - 1;
    await insertTestPayout(db(), worker.user.id, {
      cents: reportedFrom(year),
      at: new Date(`${year}-06-15T12:00:00Z`),
    });
    expect((await worker.api.readTaxId()).askedFor).toEqual({ year, from: reportedFrom(year) / 100 });
  });

  test('counts as missing when another key has encrypted it', async () => {
    const worker = await testServer.createUser('Duber');
    await enter(worker, SSN);
    const sealed = createSealer(Buffer.alloc(32)).seal('{}');
    await db().updateTable('tax_ids').set({ sealed }).where('user_id', '=', worker.user.id).execute();
    expect(await worker.api.readTaxId()).toEqual({ taxId: null, askedFor: null });
    expect((await enter(worker, TIN)).taxId?.last4).toBe('2719');
  });

  test('is in no other column, event or queued message', async () => {
    const worker = await testServer.createUser('Scrub');
    await enter(worker, { ...SSN, number: '536-77-8899', name: 'Sidonia Sudswell' });
    await testServer.waitForMail(worker.user.email, 'tax number was added');
    const tables = await queryRows<{ name: string }>(
      db(),
      sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const rows = await queryRows(
        db(),
        sql`select t::text as text from ${sql.table(name)} t where t::text ~* '536-?77-?8899|Sudswell'`,
      );
      expect(rows, name).toEqual([]);
    }
  });
});

const weeksBefore = (time: Date, weeks: number) => new Date(time.getTime() - weeks * 7 * 24 * 60 * 60_000);
