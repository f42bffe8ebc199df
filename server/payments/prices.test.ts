import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_TARIFF } from '../../domain/payments.ts';
import { openTill, type Till } from '../../testing/paymentHarness.ts';
import { KINDS } from '../../testing/testServer.ts';
import { whatSays } from '../db/json.sql.ts';
import { found } from '../http/refusals.ts';
import { orderHandlers } from '../orders/orders.ts';
import { setPrice, tariffAt } from './prices.sql.ts';

describe.each(KINDS)('prices on %s', (kind) => {
  let till: Till;
  beforeAll(async () => {
    till = await openTill(kind);
  });
  afterAll(() => till?.close());

  test('begin as the specification has them, the services that are not offered yet included', async () => {
    const { db, now } = till.deps;
    expect(await tariffAt(db, now())).toEqual(DEFAULT_TARIFF);
    expect((await tariffAt(db, now(), 'dry-cleaning')).perPound).toBe(800);
    expect((await tariffAt(db, now(), 'delicate')).perPound).toBe(400);
  });

  test('hold from their date on, and an order keeps the price that it was placed at', async () => {
    const from = new Date('2026-12-01T00:00:00Z');
    await setPrice(till.deps.db, { item: 'wash-and-fold', validFrom: from, value: 300 });
    await setPrice(till.deps.db, { item: 'taxes', validFrom: from, value: 825 });
    const orders = orderHandlers(till.deps);
    const ask = async () => {
      const body = { loadSize: 'Medium' as const, selfDelivery: false, selfPickup: false };
      return (await orders.calculatePrice({ body } as never)).totalPrice;
    };
    till.setClock('2026-11-30T23:59:59.999Z');
    const id = await till.order();
    expect(await ask()).toBe(26.83);
    till.setClock('2026-12-01T00:00:00Z');
    // 15.00 for the load, 1.50 fee, 8.25 % of both, two legs.
    expect(await ask()).toBe(15 + 1.5 + 1.36 + 11.98);
    const caller = till.people.buds[0];
    const order = found(await orders.readOrder({ caller, params: { id } } as never).ask(till.deps.db));
    expect(whatSays(order).price.totalPrice).toBe(26.83);
  });
});
