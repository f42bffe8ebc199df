import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../domain/durations.ts';
import { expectFailure } from '../../../testing/checkedClient.ts';
import { createOperator } from '../../../testing/operators.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer } from '../../../testing/testServer.ts';
import { waitFor } from '../../../testing/waits.ts';
import { createSealer } from '../../auth/sealing.ts';
import { markDuePayoutsSent } from './payouts.sql.ts';

const IBAN = { method: 'iban', holder: 'Sid Soap', iban: 'de89 3704 0044 0532 0130 00' } as const;
const AMERICAN = {
  method: 'us-bank',
  holder: 'Sid Soap',
  routingNumber: '021000021',
  accountNumber: '000123456789',
  accountType: 'checking',
} as const;

describe.each(RULE_DATABASES)('the bank account of a worker, on %s', (kind) => {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
  });
  afterAll(() => testServer?.close());

  test('is stored encrypted, shown by its last digits, and its owner is mailed', async () => {
    const { api, user } = await testServer.createUser('Scrub');
    expect(await api.readPayoutAccount()).toEqual({ account: null });
    await api.changePayoutAccount({ body: { password: PASSWORD, account: IBAN } });
    const { account } = await api.changePayoutAccount({ body: { password: PASSWORD, account: AMERICAN } });
    expect(account).toMatchObject({ method: 'us-bank', last4: '6789' });
    expect(await api.readPayoutAccount()).toEqual({ account });
    await waitFor(async () => {
      const { text } = await testServer.waitForMail(user.email, 'bank account');
      expect(text).toContain('ends in 6789, and no longer to the one that ends in 3000');
    });
    const row = await testServer.server.db
      .selectFrom('payout_accounts')
      .selectAll()
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify({ ...row, sealed: row.sealed.toString('latin1') })).not.toContain('000123456789');
    expect(() => createSealer(Buffer.alloc(32)).unseal(row.sealed)).toThrow('encrypted with another key');
  });

  test('is changed only with the password, and refused with a clear message when its digits are wrong', async () => {
    const { api } = await testServer.createUser('Duber');
    const change = (account: object, password = PASSWORD) =>
      expectFailure(api.changePayoutAccount({ body: { password, account: account as typeof IBAN } }));
    expect((await change(IBAN, 'Wrong-1!')).message).toBe('The current password is wrong');
    expect((await change({ ...IBAN, iban: 'DE88370400440532013000' })).message).toContain('not an IBAN');
    expect((await change({ ...AMERICAN, routingNumber: '021000022' })).message).toContain('not a routing number');
    expect((await change({ ...AMERICAN, holder: '王小明' })).message).toContain('needs Latin letters');
    expect((await change({ ...IBAN, holder: 'Sid\uFFFF' })).message).toContain('The name');
    expect((await change({ ...AMERICAN, accountNumber: '12' })).message).toContain('4 to 17 digits');
    expect(await api.readPayoutAccount()).toEqual({ account: null });
  });

  test('counts as missing for its owner, too, when another key has encrypted it', async () => {
    const { api, user } = await testServer.createUser('Scrub');
    await api.changePayoutAccount({ body: { password: PASSWORD, account: IBAN } });
    const sealed = createSealer(Buffer.alloc(32)).seal('{}');
    const { db } = testServer.server;
    await db.updateTable('payout_accounts').set({ sealed }).where('user_id', '=', user.id).execute();
    expect(await api.readPayoutAccount()).toEqual({ account: null });
    const { account } = await api.changePayoutAccount({ body: { password: PASSWORD, account: AMERICAN } });
    expect(await api.readPayoutAccount()).toEqual({ account });
  });

  test('with a short number is shown by half of it, and so is one in the mail', async () => {
    const { api, user } = await testServer.createUser('Duber');
    const { account } = await api.changePayoutAccount({
      body: { password: PASSWORD, account: { ...AMERICAN, accountNumber: '2468' } },
    });
    expect(account?.last4).toBe('68');
    expect((await testServer.waitForMail(user.email, 'bank account')).text).not.toContain('2468');
  });

  test('that was changed keeps payouts waiting for seven days', async () => {
    const { db } = testServer.server;
    const [changed, other] = [await testServer.createUser('Scrub'), await testServer.createUser('Scrub')];
    await changed.api.changePayoutAccount({ body: { password: PASSWORD, account: IBAN } });
    for (const [n, { user }] of [changed, other].entries())
      await db
        .insertInto('payouts')
        .values({
          ...{
            id: `0192f0c1-7a3b-7c4d-8e5f-01234567890${n}`,
            user_id: user.id,
            period_end: new Date('2026-01-05'),
            amount: 100,
          },
          ...{ state: 'due', created_at: testServer.now() },
        })
        .execute();
    expect(await markDuePayoutsSent(db, 'first', 'manual', testServer.now())).toBe(1);
    testServer.advanceClock(7 * DAY_MS);
    expect(await markDuePayoutsSent(db, 'second', 'manual', testServer.now())).toBe(1);
    const ada = await createOperator(testServer, { caps: ['money'] });
    const fileOf = async (batch: string) => {
      await ada.api.openPayoutFile({ params: { batch }, body: { reason: 'For the bank' } });
      return (await ada.api.readPayoutFile({ params: { batch } })).text.split('\r\n');
    };
    expect((await fileOf('second'))[1]).toMatch(/,1\.00,"Sid Soap",,,,DE89370400440532013000$/);
    // Nobody had time to stop this one.
    await changed.api.changePayoutAccount({ body: { password: PASSWORD, account: AMERICAN } });
    expect((await fileOf('second'))[1]).toMatch(/,1\.00,,,,,$/);
    expect((await fileOf('first'))[1]).toMatch(/,1\.00,,,,,$/);
  });

  test('is in a file that banks read, once two operators have entered where the town pays from', async () => {
    const { db } = testServer.server;
    for (const [n, account] of [IBAN, AMERICAN, undefined].entries()) {
      const worker = await testServer.createUser('Duber');
      if (account) await worker.api.changePayoutAccount({ body: { password: PASSWORD, account } });
      await db
        .insertInto('payouts')
        .values({
          ...{
            id: `0192f0c1-7a3b-7c4d-8e5f-0123456789c${n}`,
            user_id: worker.user.id,
            period_end: new Date('2026-01-12'),
          },
          ...{ amount: 1_000 + n, state: 'due', created_at: testServer.now() },
        })
        .execute();
    }
    testServer.advanceClock(7 * DAY_MS);
    const ben = await createOperator(testServer, { caps: ['money'] });
    const cleo = await createOperator(testServer, { caps: ['money'] });
    const approve = (approvalId: string | null) =>
      cleo.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });
    const batch = 'third';
    expect(await markDuePayoutsSent(db, batch, 'manual', testServer.now())).toBe(3);
    const read = async (format: 'nacha' | 'iso-20022') => {
      await ben.api.openPayoutFile({ params: { batch }, body: { format, reason: 'For the bank' } });
      return ben.api.readPayoutFile({ params: { batch }, query: { format } });
    };
    expect((await expectFailure(read('nacha'))).message).toContain('at a bank of the USA first');
    expect((await expectFailure(read('iso-20022'))).message).toContain('IBAN first');
    const reason = 'We have an account now';
    const { routingNumber } = AMERICAN;
    const usBank = { routingNumber, bankName: 'First Bank', companyName: 'Soapwick', companyId: '1234567890' };
    const wrong = await expectFailure(ben.api.setUsBank({ body: { ...usBank, companyId: '12', reason } }));
    expect(wrong.message).toBe('The number from the bank has 10 letters or digits');
    await approve((await ben.api.setUsBank({ body: { ...usBank, reason } })).approvalId);
    const own = { name: 'Soapwick', iban: 'GB82WEST12345698765432' };
    await approve((await ben.api.setIban({ body: { ...own, reason } })).approvalId);
    expect((await ben.api.listPayouts({ query: {} })).bank).toEqual({ usBank, iban: own });

    const nacha = await read('nacha');
    expect(nacha).toMatchObject({ name: 'payouts-third.ach', left: { payouts: 2, amount: 20.02 } });
    expect(nacha.text).toContain('000123456789     0000001001');
    const iso = await read('iso-20022');
    expect(iso).toMatchObject({ name: 'payouts-third.xml', left: { payouts: 2, amount: 20.03 } });
    expect(iso.text).toContain('<InstdAmt Ccy="USD">10.00</InstdAmt></Amt><Cdtr><Nm>Sid Soap</Nm>');
    expect(iso.text).toContain('<IBAN>DE89370400440532013000</IBAN>');
  });
});
