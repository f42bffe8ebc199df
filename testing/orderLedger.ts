import { expect } from 'vitest';
import {
  creditsOfCompletion,
  creditsOfDelivery,
  type EntryKind,
  type LedgerLine,
  LIABLE_PARTIES,
  linesOfCapture,
  linesOfEarning,
  reversalOf,
  taxesInRefund,
} from '../domain/ledger.ts';
import { linesOfAdjustment, linesOfRepayment } from '../domain/orderAdjustment.ts';
import {
  balanceOf,
  liableSide,
  linesOfCutEarning,
  linesOfRefund,
  type OrderLedger,
  type OrderRefund,
} from '../domain/orderBalance.ts';
import { linesOfOrder, priceOfLines } from '../domain/prices.ts';
import { discountBeside, MIN_CARD_CENTS } from '../domain/promos.ts';
import type { Random } from './random.ts';

const LINES = linesOfOrder(
  { loadSize: 'Medium', selfDelivery: false, selfPickup: false },
  { perPound: 250, pickup: 599, delivery: 599, platformFeeRate: 1000, taxRate: 800 },
);
const PRICE = priceOfLines(LINES);
export const TOTAL = PRICE.totalPrice;
export const COMPLETION = creditsOfCompletion({ scrubId: 'Sam', lines: LINES });
export const PICKUP = creditsOfDelivery({ duberId: 'Dee', price: 599 });
export const DELIVERY = creditsOfDelivery({ duberId: 'Max', price: 599 });

/** What everyone earns of the order. */
export const EXPECTED = [...PICKUP, ...COMPLETION, ...DELIVERY];

