import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { takeOrderStep } from './steps.ts';

describe.each(RULE_DATABASES)('the history of the status of an order, on %s', (kind) => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders(kind);
  });
  afterAll(() => orders?.close());

  const historyOf = async (id: string, scrub = 0) =>
    (await orders.readAsScrub(id, scrub))?.statusHistory.map(({ status }) => status);

  test('has the step of a Scrub who gives it back, and not the choice of the next one', async () => {
    const id = await orders.harness.createOrder('Accepted');
    await orders.change('give-back', id, { reason: 'ill' });
    expect(await historyOf(id)).toEqual(['Requested', 'Accepted', 'Requested']);
    await orders.change('choose-scrub', id, { scrubId: orders.scrub(1).id });
    await orders.press('accept-order', id, 1);
    expect(await historyOf(id, 1)).toEqual(['Requested', 'Accepted', 'Requested', 'Accepted']);
  });

  test('has no step of an operator who takes it from a Scrub who has not accepted it', async () => {
    const takeBack = (id: string) =>
      takeOrderStep(orders.context, { role: 'Operator', id: null }, {
        ...{ id, action: 'give-back', reason: 'other', words: 'They are away.' },
      } as const);
    const requested = await orders.place({});
    await takeBack(requested);
    expect(await historyOf(requested)).toEqual(['Requested']);
    const accepted = await orders.harness.createOrder('Accepted');
    await takeBack(accepted);
    expect(await historyOf(accepted)).toEqual(['Requested', 'Accepted', 'Requested']);
  });
});
