import { expect, test } from 'vitest';
import { createRandom, type Random } from '../testing/random.ts';
import {
  creditsOfCompletion,
  creditsOfDelivery,
  type EntryKind,
  type LedgerLine,
  LIABLE_PARTIES,
  linesOfCapture,
  linesOfEarning,
  taxesInRefund,
} from './ledger.ts';
import {
  balanceOf,
  liableSide,
  linesOfAdjustment,
  linesOfCutEarning,
  linesOfRefund,
  type OrderBooks,
  type OrderRefund,
} from './orderBalance.ts';

const PRICE = { loadPrice: 1250, pickup: 599, delivery: 599, platformFee: 125, taxes: 110, totalPrice: 2683 };
const TOTAL = PRICE.totalPrice;
const COMPLETION = creditsOfCompletion({ scrubId: 'Sam', price: PRICE });
const PICKUP = creditsOfDelivery({ duberId: 'Dee', price: 599 });
const DELIVERY = creditsOfDelivery({ duberId: 'Max', price: 599 });

/** One order's books: what happens to them writes lines, as the server does. */
function openBooks() {
  const lines: OrderBooks['lines'][number][] = [];
  const refunds: (OrderRefund & { isMade: boolean })[] = [];
  const books = (): OrderBooks => ({ captured: TOTAL, lines, refunds });
  const write = (kind: EntryKind, added: readonly LedgerLine[]) => {
    expect(added.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
    lines.push(...added.map((line) => ({ ...line, kind })));
  };
  write('captured', linesOfCapture({ budId: 'Bea', amount: TOTAL }));
  return {
    books,
    write,
    refunds,
    earn(kind: 'completed' | 'delivered', credits: readonly LedgerLine[]) {
      write(kind, refunds.length === 0 ? linesOfEarning(credits) : linesOfCutEarning(credits, balanceOf(books())));
    },
    ask(amount: number, liable: OrderRefund['liable'], liableUser: string | null): number {
      const before = refunds.reduce(
        (sum, refund) => ({ refunded: sum.refunded + refund.amount, taxes: sum.taxes + refund.taxes }),
        { refunded: 0, taxes: 0 },
      );
      const taxes = taxesInRefund({ total: TOTAL, taxes: PRICE.taxes }, before, amount);
      return refunds.push({ amount, taxes, liable, liableUser, isMade: false }) - 1;
    },
    make(index: number) {
      const refund = refunds[index] as OrderRefund & { isMade: boolean };
      const lines = linesOfRefund({ ...refund, budId: 'Bea' }, balanceOf(books()));
      refund.isMade = true;
      write('refunded', lines);
    },
    sums: () => {
      const sums: Record<string, number> = {};
      for (const { account, party, amount } of lines) {
        const key = party === null ? account : `${account} ${party}`;
        sums[key] = (sums[key] ?? 0) + amount;
      }
      return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
    },
  };
}

const sumsOf = (lines: readonly LedgerLine[]) => lines.map(({ account, party, amount }) => [account, party, amount]);

test('an accepted order that is refunded leaves nothing unearned, and nobody earns from it afterwards', () => {
  const order = openBooks();
  order.make(order.ask(TOTAL, 'platform', null));
  expect(order.sums()).toEqual({});
  order.earn('delivered', PICKUP);
  order.earn('completed', COMPLETION);
  order.earn('delivered', DELIVERY);
  expect(order.sums()).toEqual({});
});

test('nobody earns while the refund of the whole order is under way, and the refund finds the money', () => {
  const order = openBooks();
  const refund = order.ask(TOTAL, 'platform', null);
  order.earn('completed', COMPLETION);
  order.earn('delivered', DELIVERY);
  order.make(refund);
  expect(order.sums()).toEqual({});
});

test('a part that was refunded early is paid by the liable party when the work is done', () => {
  const order = openBooks();
  order.make(order.ask(500, 'platform', null));
  expect(order.sums()).toEqual({ 'card-clearing Bea': 2183, unearned: -2183 });
  order.earn('delivered', PICKUP);
  order.earn('completed', COMPLETION);
  order.earn('delivered', DELIVERY);
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

/** Refunds by everyone, asked and made at random moments of an order's work. */
function runRandomOrder(random: Random) {
  const order = openBooks();
  const work = [
    () => order.earn('delivered', PICKUP),
    () => order.earn('completed', COMPLETION),
    () => order.earn('delivered', DELIVERY),
  ];
  const waiting: number[] = [];
  let left = TOTAL - (random() < 0.7 ? 1 : 0);
  while (work.length > 0 || waiting.length > 0) {
    const choice = random();
    if (choice < 0.3 && left > 0) {
      const amount = Math.min(left, 1 + Math.floor(random() * 1500));
      const liable = LIABLE_PARTIES[Math.floor(random() * 3)] ?? 'platform';
      waiting.push(order.ask(amount, liable, { platform: null, scrub: 'Sam', duber: 'Dee' }[liable]));
      left -= amount;
    } else if (choice < 0.6) {
      const index = waiting.shift();
      if (index !== undefined) order.make(index);
    } else work.shift()?.();
    const { unearned, taxes } = balanceOf(order.books());
    expect(unearned).toBeGreaterThanOrEqual(0);
    expect(unearned).toBeLessThanOrEqual(TOTAL);
    expect(taxes).toBeGreaterThanOrEqual(0);
    if (waiting.length === 0) expect(linesOfAdjustment(order.books(), undefined)).toEqual([]);
  }
  return order;
}

test('in whatever order people work and are refunded, everyone has their price less the refunds they are liable for', () => {
  const seed = Number(process.env.STORM_SEED ?? Math.floor(Math.random() * 1e9));
  console.log(`STORM_SEED=${seed}`);
  const random = createRandom(seed);
  for (let run = 0; run < 300; run += 1) {
    const order = runRandomOrder(random);
    const { unearned, isRefunded } = balanceOf(order.books());
    expect(unearned).toBe(0);
    if (isRefunded) {
      expect(order.sums()['card-clearing Bea']).toBeUndefined();
      continue;
    }
    const expected = openBooks();
    for (const credits of [PICKUP, COMPLETION, DELIVERY]) expected.earn('completed', credits);
    for (const refund of order.refunds) {
      const { amount, taxes } = refund;
      expected.write('refunded', [
        { account: 'card-clearing', party: 'Bea', amount: -amount },
        { account: 'taxes-payable', party: null, amount: taxes },
        liableSide(refund, amount - taxes),
      ]);
    }
    expect(order.sums()).toEqual(expected.sums());
  }
});

/** A refund as earlier releases wrote it: the taxes and the liable party paid, whatever was unearned. */
function refundAsBefore(order: ReturnType<typeof openBooks>, amount: number) {
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
    const order = openBooks();
    refundAsBefore(order, amount);
    order.write('adjusted', linesOfAdjustment(order.books(), undefined));
    const left = TOTAL - amount;
    expect(order.sums()).toEqual(left === 0 ? {} : { 'card-clearing Bea': left, unearned: -left });
    order.earn('delivered', PICKUP);
    order.earn('completed', COMPLETION);
    order.earn('delivered', DELIVERY);
    expect(order.sums()['refund-costs'] ?? 0).toBe(left === 0 ? 0 : 480);
    expect(linesOfAdjustment(order.books(), [...PICKUP, ...COMPLETION, ...DELIVERY])).toEqual([]);
  },
);

test('an adjustment pays out what a refund that was dropped has held back', () => {
  const order = openBooks();
  order.ask(TOTAL, 'platform', null);
  for (const credits of [PICKUP, COMPLETION, DELIVERY]) order.earn('completed', credits);
  order.refunds.pop();
  order.write('adjusted', linesOfAdjustment(order.books(), [...PICKUP, ...COMPLETION, ...DELIVERY]));
  expect(order.sums()).toMatchObject({ 'scrub Sam': -1250, 'duber Dee': -599, 'duber Max': -599 });
  expect(order.sums().unearned).toBeUndefined();
  expect(linesOfAdjustment(order.books(), [...PICKUP, ...COMPLETION, ...DELIVERY])).toEqual([]);
});

test('an adjustment writes down that somebody may keep what an earlier release paid after the refund of the whole order', () => {
  const order = openBooks();
  refundAsBefore(order, TOTAL);
  for (const credits of [PICKUP, COMPLETION, DELIVERY]) order.write('completed', linesOfEarning(credits));
  const lines = linesOfAdjustment(order.books(), [...PICKUP, ...COMPLETION, ...DELIVERY]);
  expect(sumsOf(lines)).toEqual([
    ['duber', 'Dee', 599],
    ['duber', 'Dee', -599],
    ['scrub', 'Sam', 1250],
    ['scrub', 'Sam', -1250],
    ['duber', 'Max', 599],
    ['duber', 'Max', -599],
  ]);
  order.write('adjusted', lines);
  expect(linesOfAdjustment(order.books(), [...PICKUP, ...COMPLETION, ...DELIVERY])).toEqual([]);
});

test('an adjustment takes from the liable party what a server of an earlier release paid out twice', () => {
  const order = openBooks();
  order.make(order.ask(TOTAL, 'platform', null));
  order.write('completed', linesOfEarning(COMPLETION));
  order.write('adjusted', linesOfAdjustment(order.books(), undefined));
  expect(order.sums()).toEqual({ 'scrub Sam': -1250, 'platform-revenue': -125, 'refund-costs': 1375 });
});
