import { expect, test } from 'vitest';
import { explained } from '../testing/explained.ts';
import {
  amountsDue,
  COMPLETION,
  completeAll,
  DELIVERY,
  openLedger,
  runRandomOrder,
  TOTAL,
} from '../testing/orderLedger.ts';
import { createRandom } from '../testing/random.ts';
import { balanceOf } from './orderBalance.ts';

test('an accepted order that is refunded leaves nothing unearned, and nobody earns from it afterwards', () => {
  const order = openLedger();
  order.make(order.ask(TOTAL, 'platform', null));
  expect(order.sums()).toEqual({});
  completeAll(order);
  expect(order.sums()).toEqual({});
});

test('nobody earns while the refund of the whole order is under way, and the refund finds the money', () => {
  const order = openLedger();
  const refund = order.ask(TOTAL, 'platform', null);
  order.earn('completed', COMPLETION);
  order.earn('delivered', DELIVERY);
  order.make(refund);
  expect(order.sums()).toEqual({});
});

test('a part that was refunded early is paid by the liable party when the work is done', () => {
  const order = openLedger();
  order.make(order.ask(500, 'platform', null));
  expect(order.sums()).toEqual({ 'card-clearing Bea': 2183, unearned: -2183 });
  completeAll(order);
  const early = order.sums();
  expect(early).toEqual({
    'card-clearing Bea': 2183,
    'scrub Sam': -1250,
    'duber Dee': -599,
    'duber Max': -599,
    'platform-revenue': -125,
    'taxes-payable': -90,
    'refund-costs': 480,
  });
});

test('in whatever order people work and are refunded, everyone has their price less the refunds they are liable for', async () => {
  const seed = Number(process.env.STORM_SEED ?? Math.floor(Math.random() * 1e9));
  const random = createRandom(seed);
  let order = openLedger();
  const workAndRefund = () => {
    order = runRandomOrder(random, { drops: 0 });
    const { unearned, isRefunded } = balanceOf(order.ledger());
    expect(unearned).toBe(0);
    if (isRefunded) expect(order.sums()).not.toHaveProperty(['card-clearing Bea']);
    if (isRefunded) expect(order.sums()).not.toHaveProperty('promotions');
    else expect(order.sums()).toEqual(amountsDue(order.refunds, order.discount));
  };
  for (let run = 0; run < 300; run += 1)
    await explained(() => `STORM_SEED=${seed}, order ${run}: ${JSON.stringify(order.ledger())}`, workAndRefund);
});