/** The ledger of one order: each event writes its lines, as on the server. A promo code takes `discount` off its card. */
export function openLedger(discount = 0) {
  const lines: OrderLedger['lines'][number][] = [];
  const refunds: (OrderRefund & { isMade: boolean })[] = [];
  const ledger = (): OrderLedger => ({ captured: TOTAL, lines, refunds });
  const write = (kind: EntryKind, added: readonly LedgerLine[]) => {
    expect(added.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
    lines.push(...added.map((line) => ({ ...line, kind })));
  };
  const card = TOTAL - discount;
  write('captured', linesOfCapture({ budId: 'Bea', amount: card, discount }));
  const paid = () => {
    const discountRefunded = refunds.reduce((sum, refund) => sum + refund.discount, 0);
    const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
    return { card, discount, cardRefunded: refunded - discountRefunded, discountRefunded };
  };
  return {
    discount,
    paid,
    ledger,
    write,
    refunds,
    /** The lines that it writes, to take them back later. */
    earn(kind: 'completed' | 'delivered', credits: readonly LedgerLine[]): readonly LedgerLine[] {
      const earned = refunds.length === 0 ? linesOfEarning(credits) : linesOfCutEarning(credits, balanceOf(ledger()));
      write(kind, earned);
      return earned;
    },
    takeBack(earned: readonly LedgerLine[]) {
      write('corrected', reversalOf(earned));
      write('adjusted', linesOfRepayment(ledger()));
    },
    /** Asks for a refund of so many cents to the card. */
    ask(toCard: number, liable: OrderRefund['liable'], liableUser: string | null): number {
      const ofPromo = discountBeside(toCard, paid());
      const amount = toCard + ofPromo;
      const before = refunds.reduce(
        (sum, refund) => ({ refunded: sum.refunded + refund.amount, taxes: sum.taxes + refund.taxes }),
        { refunded: 0, taxes: 0 },
      );
      const taxes = taxesInRefund({ total: TOTAL, taxes: PRICE.taxes }, before, amount);
      return refunds.push({ amount, discount: ofPromo, taxes, liable, liableUser, forgiven: 0, isMade: false }) - 1;
    },
    drop(index: number) {
      refunds.splice(index, 1);
    },
    make(index: number) {
      const refund = refunds[index] as OrderRefund & { isMade: boolean };
      const lines = linesOfRefund({ ...refund, budId: 'Bea' }, balanceOf(ledger()));
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

export type TestLedger = ReturnType<typeof openLedger>;

/** All work is done at once. */
export function completeAll(order: TestLedger) {
  order.earn('delivered', PICKUP);
  order.earn('completed', COMPLETION);
  order.earn('delivered', DELIVERY);
}

/** What everyone must have: their price less the refunds they are liable for. */
export function amountsDue(refunds: readonly OrderRefund[], discount = 0) {
  const due = openLedger(discount);
  for (const credits of [PICKUP, COMPLETION, DELIVERY]) due.earn('completed', credits);
  for (const refund of refunds) {
    const { amount, taxes } = refund;
    due.write('refunded', [
      { account: 'card-clearing', party: 'Bea', amount: refund.discount - amount },
      { account: 'promotions', party: null, amount: -refund.discount },
      { account: 'taxes-payable', party: null, amount: taxes },
      liableSide(refund, amount - taxes),
    ]);
  }
  return due.sums();
}

/** A refund to the card of at most `left` cents, often of all of it, paid by anyone. */
export function requestRandomRefund(random: Random, order: TestLedger, left: number): OrderRefund {
  const amount = random() < 0.2 ? left : Math.min(left, 1 + Math.floor(random() * 1500));
  const liable = LIABLE_PARTIES[Math.floor(random() * 3)] ?? 'platform';
  const index = order.ask(amount, liable, { platform: null, scrub: 'Sam', duber: 'Dee' }[liable]);
  return order.refunds[index] as OrderRefund;
}

/**
 * Refunds by everyone, asked and made, or dropped, at random moments of an order's work. Deliveries are taken back at random
 * moments too, and made again.
 */
export function runRandomOrder(random: Random, { drops }: { drops: number }) {
  const order = openLedger(random() < 0.5 ? 0 : 1 + Math.floor(random() * (TOTAL - MIN_CARD_CENTS)));
  const work = [
    { kind: 'delivered', credits: PICKUP },
    { kind: 'completed', credits: COMPLETION },
    { kind: 'delivered', credits: DELIVERY },
  ] as const;
  const open = [...work];
  const deliveries = new Map<(typeof work)[number], readonly LedgerLine[]>();
  const waiting: OrderRefund[] = [];
  const limit = order.paid().card - (random() < 0.7 ? 1 : 0);
  while (open.length > 0 || waiting.length > 0) {
    const choice = random();
    const left = limit - order.paid().cardRefunded;
    if (choice < 0.25 && left > 0) waiting.push(requestRandomRefund(random, order, left));
    else if (choice < 0.5) {
      const refund = waiting.shift();
      if (refund && random() < drops) order.drop(order.refunds.indexOf(refund));
      else if (refund) order.make(order.refunds.indexOf(refund));
    } else if (choice < 0.65) {
      const [delivery, earned] = [...deliveries][Math.floor(random() * deliveries.size)] ?? [];
      if (!delivery || !earned) continue;
      order.takeBack(earned);
      deliveries.delete(delivery);
      open.push(delivery);
    } else {
      const done = open.shift();
      const earned = done && order.earn(done.kind, done.credits);
      if (earned && done.kind === 'delivered') deliveries.set(done, earned);
    }
    const { unearned, taxes } = balanceOf(order.ledger());
    expect(unearned).toBeGreaterThanOrEqual(0);
    expect(unearned).toBeLessThanOrEqual(TOTAL);
    expect(taxes).toBeGreaterThanOrEqual(0);
    const adjustment = () => linesOfAdjustment(order.ledger(), open.length === 0 ? EXPECTED : undefined);
    if (drops > 0 && random() < 0.3) order.write('adjusted', adjustment());
    else if (drops > 0 || waiting.length > 0) continue;
    expect(adjustment()).toEqual([]);
  }
  return order;
}
