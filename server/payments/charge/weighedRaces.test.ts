import { v7 as newId } from 'uuid';
import { expect, test } from 'vitest';
import { openEarningTests } from '../../../testing/earningTests.ts';
import { explained } from '../../../testing/explained.ts';
import { findTracedProblems, traceOrder } from '../../../testing/orderTrace.ts';
import { openPaymentHarness } from '../../../testing/paymentHarness.ts';
import { createFastSquareCards } from '../../../testing/paymentStress/killableServer.ts';
import { createRandom } from '../../../testing/random.ts';
import { startSquareSandbox } from '../../../testing/squareSandbox.ts';
import {
  acceptOrder,
  openWeighedChecks,
  payMore,
  placeWeighedOrder,
  priceOf,
  setPriceIfPossible,
  WAYS,
} from '../../../testing/weighedOrders.ts';
import { transact } from '../../db/database.ts';
import { Refusal } from '../../http/refusals.ts';
import { applyWebhookHint } from '../reconcile/webhooks.sql.ts';
import { processDuePayment } from './captures.ts';
import { chargeEstimate } from './weighedPayments.ts';

const ROUNDS = Number(process.env.WEIGHED_RACES ?? 8);
const HEAVIER = { ...priceOf('Large'), loadPrice: 3750, platformFee: 375, taxes: 330, totalPrice: 5653 };

const SEED = 7;

test('paying more, weighing, cancelling and charging at once: one hold is charged, and none is left', async () => {
  const sandbox = await startSquareSandbox();
  const harness = await openPaymentHarness('postgres', createFastSquareCards(sandbox.url));
  const checks = openWeighedChecks(harness, sandbox.url);
  const { callOff } = openEarningTests(harness);
  const { context, users } = harness;
  const { db, now } = context;
  const random = createRandom(SEED);
  const raceWith = async (id: string, round: number) => {
    await acceptOrder(context, users, id);
    const pay = (key: string) => payMore(context, users, { orderId: id, price: HEAVIER, key });
    const webhook = { eventId: newId(), type: 'payment.updated', squareId: null, orderId: id };
    const all = [
      () => pay('a'),
      () => pay('a'),
      () => pay('b'),
      () => setPriceIfPossible(context, id, priceOf(random() < 0.5 ? 'Small' : 'Large')),
      () => setPriceIfPossible(context, id, WAYS),
      () => transact(db, (tx) => chargeEstimate(tx, id, now())),
      () => transact(db, (tx) => applyWebhookHint(tx, webhook, now())),
      () => processDuePayment(context),
      () => processDuePayment(context, id),
      ...(round % 2 === 0 ? [() => callOff(id)] : []),
    ];
    const shuffled = all
      .map((work) => ({ work, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .slice(round % 3);
    const results = await Promise.allSettled(shuffled.map(({ work }) => work()));
    for (const result of results)
      if (result.status === 'rejected' && !(result.reason instanceof Refusal)) throw result.reason;
    if ((await checks.payment(id)).state === 'held') await setPriceIfPossible(context, id, priceOf('Medium'));
    for (let hours = 0; hours < 2; hours += 1) {
      harness.setClock(new Date(now().getTime() + 3_600_000).toISOString());
      await harness.runPaymentJobs();
    }
    const payments = await checks.atNetwork(id);
    expect(payments.filter((line) => line.startsWith('APPROVED'))).toEqual([]);
    const { state, amount, refunded } = await checks.payment(id);
    const charged = state === 'captured' ? [`COMPLETED ${amount} -${refunded}`] : [];
    expect(payments.filter((line) => line.startsWith('COMPLETED'))).toEqual(charged);
    const order = await db.selectFrom('orders').select('status').where('id', '=', id).executeTakeFirstOrThrow();
    expect(state).toEqual(order.status === 'Accepted' ? 'captured' : expect.stringMatching(/^(?:captured|voided)$/));
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await placeWeighedOrder(context, users);
    const explain = async () => `seed ${SEED}, round ${round}, ${await traceOrder(db, id)}`;
    await explained(explain, () => raceWith(id, round));
  }
  expect(await findTracedProblems(db)).toEqual([]);
  await harness.close();
  await sandbox.stop();
});
