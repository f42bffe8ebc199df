import { expect, test } from 'vitest';
import { explained } from '../testing/explained.ts';
import {
  amountsDue,
  COMPLETION,
  completeAll,
  DELIVERY,
  EXPECTED,
  openLedger,
  PICKUP,
  requestRandomRefund,
  runRandomOrder,
  type TestLedger,
  TOTAL,
} from '../testing/orderLedger.ts';
import { createRandom } from '../testing/random.ts';
import { type LedgerLine, linesOfEarning } from './ledger.ts';
import { linesOfAdjustment } from './orderAdjustment.ts';
import { balanceOf, type OrderRefund } from './orderBalance.ts';

test('whichever refunds are dropped, an adjustment leaves everyone what they are due, and so do later refunds', async () => {
  const seed = Number(process.env.STORM_SEED ?? Math.floor(Math.random() * 1e9));
  const random = createRandom(seed);
  let order = openLedger();
  const adjustAndRefund = () => {
    order = runRandomOrder(random, { drops: 0.5 });
    order.write('adjusted', linesOfAdjustment(order.ledger(), EXPECTED));
    const { unearned, isRefunded } = balanceOf(order.ledger());
    expect(unearned).toBe(0);
    expect(linesOfAdjustment(order.ledger(), EXPECTED)).toEqual([]);
    if (isRefunded) return;
    const due = () => amountsDue(order.refunds, order.discount);
    expect(order.sums()).toEqual(due());
    for (let left = order.sums()['card-clearing Bea'] ?? 0; left > 1; left = order.sums()['card-clearing Bea'] ?? 0) {
      const refund = requestRandomRefund(random, order, left - 1);
      order.make(order.refunds.indexOf(refund));
      expect(order.sums()).toEqual(due());
    }
  };
  for (let run = 0; run < 300; run += 1)
    await explained(() => `STORM_SEED=${seed}, order ${run}: ${JSON.stringify(order.ledger())}`, adjustAndRefund);
});

const sumsOf = (lines: readonly LedgerLine[]) => lines.map(({ account, party, amount }) => [account, party, amount]);

/** A refund as earlier releases wrote it: the taxes and the liable party paid, whatever was unearned. */
function refundAsBefore(order: TestLedger, amount: number) {
  const refund = order.refunds[order.ask(amount, 'platform', null)] as OrderRefund & { isMade: boolean };
  refund.isMade = true;
  order.write('refunded', [
    { account: 'refund-costs', party: null, amount: amount - refund.taxes },
    { account: 'taxes-payable', party: null, amount: refund.taxes },
    { account: 'card-clearing', party: 'Bea', amount: -amount },
  ]);
}

test.each([500, TOTAL])(
  'an adjustment corrects an accepted order of which an earlier release refunded %i cents',
  (amount) => {
    const order = openLedger();
    refundAsBefore(order, amount);
    order.write('adjusted', linesOfAdjustment(order.ledger(), undefined));
    const left = TOTAL - amount;
    expect(order.sums()).toEqual(left === 0 ? {} : { 'card-clearing Bea': left, unearned: -left });
    completeAll(order);
    expect(order.sums()['refund-costs'] ?? 0).toBe(left === 0 ? 0 : 480);
    expect(linesOfAdjustment(order.ledger(), EXPECTED)).toEqual([]);
  },
);

test('an adjustment pays out what a refund that was dropped has held back', () => {
  const order = openLedger();
  order.ask(TOTAL, 'platform', null);
  for (const credits of [PICKUP, COMPLETION, DELIVERY]) order.earn('completed', credits);
  order.refunds.pop();
  order.write('adjusted', linesOfAdjustment(order.ledger(), EXPECTED));
  expect(order.sums()).toMatchObject({ 'scrub Sam': -1250, 'duber Dee': -599, 'duber Max': -599 });
  expect(order.sums().unearned).toBeUndefined();
  expect(linesOfAdjustment(order.ledger(), EXPECTED)).toEqual([]);
});

test('an adjustment pays everyone when the second refund, of all that was left, is dropped', () => {
  const order = openLedger();
  order.make(order.ask(500, 'platform', null));
  const rest = order.ask(TOTAL - 500, 'platform', null);
  completeAll(order);
  expect(order.sums().unearned).toBe(-2183);
  order.drop(rest);
  order.write('adjusted', linesOfAdjustment(order.ledger(), EXPECTED));
  expect(order.sums()).toEqual(amountsDue(order.refunds));
});

