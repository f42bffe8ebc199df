import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_TARIFF } from '../../domain/payments.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { readConfig } from '../config/config.ts';
import { parseSerializedJson } from '../db/json.sql.ts';
import { orNotFound } from '../http/refusals.ts';
import { orderHandlers } from '../orders/orders.ts';
import { readTariff, setPrice } from './prices.sql.ts';
import { configHandlers } from './publicConfig.ts';

const DEFAULT_PRICES = {
  perPound: { washAndFold: 2.5, dryCleaning: 8, delicate: 4 },
  pickup: 5.99,
  delivery: 5.99,
  platformFeePercent: 10,
  taxPercent: 8,
};

describe.each(DATABASE_KINDS)('prices on %s', (kind) => {
  let till: PaymentHarness;
  beforeAll(async () => {
    till = await openPaymentHarness(kind);
  });
  afterAll(() => till?.close());

  test('begin as the specification has them, the services that are not offered yet included', async () => {
    const { db, now } = till.context;
    expect(await readTariff(db, now())).toEqual(DEFAULT_TARIFF);
    expect((await readTariff(db, now(), 'dry-cleaning')).perPound).toBe(800);
    expect((await readTariff(db, now(), 'delicate')).perPound).toBe(400);
  });

  test('hold from their date on, and an order keeps the price that it was placed at', async () => {
    const from = new Date('2026-12-01T00:00:00Z');
    await setPrice(till.context.db, { item: 'wash-and-fold', validFrom: from, value: 300 });
    await setPrice(till.context.db, { item: 'taxes', validFrom: from, value: 825 });
    const orders = orderHandlers(till.context);
    const ask = async () => {
      const body = { loadSize: 'Medium' as const, selfDelivery: false, selfPickup: false };
      return (await orders.calculatePrice({ body } as never)).totalPrice;
    };
    const config = configHandlers({ ...till.context, config: readConfig({}) });
    till.setClock('2026-11-30T23:59:59.999Z');
    expect((await config.readConfig({} as never)).prices).toEqual(DEFAULT_PRICES);
    const id = await till.createOrder();
    expect(await ask()).toBe(26.83);
    till.setClock('2026-12-01T00:00:00Z');
    expect((await config.readConfig({} as never)).prices).toEqual({
      ...DEFAULT_PRICES,
      perPound: { ...DEFAULT_PRICES.perPound, washAndFold: 3 },
      taxPercent: 8.25,
    });
    // 15.00 for the load, 1.50 fee, 8.25 % of both, two legs.
    expect(await ask()).toBe(15 + 1.5 + 1.36 + 11.98);
    const caller = till.users.buds[0];
    const order = orNotFound(await orders.readOrder({ caller, params: { id } } as never).run(till.context.db));
    expect(parseSerializedJson(order).price.totalPrice).toBe(26.83);
  });
});
