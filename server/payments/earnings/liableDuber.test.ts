import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEarningTests } from '../../../testing/earningTests.ts';
import { openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRows } from '../../db/database.ts';
import { requestRefund } from '../refunds/refunds.ts';

const [FEE, CLAIMED] = [599, 1200];

describe.each(RULE_DATABASES)('a Duber who bears a claim, on %s', (kind) => {
  let harness: PaymentHarness;
  let earnings: ReturnType<typeof openEarningTests>;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
    earnings = openEarningTests(harness);
  });
  afterAll(() => harness?.close());

  const claim = async (orderId: string, deliveryId: string) => {
    const asked = { orderId, deliveryId, amount: CLAIMED, liable: 'duber', reason: 'wet' } as const;
    expect(await requestRefund(harness.context, asked)).toMatchObject({ ok: true });
    await harness.runPaymentJobs();
  };
  const creditsOf = (deliveryId: string) =>
    queryRows<{ amount: number }>(
      harness.context.db,
      sql`select l.amount from ledger_entries e join ledger_lines l on l.entry_id = e.id
        where e.delivery_id = ${deliveryId} and e.kind = 'delivered' and l.account = 'duber' and l.amount < 0`,
    );
  const taxesOf = async (orderId: string) => -110 - ((await earnings.sumsOf(orderId))['taxes-payable'] ?? 0);

  test.each(['before', 'after'])(
    'is paid for a second delivery, and bears no more, when it is claimed %s the first is undone',
    async (when) => {
      const { id, outbound } = await earnings.placeOrder();
      await earnings.carry(outbound);
      await earnings.complete(id);
      await earnings.carryAll(id);
      if (when === 'before') await claim(id, outbound);
      await earnings.undo(outbound);
      await earnings.startOver(outbound, 'Way_To_Drop');
      if (when === 'after') await claim(id, outbound);
      await earnings.deliver(outbound);
      const borne = CLAIMED + (await taxesOf(id));
      expect(await earnings.sumsOf(id)).toMatchObject({ scrub: -1250, duber: borne - 2 * FEE });
      expect(await creditsOf(outbound)).toEqual([{ amount: -FEE }, { amount: -FEE }]);
      expect(await earnings.problemsOf(id)).toEqual([]);
      await earnings.undo(outbound);
      await earnings.startOver(outbound, 'Way_To_Drop');
      expect(await earnings.problemsOf(id)).toEqual([]);
      await earnings.deliver(outbound);
      expect(await earnings.sumsOf(id)).toMatchObject({ scrub: -1250, duber: borne - 2 * FEE });
      expect(await earnings.problemsOf(id)).toEqual([]);
    },
  );
});