test.each([
  ['before', undefined],
  ['after', EXPECTED],
] as const)(
  'an adjustment %s the order has ended gives back to those who paid for the dropped refund',
  (_when, expected) => {
    const order = openLedger();
    order.make(order.ask(500, 'platform', null));
    const dropped = order.ask(300, 'scrub', 'Sam');
    completeAll(order);
    expect(order.sums()).toMatchObject({
      unearned: -300,
      'scrub Sam': -963,
      'taxes-payable': -77,
      'refund-costs': 480,
    });
    order.drop(dropped);
    order.write('adjusted', linesOfAdjustment(order.ledger(), expected));
    expect(order.sums()).toEqual(amountsDue(order.refunds));
  },
);

test('an adjustment corrects who paid, although a dropped refund has left nothing unearned', () => {
  const order = openLedger();
  const dropped = order.ask(300, 'scrub', 'Sam');
  order.make(order.ask(500, 'platform', null));
  order.earn('delivered', PICKUP);
  order.earn('completed', COMPLETION);
  order.drop(dropped);
  order.earn('delivered', DELIVERY);
  expect(order.sums()).not.toEqual(amountsDue(order.refunds));
  expect(order.sums().unearned).toBeUndefined();
  order.write('adjusted', linesOfAdjustment(order.ledger(), EXPECTED));
  expect(order.sums()).toEqual(amountsDue(order.refunds));
});

test('an adjustment waits for a refund that is under way', () => {
  const order = openLedger();
  const dropped = order.ask(TOTAL, 'platform', null);
  completeAll(order);
  order.drop(dropped);
  const later = order.ask(300, 'scrub', 'Sam');
  expect(linesOfAdjustment(order.ledger(), EXPECTED)).toEqual([]);
  order.make(later);
  order.write('adjusted', linesOfAdjustment(order.ledger(), EXPECTED));
  expect(order.sums()).toEqual(amountsDue(order.refunds));
});

test('money that an adjustment has paid out does not count as given back by refunds', () => {
  const order = openLedger();
  const dropped = order.ask(TOTAL, 'platform', null);
  completeAll(order);
  order.drop(dropped);
  order.write('adjusted', linesOfAdjustment(order.ledger(), EXPECTED));
  for (const taxes of [12, 24]) {
    order.make(order.ask(290, 'platform', null));
    expect(order.sums()['taxes-payable']).toBe(taxes - 110);
  }
});

test('an adjustment writes down that somebody may keep what an earlier release paid after the refund of the whole order', () => {
  const order = openLedger();
  refundAsBefore(order, TOTAL);
  for (const credits of [PICKUP, COMPLETION, DELIVERY]) order.write('completed', linesOfEarning(credits));
  const lines = linesOfAdjustment(order.ledger(), EXPECTED);
  expect(sumsOf(lines)).toEqual([
    ['duber', 'Dee', 599],
    ['duber', 'Dee', -599],
    ['scrub', 'Sam', 1250],
    ['scrub', 'Sam', -1250],
    ['duber', 'Max', 599],
    ['duber', 'Max', -599],
  ]);
  order.write('adjusted', lines);
  expect(linesOfAdjustment(order.ledger(), EXPECTED)).toEqual([]);
});

test('a Duber whose share of a refund was given back twice, because both deliveries were taken back, returns one of them', () => {
  const order = openLedger();
  const pickup = order.earn('delivered', PICKUP);
  order.earn('completed', COMPLETION);
  order.make(order.ask(200, 'duber', 'Max'));
  const delivery = order.earn('delivered', DELIVERY);
  expect(order.sums()).toEqual(amountsDue(order.refunds));
  order.takeBack(pickup);
  expect(order.sums()).toMatchObject({ 'duber Max': -599, unearned: -399 });
  order.takeBack(delivery);
  expect(order.sums()).not.toHaveProperty(['duber Max']);
  expect(order.sums()).toMatchObject({ 'taxes-payable': -110, unearned: -998 });
  order.earn('delivered', PICKUP);
  order.earn('delivered', DELIVERY);
  expect(order.sums()).toEqual(amountsDue(order.refunds));
});

test('an adjustment takes from the liable party what a server of an earlier release paid out twice', () => {
  const order = openLedger();
  order.make(order.ask(TOTAL, 'platform', null));
  order.write('completed', linesOfEarning(COMPLETION));
  order.write('adjusted', linesOfAdjustment(order.ledger(), undefined));
  expect(order.sums()).toEqual({ 'scrub Sam': -1250, 'platform-revenue': -125, 'refund-costs': 1375 });
});
