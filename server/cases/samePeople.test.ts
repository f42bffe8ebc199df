import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountKeyOf } from '../../domain/payoutAccounts.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { createSealer } from '../auth/sealing.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';
import { earningsHandlers } from '../payments/payouts/earnings.ts';
import { runPayouts } from '../payments/payouts/payouts.ts';
import { closeCase } from './decideCase.ts';

const SUNDAY = '2026-11-22T12:00:00Z';
const MONDAY = '2026-11-23T01:00:00Z';
const NEXT_MONDAY = '2026-11-30T01:00:00Z';
const THIRD_MONDAY = '2026-12-07T01:00:00Z';

describe.each(RULE_DATABASES)('people of one order who may be the same person, on %s', (kind) => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(kind);
    harness.setClock(SUNDAY);
    await sql`update users set phone = null`.execute(db());
  });
  afterEach(() => harness?.close());

  const db = () => harness.context.db;
  const peopleOf = async (orderId: string) => {
    const row = await queryRow<{ bud: string; scrub: string; duber: string }>(
      db(),
      sql`select o.bud_id as bud, o.scrub_id as scrub, d.duber_id as duber from orders o join deliveries d on d.order_id = o.id
        where o.id = ${orderId} limit 1`,
    );
    return row ?? { bud: '', scrub: '', duber: '' };
  };
  const setPhone = (userId: string, phone: string) =>
    sql`update users set phone = ${phone} where id = ${userId}`.execute(db());
  const know = (userId: string, what: string, value: string) =>
    sql`insert into known_devices (user_id, kind, value, last_seen_at) values (${userId}, ${what}, ${value}, now())`.execute(
      db(),
    );
  /** Pays on a Monday on which nobody can claim anything any more. */
  const payOn = async (monday: string) => {
    harness.setClock(monday);
    await sql`update orders set closed_at = ${monday} where closed_at is null`.execute(db());
    await runPayouts(harness.context);
  };
  const paidTo = async (userId: string) => {
    const sum = sql`select coalesce(sum(amount), 0)::int as cents from payouts where user_id = ${userId}`;
    return (await queryRow<{ cents: number }>(db(), sum))?.cents;
  };
  const listCases = () =>
    queryRows<{ id: string; status: string; words: string }>(
      db(),
      sql`select c.id, c.status, e.words from cases c join steps e on e.subject_id = c.id and e.action = 'open'
        where c.kind = 'same-people' order by c.no`,
    );
  const closeIt = async () => {
    const [open] = await listCases();
    return closeCase(harness.context, { caseId: open?.id ?? '', reason: 'They are brothers.', name: 'Ada' });
  };
  const waitsFor = async (scrubId: string) => {
    const caller = harness.users.scrubs.find(({ id }) => id === scrubId);
    const lines = await earningsHandlers(harness.context).earningLines({ caller, query: {} } as never);
    return lines.map((line) => line.waitsFor);
  };

  test('are shown to the town once, and what they earned together waits until it finds that in order', async () => {
    const first = await peopleOf(await harness.createOrder('Delivered'));
    const second = await peopleOf(await harness.createOrder('Delivered'));
    expect(second.scrub).toBe(first.scrub);
    await setPhone(first.scrub, '+1 202 555 0199');
    for (const { bud } of [first, second]) await setPhone(bud, '(202) 555-0199');
    await payOn(MONDAY);
    expect(await paidTo(first.scrub)).toBe(0);
    expect(await paidTo(first.duber), 'a stranger is paid').toBeGreaterThan(0);
    expect(await waitsFor(first.scrub)).toEqual(['same-people', 'same-people']);
    const cases = await listCases();
    expect(cases).toHaveLength(new Set([first.bud, second.bud]).size);
    expect(cases[0]).toMatchObject({ status: 'with-town', words: expect.stringContaining('the same phone number') });
    const people = sql`select user_id from case_people where case_id = ${cases[0]?.id}`;
    expect(await queryRows(db(), people), 'nobody else reads who looks like whom').toEqual([]);
    await harness.createOrder('Delivered');
    await payOn(NEXT_MONDAY);
    expect(await paidTo(first.scrub)).toBe(0);
    expect(await listCases()).toEqual(cases);
    expect(await closeIt()).toMatchObject({ ok: true });
    await harness.createOrder('Delivered');
    await payOn(THIRD_MONDAY);
    expect(await paidTo(first.scrub), 'what waited, and what they earned since').toBe(4 * 1250);
    expect(await listCases()).toHaveLength(cases.length);
    expect(await findAuditProblems(db())).toEqual([]);
  });

  test('wait when they use one device, and are shown again when they have more in common', async () => {
    const { bud, scrub } = await peopleOf(await harness.createOrder('Delivered'));
    for (const one of [bud, scrub]) await know(one, 'device', 'a tablet');
    await payOn(MONDAY);
    expect(await paidTo(scrub)).toBe(0);
    await closeIt();
    for (const one of [bud, scrub]) await setPhone(one, '+12025550188');
    await payOn(NEXT_MONDAY);
    expect(await paidTo(scrub), 'what the town has looked at').toBe(1250);
    await harness.createOrder('Delivered');
    await payOn(THIRD_MONDAY);
    expect(await paidTo(scrub), 'what came with something new').toBe(1250);
    expect((await listCases()).map(({ status }) => status)).toEqual(['closed', 'with-town']);
  });

  test('are paid when they only share a network, as neighbours and students do', async () => {
    const { bud, scrub, duber } = await peopleOf(await harness.createOrder('Delivered'));
    for (const one of [bud, scrub, duber]) await know(one, 'network', '192.0.2.7');
    await payOn(MONDAY);
    expect(await paidTo(scrub)).toBe(1250);
    expect(await listCases()).toEqual([]);
  });

  test('both wait when their money goes to one account', async () => {
    const { scrub, duber } = await peopleOf(await harness.createOrder('Delivered'));
    const sealer = createSealer(Buffer.alloc(32, 1));
    for (const [userId, holder] of [
      [scrub, 'Grace'],
      [duber, 'Alan'],
    ] as const) {
      const account = { method: 'iban', holder, iban: 'DE89370400440532013000' } as const;
      const [sealed, mark] = [sealer.seal(JSON.stringify(account)), sealer.mark(accountKeyOf(account))];
      await sql`insert into payout_accounts (user_id, method, last4, sealed, mark, changed_at)
        values (${userId}, 'iban', '3000', ${sealed}, ${mark}, now())`.execute(db());
    }
    await payOn(MONDAY);
    expect([await paidTo(scrub), await paidTo(duber)]).toEqual([0, 0]);
    expect(await listCases()).toMatchObject([{ words: expect.stringContaining('the same bank account') }]);
    await closeIt();
    await payOn(NEXT_MONDAY);
    expect([await paidTo(scrub), await paidTo(duber)]).toEqual([1250, 1198]);
  });
});
