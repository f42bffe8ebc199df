import { HOUR_MS } from '../domain/durations.ts';
import type { Price } from '../domain/prices.ts';
import { openEarningTests } from './earningTests.ts';
import { openPaymentHarness } from './paymentHarness.ts';
import { createFastSquareCards } from './paymentStress/killableServer.ts';
import { startSquareSandbox } from './squareSandbox.ts';
import type { DatabaseKind } from './testServer.ts';
import { acceptOrder, openWeighedChecks, payMore, placeWeighedOrder, setPrice } from './weighedOrders.ts';

/** Heavier than the limit of a weighed order that a test places. */
export const XL: Price = {
  loadPrice: 3750,
  pickup: 599,
  delivery: 599,
  platformFee: 375,
  taxes: 330,
  totalPrice: 5653,
};

export type WeighedHarness = Awaited<ReturnType<typeof openWeighedHarness>>;

/** Orders that are weighed, and their cards at the sandbox of Square. */
export async function openWeighedHarness(kind: DatabaseKind) {
  const sandbox = await startSquareSandbox();
  const harness = await openPaymentHarness(kind, createFastSquareCards(sandbox.url));
  const { context, users, runPaymentJobs } = harness;
  const earnings = openEarningTests(harness);
  const runLater = async () => {
    harness.setClock(new Date(context.now().getTime() + HOUR_MS).toISOString());
    await runPaymentJobs();
  };
  return {
    harness,
    earnings,
    checks: openWeighedChecks(harness, sandbox.url),
    runLater,
    /** Places an order, and its Scrub accepts it. */
    async place(more: Parameters<typeof placeWeighedOrder>[2] = {}) {
      const id = await placeWeighedOrder(context, users, more);
      await acceptOrder(context, users, id);
      return id;
    },
    async weigh(id: string, price: Price) {
      await setPrice(context, id, price);
      await runPaymentJobs();
    },
    async finish(id: string) {
      await earnings.complete(id);
      await earnings.carryAll(id);
      await runLater();
    },
    async pay(orderId: string, more: object = {}) {
      const outcome = await payMore(context, users, { orderId, price: XL, ...more });
      await runLater();
      return outcome;
    },
    async close() {
      await harness.close();
      await sandbox.stop();
    },
  };
}
