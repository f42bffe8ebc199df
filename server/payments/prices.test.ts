import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { parseSerializedJson } from '../db/json.sql.ts';
import { orNotFound } from '../http/refusals.ts';
import { orderHandlers } from '../orders/orders.ts';
import { readTariff, setPrice } from './prices.sql.ts';

describe.each(DATABASE_KINDS)('prices on %s', (kind) => {
  let till: PaymentHarness;
  beforeAll(async () => {
    till = await openPaymentHarness(kind);
  });
  afterAll(() => till?.close());

  test('begin as the specification has them, the services that are not offered yet included', async () => {
    const { db, now } = till.context;
    const tariff = { perPound: 250, pickup: 599, delivery: 599, platformFeeRate: 1000, taxRate: 800 }; // spec 1
    expect(await readTariff(db, now())).toEqual(tariff);
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
    till.setClock('2026-11-30T23:59:59.999Z');
    const id = await till.createOrder();
    expect(await ask()).toBe(26.83);
    till.setClock('2026-12-01T00:00:00Z');
    // 15.00 for the load, 1.50 fee, 8.25 % of both, two legs.
    expect(await ask()).toBe(15 + 1.5 + 1.36 + 11.98);
    const caller = till.users.buds[0];
    const order = orNotFound(await orders.readOrder({ caller, params: { id } } as never).run(till.context.db));
    expect(parseSerializedJson(order).price.totalPrice).toBe(26.83);
  });
});
