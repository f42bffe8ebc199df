import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENTRY_KINDS, linesOfCardFee } from '../../../domain/ledger.ts';
import { MONEY_TELLINGS } from '../../../domain/moneyNotices.ts';
import { openEarningTests } from '../../../testing/earningTests.ts';
import { type NotificationHarness, openNotificationHarness } from '../../../testing/notificationHarness.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { readMoneyMoves } from '../../../testing/untoldMoney.ts';
import { transact } from '../../db/database.ts';
import { writeDisputed, writeDisputeEnd } from '../earnings/disputeMoney.ts';
import { holdCredits } from '../earnings/earnings.ts';
import { returnPayout } from '../payouts/returnPayout.ts';
import { forgiveRefund } from '../refunds/forgiveRefund.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { writeLedgerEntry } from './ledger.sql.ts';

describe.each(RULE_DATABASES)('who is told that money moves, on %s', (kind) => {
  let harness: NotificationHarness;
  let tests: ReturnType<typeof openEarningTests>;
  beforeAll(async () => {
    harness = await openNotificationHarness(kind);
    tests = openEarningTests(harness);
  });
  afterAll(() => harness?.close());

  const db = () => harness.context.db;
  const at = () => harness.context.now();
  const [bud, scrub, duber] = [0, 1, 2].map((n) => () => {
    const { buds, scrubs, dubers } = harness.users;
    return [buds, scrubs, dubers][n]?.[0]?.id ?? '';
  }) as [() => string, () => string, () => string];
  const refund = async (orderId: string, amount: number, reason: string) => {
    const asked = await requestRefund(harness.context, { orderId, amount, liable: 'scrub', reason });
    await harness.runPaymentJobs();
    return asked.ok ? asked.id : expect.unreachable(asked.why);
  };
  /** What a person was mailed since the last look. Mails are sent several at a time, so their order says nothing. */
  const seen = new Set<string>();
  const newMails = async (user: string) => {
    await harness.send();
    const mails = (await harness.mailsTo(user)).filter(({ id }) => !seen.has(id));
    for (const { id } of mails) seen.add(id);
    return mails;
  };
  const mailAbout = async (user: string, subject: string) => {
    const mails = await newMails(user);
    expect(mails.map((mail) => mail.subject)).toContain(subject);
    return mails.find((mail) => mail.subject === subject) ?? expect.unreachable();
  };

  test('a refund tells the Bud and the Scrub who bears it how much, why, of which order, and what they can do', async () => {
    await tests.earnTrust();
    const orderId = await harness.createOrder('Delivered');
    await harness.runPaymentJobs();
    await refund(orderId, 969, 'It came back a day late');
    const toBud = await mailAbout(bud(), '$9.69 goes back to your card');
    const toScrub = await mailAbout(scrub(), '$9.29 is taken from what you earned');
    for (const { text } of [toBud, toScrub]) {
      expect(text).toMatch(/Order R-\d+/);
      expect(text).toContain('It came back a day late');
      expect(text).toContain('If this is not right, email us with the number of the order');
    }
    expect(toBud.text).toContain(`/bud/orders/${orderId}/receipt`);
    expect(toScrub.text).toContain(`/scrub/jobs/${orderId}`);
  });

  test('a Scrub who bears the trip of a Duber reads so, and so does a Duber whose earning is taken back', async () => {
    const { outbound } = await tests.placeOrder();
    await harness.runPaymentJobs();
    await tests.carry(outbound, 0, ['accept-delivery', 'way-to-pickup']);
    await tests.pay(outbound, { kind: 'trip', cents: 300, borneBy: 'scrub' });
    const toScrub = await mailAbout(scrub(), '$3.00 is taken from what you earned');
    expect(toScrub.text).toContain(
      'Paid to a Duber: a trip without laundry, because you gave the order back or clean it again',
    );
    await tests.undo(outbound);
    await mailAbout(duber(), '$3.00 is taken from what you earned');
    await mailAbout(scrub(), '$3.00 is added to what you earned');
    await tests.startOver(outbound, 'Pending');
  });

  test('every kind of entry moves the money of people only as the table of notices says, and they are told', async () => {
    await otherPays();
    await forgiven();
    await paidOut();
    await disputed();
    const { moves, untold } = await readMoneyMoves(db());
    expect(untold).toEqual([]);
    expect(Object.keys(moves).sort()).toEqual([...ENTRY_KINDS].sort());
    // Both lines of a part that is set aside are of one person, and a fee is the platform's.
    const isTheirs = ([entry]: [string, unknown]) => entry !== 'held' && entry !== 'card-fee';
    const untoldMoves = Object.entries(moves)
      .filter(isTheirs)
      .flatMap(([entry, found]) =>
        found
          .filter((move) => MONEY_TELLINGS[entry as keyof typeof MONEY_TELLINGS][move] === undefined)
          .map((move) => `${entry} ${move}`),
      );
    expect(untoldMoves).toEqual([]);
  });

  async function otherPays() {
    for (const kindOfEarning of ['return', 'relay'] as const) {
      const { outbound } = await tests.placeOrder();
      await tests.carry(outbound, 0, ['accept-delivery', 'way-to-pickup']);
      await tests.pay(outbound, { kind: kindOfEarning, cents: 200, borneBy: 'scrub' });
      await tests.startOver(outbound, 'Pending');
    }
  }

  async function forgiven() {
    const orderId = await harness.createOrder('Delivered');
    await harness.runPaymentJobs();
    const refundId = await refund(orderId, 500, 'torn');
    await transact(db(), async (tx) => {
      await forgiveRefund(tx, { orderId, refundId, cents: 500, reason: 'it was contested' }, at());
      await holdCredits(tx, { orderId, account: 'scrub', userId: scrub(), reason: 'ways', cents: 100 }, at());
    });
    const mails = await newMails(scrub());
    const repaid = mails.find(({ subject }) => /^\$4\.\d\d is added to what you earned$/.test(subject));
    expect(repaid?.text).toContain('Correction: it was contested');
  }

  async function paidOut() {
    await tests.passDays(8);
    await tests.payOut('duber');
    const paid = { account: 'duber', userId: duber() } as const;
    await transact(db(), async (tx) => {
      await tx.updateTable('payouts').set({ state: 'sent', sent_at: at(), batch: 'b', method: 'manual' }).execute();
      const payout = await tx
        .selectFrom('payouts')
        .select('id')
        .where('user_id', '=', paid.userId)
        .executeTakeFirstOrThrow();
      await returnPayout(tx, { payoutId: payout.id, userId: paid.userId, at: at() });
    });
  }

  async function disputed() {
    const orderId = await harness.createOrder('Delivered');
    await harness.runPaymentJobs();
    const money = { orderId, budId: bud(), amount: 700 };
    await transact(db(), async (tx) => {
      await writeLedgerEntry(tx, {
        kind: 'card-fee',
        orderId,
        at: at(),
        lines: linesOfCardFee({ budId: bud(), fee: 30 }),
      });
      for (const isWon of [true, false]) {
        await writeDisputed(tx, money, at());
        await writeDisputeEnd(tx, money, { isWon, bearer: { account: 'scrub', userId: scrub() } }, at());
      }
    });
    const mail = await mailAbout(scrub(), '$7.00 is taken from what you earned');
    expect(mail.text).toContain('The card holder got the money back from their bank, and you bear it');
  }
});
