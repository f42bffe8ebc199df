import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_PRICES } from '../../../testing/defaultPrices.ts';
import { openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { readConfig } from '../../config/config.ts';
import { parseSerializedJson } from '../../db/json.sql.ts';
import { orNotFound } from '../../http/refusals.ts';
import { orderHandlers } from '../../orders/orders.ts';
import { readTariff, setPrice } from './prices.sql.ts';
import { configHandlers } from './publicConfig.ts';

describe.each(RULE_DATABASES)('prices on %s', (kind) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
  });
  afterAll(() => harness?.close());

  test('start as the specification says, including services that are not offered yet', async () => {
    const { db, now } = harness.context;
    const tariff = { perPound: 250, pickup: 599, delivery: 599, platformFeeRate: 1000, taxRate: 800 }; // spec 1
    expect(await readTariff(db, now())).toEqual(tariff);
    expect((await readTariff(db, now(), 'dry-cleaning')).perPound).toBe(800);
    expect((await readTariff(db, now(), 'delicate')).perPound).toBe(400);
  });

  test('apply from their date on, and an order keeps the price it was placed at', async () => {
    const validFrom = new Date('2026-12-01T00:00:00Z');
    await setPrice(harness.context.db, { item: 'wash-and-fold', validFrom, value: 300 });
    await setPrice(harness.context.db, { item: 'taxes', validFrom, value: 825 });
    const orders = orderHandlers(harness.context);
    const quote = async () => {
      const body = { loadSize: 'Medium' as const, selfDelivery: false, selfPickup: false };
      const [caller] = harness.users.buds;
      return (await orders.calculatePrice({ caller, body } as never)).totalPrice;
    };
    const config = configHandlers({ ...harness.context, config: readConfig({}) }, async () => []);
    harness.setClock('2026-11-30T23:59:59.999Z');
    expect((await config.readConfig({} as never)).prices).toEqual(DEFAULT_PRICES);
    const id = await harness.createOrder();
    expect(await quote()).toBe(26.83);
    harness.setClock('2026-12-01T00:00:00Z');
    expect((await config.readConfig({} as never)).prices).toEqual({
      ...DEFAULT_PRICES,
      perPound: { ...DEFAULT_PRICES.perPound, washAndFold: 3 },
      taxPercent: 8.25,
    });
    // 15.00 for the load, 1.50 fee, 8.25 % of both, two deliveries.
    expect(await quote()).toBe(15 + 1.5 + 1.36 + 11.98);
    const caller = harness.users.buds[0];
    const order = orNotFound(await orders.readOrder({ caller, params: { id } } as never).run(harness.context.db));
    expect(parseSerializedJson(order).price.totalPrice).toBe(26.83);
  });
});
