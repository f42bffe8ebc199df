import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildUrl } from '../../contract/callClient.ts';
import { OPERATOR_API } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import type { NewTaxId } from '../../contract/taxIds.ts';
import { reportedFrom } from '../../domain/taxIds.ts';
import { expectFailure, sendRequest } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { insertTestPayout } from '../../testing/taxIds.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { createSealer } from '../auth/sealing.ts';

const REASON = 'For the tax adviser';
const READS = Object.values(OPERATOR_API).filter(({ method }) => method === 'GET') as OperatorCall[];

describe.each(RULE_DATABASES)('the tax numbers in the export of a year, on %s', (kind) => {
  let testServer: TestServer;
  let [ada, grace]: (TestOperator | undefined)[] = [];
  const workers: Record<string, TestUser> = {};

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
    await createWorker('Ann Soap', 0, { kind: 'ssn', name: 'Ann B. Soap', number: '001-22-1234' });
    await createWorker('Bo Wheels', 1, { kind: 'tin', country: 'IT', name: '=Bo', number: 'RSSMRA85T10A562S' });
    await createWorker('Cy Below', -1);
    await createWorker('Di Without', 0);
    await createWorker('Ed Restored', 0, { kind: 'ein', name: 'Ed Ltd', number: '12-3456789' });
    // As after a restore with another key.
    const sealed = createSealer(Buffer.alloc(32)).seal('{}');
    const edId = workers['Ed Restored']?.user.id ?? '';
    await testServer.server.db.updateTable('tax_ids').set({ sealed }).where('user_id', '=', edId).execute();
  });
  afterAll(() => testServer?.close());

  const thisYear = () => testServer.now().getUTCFullYear();
  const query = () => ({ year: String(thisYear()) });

  /** A worker who was paid so many cents more than from where on a year is reported. */
  async function createWorker(fullname: string, more: number, taxId?: NewTaxId) {
    const worker = await testServer.createUser('Scrub', { fullname });
    if (taxId) await worker.api.changeTaxId({ body: { password: PASSWORD, taxId } });
    const cents = reportedFrom(thisYear()) + more;
    await insertTestPayout(testServer.server.db, worker.user.id, { cents, at: testServer.now() });
    workers[fullname] = worker;
  }

  test('the console counts who must be reported, and who of them has no number that can be read', async () => {
    expect(await ada?.api.readMissingTaxIds({ query: query() })).toEqual({
      ...{ from: reportedFrom(thisYear()) / 100, workers: 4, missing: 2 },
    });
    const before = { year: String(thisYear() - 1) };
    expect(await ada?.api.readMissingTaxIds({ query: before })).toMatchObject({ workers: 0, missing: 0 });
  });

  test('another operator must agree first; then each number is beside its own worker', async () => {
    const read = (operator = ada) => operator?.api.readTaxWorkers({ query: query() }) ?? Promise.reject();
    expect((await expectFailure(read())).message).toContain('Ask for approval first');
    const asked = await ada?.api.exportTaxWorkers({ body: { year: thisYear(), reason: REASON } });
    expect((await expectFailure(read())).message).toContain('Ask for approval first');
    await grace?.api.approve({ params: { id: asked?.approvalId ?? '' }, body: { reason: 'I agree' } });
    expect((await expectFailure(read(grace))).message).toContain('Ask for approval first');
    const lines = (await read()).text.split('\r\n');
    const dollars = (more: number) => ((reportedFrom(thisYear()) + more) / 100).toFixed(2);
    const lineOf = (fullname: string, more: number, cells: string) => {
      const { id, email } = workers[fullname]?.user ?? {};
      return `${id},"${fullname}","${email}",Scrub,1,${dollars(more)},${cells}`;
    };
    expect(lines).toEqual([
      '\uFEFFperson,name,email,role,payouts,paid in USD,name on the tax return,country,kind,tax number',
      lineOf('Ann Soap', 0, '"Ann B. Soap",US,SSN,"001-22-1234"'),
      // A spreadsheet would run a name that begins with "=".
      lineOf('Bo Wheels', 1, '"\'=Bo",IT,TIN,"RSSMRA85T10A562S"'),
      lineOf('Cy Below', -1, ',,,'),
      lineOf('Di Without', 0, ',,,'),
      lineOf('Ed Restored', 0, ',,,'),
      '',
    ]);
  });

  test('is not read with a code that is older than 15 minutes', async () => {
    const read = () => ada?.api.readTaxWorkers({ query: query() }) ?? Promise.reject();
    testServer.advanceClock(16 * 60_000);
    expect(await expectFailure(read())).toMatchObject({ status: 403 });
    await ada?.api.enterCode({ body: { code: ada.nextCode() } });
    expect((await read()).text).toContain('001-22-1234');
  });

  test('no other answer of the console has a number, or the name on a tax return', async () => {
    const id = workers['Ann Soap']?.user.id ?? '';
    let answered = 0;
    for (const call of READS.filter(({ path }) => path !== OPERATOR_API.readTaxWorkers.path)) {
      const { params, query: asked } = (call.example ?? {}) as { params?: object; query?: object };
      const ofAnn = params && 'id' in params ? { ...params, id } : params;
      const words = call.path === OPERATOR_API.searchTown.path ? { ...asked, q: 'Ann Soap' } : asked;
      const url = buildUrl(call, { ...(ofAnn ? { params: ofAnn } : {}), ...(words ? { query: words } : {}) } as object);
      const { status, body, headers } = await sendRequest(testServer.apiUrl, 'GET', url, { token: ada?.token });
      expect(status, url).toBeLessThan(500);
      if (status === 200) answered += 1;
      const text = JSON.stringify([body, [...headers]]);
      expect(text, url).not.toMatch(/001-?22-?1234|Ann B\. Soap|RSSMRA85/);
    }
    expect(answered).toBeGreaterThan(20);
  });
});
