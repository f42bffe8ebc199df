import { expect, test } from 'vitest';
import { openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import {
  createFastSquareCards,
  ServerKilledError,
  startKillableServer,
} from '../../../testing/paymentStress/killableServer.ts';
import { startSquareSandbox } from '../../../testing/squareSandbox.ts';
import {
  acceptOrder,
  openWeighedChecks,
  payMore,
  placeWeighedOrder,
  priceOf,
  setPrice,
} from '../../../testing/weighedOrders.ts';
import { findAuditProblems } from '../ledger/audit.sql.ts';
import { processDuePayment } from './captures.ts';

const LARGE = priceOf('Large');
const HEAVIER = { ...LARGE, loadPrice: 3750, platformFee: 375, taxes: 330, totalPrice: 5653 };
const MAX_STEPS = 200;

/** A request for another hold, and the worker afterwards, on a server that is killed after so many steps. */
async function payUntilKilled(harness: PaymentHarness, squareUrl: string, order: { id: string; steps: number }) {
  const { databaseUrl = '' } = harness;
  const { now } = harness.context;
  const options = { databaseUrl, squareUrl, now, random: () => 0, killAfterSteps: order.steps };
  const server = startKillableServer(options);
  try {
    await payMore(server.context, harness.users, { orderId: order.id, price: HEAVIER, key: 'pay' });
    while (await processDuePayment(server.context)) {}
  } catch (error) {
    if (!(error instanceof ServerKilledError)) throw error;
  }
  await server.stop();
  return server.isKilled();
}

const PLAYS = ['the Bud repeats it', 'the Bud goes away'] as const;

test('a server that is killed while a hold takes the place of another loses no hold, and the card is charged once', async () => {
  const sandbox = await startSquareSandbox();
  const harness = await openPaymentHarness('postgres', createFastSquareCards(sandbox.url));
  const checks = openWeighedChecks(harness, sandbox.url);
  const { context, users } = harness;
  const runLater = async () => {
    harness.setClock(new Date(context.now().getTime() + 3_600_000).toISOString());
    await harness.runPaymentJobs();
  };
  const outcomes: Record<string, number> = {};
  let isKilled = true;
  for (let steps = 1; isKilled && steps < MAX_STEPS; steps += 1) {
    const id = await placeWeighedOrder(context, users);
    await acceptOrder(context, users, id);
    isKilled = await payUntilKilled(harness, sandbox.url, { id, steps });
    const play = PLAYS[(steps >> 1) % 2];
    if (play === 'the Bud repeats it') await payMore(context, users, { orderId: id, price: HEAVIER, key: 'pay' });
    const { state } = await checks.payment(id);
    // Nobody answers any more: what the limit allows is charged.
    if (state === 'held') await setPrice(context, id, LARGE);
    await runLater();
    await runLater();
    const expected = state === 'held' ? LARGE.totalPrice : HEAVIER.totalPrice;
    const atNetwork = await checks.atNetwork(id);
    const still = atNetwork.filter((line) => !line.startsWith('CANCELED'));
    expect(still, `killed after ${steps} steps; ${play}`).toEqual([`COMPLETED ${expected} -0`]);
    if (play === 'the Bud repeats it') expect(expected).toBe(HEAVIER.totalPrice);
    outcomes[`${play}: ${expected}`] = (outcomes[`${play}: ${expected}`] ?? 0) + 1;
  }
  expect(isKilled).toBe(false);
  expect(await findAuditProblems(context.db)).toEqual([]);
  // Each way it can end was met.
  expect(Object.keys(outcomes).toSorted()).toEqual([
    'the Bud goes away: 3574',
    'the Bud goes away: 5653',
    'the Bud repeats it: 5653',
  ]);
  await harness.close();
  await sandbox.stop();
});
