import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  discountBeside,
  discountOf,
  discountOn,
  divideGivenBack,
  isPromoCode,
  judgePromo,
  LEAST_ON_CARD,
  type PaidInTwo,
  PROMO_KINDS,
  type PromoFacts,
  type PromoTerms,
  toPromoCode,
  worstCaseOf,
} from './promos.ts';

const NOW = new Date('2026-11-25T12:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

const TERMS: PromoTerms = {
  kind: 'amount',
  value: 500,
  maxDiscount: null,
  minTotal: 0,
  firstOrderOnly: false,
  startsAt: NOW,
  endsAt: null,
  maxUses: null,
  maxUsesPerBud: null,
  endedAt: null,
};
const FACTS: PromoFacts = { now: NOW, total: 2683, uses: 0, usesOfBud: 0, hasOrdered: false };

describe('a promo code', () => {
  test.each([
    ['500 cents', TERMS, 2683, 500],
    ['10 %, rounded half up', { ...TERMS, kind: 'percent', value: 1000 }, 2683, 268],
    ['30 %, but 400 cents at most', { ...TERMS, kind: 'percent', value: 3000, maxDiscount: 400 }, 2683, 400],
    ['everything but a dollar, when it is worth more than the order', { ...TERMS, value: 5000 }, 2683, 2583],
    ['everything but a dollar, at 100 %', { ...TERMS, kind: 'percent', value: 10_000 }, 2683, 2583],
    ['nothing of an order of a dollar', TERMS, LEAST_ON_CARD, 0],
  ] as const)('takes off %s', (_what, terms, total, expected) => {
    expect(discountOf(terms, total)).toBe(expected);
  });

  const refusals: readonly (readonly [string, Partial<PromoTerms>, Partial<PromoFacts>])[] = [
    ['promoUnknown', { startsAt: later(1) }, {}],
    ['promoOver', { endsAt: NOW, startsAt: later(-1) }, {}],
    ['promoOver', { endedAt: NOW }, {}],
    ['promoUsedUp', { maxUses: 3 }, { uses: 3 }],
    ['promoUsedByYou', { maxUsesPerBud: 1 }, { usesOfBud: 1 }],
    ['promoUsedByYou', { maxUsesPerBud: 1, maxUses: 1 }, { usesOfBud: 1, uses: 1 }],
    ['promoFirstOrder', { firstOrderOnly: true }, { hasOrdered: true }],
    ['promoTotalTooLow', { minTotal: 2684 }, {}],
    ['promoTotalTooLow', {}, { total: LEAST_ON_CARD }],
  ];
  test.each(refusals)('refuses with %s when it has %j and %j hold', (why, terms, facts) => {
    expect(judgePromo({ ...TERMS, ...terms }, { ...FACTS, ...facts })).toMatchObject({ ok: false, why });
  });

  test('takes something off at the last moment, the last use and the lowest total that its terms allow', () => {
    const terms = { ...TERMS, endsAt: later(1), maxUses: 3, maxUsesPerBud: 2, minTotal: 2683, firstOrderOnly: true };
    expect(judgePromo(terms, { ...FACTS, uses: 2, usesOfBud: 1 })).toEqual({ ok: true, discount: 500 });
  });

  test('that does not exist, or has not begun, is unknown, and one for larger orders says how large', () => {
    expect(judgePromo(undefined, FACTS)).toEqual({ ok: false, why: 'promoUnknown' });
    const { message } = { message: '', ...judgePromo({ ...TERMS, minTotal: 3000 }, FACTS) };
    expect(message).toBe('This code is for orders of $30.00 or more');
  });

  test('costs at most its uses times what each takes off, and has no limit without a limit of both', () => {
    expect(worstCaseOf({ ...TERMS, maxUses: 100 })).toBe(50_000);
    expect(worstCaseOf({ ...TERMS, kind: 'percent', value: 2000, maxUses: 10, maxDiscount: 300 })).toBe(3_000);
    expect(worstCaseOf({ ...TERMS, kind: 'percent', value: 2000, maxUses: 10 })).toBeNull();
    expect(worstCaseOf(TERMS)).toBeNull();
  });

  test('is typed in any case, and has 3 to 20 letters, digits and hyphens', () => {
    expect(toPromoCode(' spring-26 ')).toBe('SPRING-26');
    const right = ['ABC', 'SPRING-26', 'A'.repeat(20)].filter(isPromoCode);
    const wrong = ['AB', '-AB', 'AB-', 'A B', 'ÄBC', 'abc', 'A'.repeat(21)].filter((code) => !isPromoCode(code));
    expect([right.length, wrong.length]).toEqual([3, 7]);
  });
});

const cents = fc.integer({ min: 0, max: 100_000 });
const terms = fc
  .record({
    kind: fc.constantFrom(...PROMO_KINDS),
    value: fc.integer({ min: 1, max: 10_000 }),
    maxDiscount: fc.option(fc.integer({ min: 1, max: 20_000 })),
  })
  .map((some): PromoTerms => ({ ...TERMS, ...some }));
const discounted = fc
  .tuple(fc.integer({ min: LEAST_ON_CARD + 1, max: 100_000 }), terms)
  .map(([total, some]) => ({ total, discount: discountOf(some, total) }));

describe('what the card pays', () => {
  test('is a dollar or more, and never more than the price', () => {
    fc.assert(
      fc.property(terms, cents, (some, total) => {
        const discount = discountOf(some, total);
        expect(Number.isInteger(discount) && discount >= 0).toBe(true);
        expect(total - discount).toBeGreaterThanOrEqual(Math.min(total, LEAST_ON_CARD));
        expect(discount).toBeLessThanOrEqual(worstCaseOf({ ...some, maxUses: 1 }) ?? total);
      }),
    );
  });

  test('is something of every part that costs something, and the platform never pays more than before', () => {
    fc.assert(
      fc.property(discounted, cents, (before, part) => {
        const discount = discountOn(part, before);
        expect(discount).toBeLessThanOrEqual(before.discount);
        expect(part - discount).toBeGreaterThanOrEqual(part > 0 ? 1 : 0);
        if (part === before.total) expect(discount).toBe(before.discount);
        // The platform's share never rises, however often a price changes.
        const again = discountOn(part, { total: before.total, discount });
        expect(again).toBeLessThanOrEqual(discount);
      }),
    );
  });
});

describe('what goes back', () => {
  const giveBack = fc.record({ isToCard: fc.boolean(), share: fc.double({ min: 0, max: 1, noNaN: true }) });

  test('never exceeds what the card and the platform paid, and with the last cent of the card all of it is back', () => {
    fc.assert(
      fc.property(discounted, fc.array(giveBack, { maxLength: 12 }), ({ total, discount }, steps) => {
        let paid: PaidInTwo = { card: total - discount, discount, cardRefunded: 0, discountRefunded: 0 };
        for (const { isToCard, share } of [...steps, { isToCard: true, share: 1 }]) {
          const left = paid.card - paid.cardRefunded;
          const whole = left + paid.discount - paid.discountRefunded;
          const wanted = Math.round((isToCard ? left : whole) * share);
          const parts = isToCard
            ? { card: wanted, discount: discountBeside(wanted, paid) }
            : divideGivenBack(wanted, paid);
          if (!isToCard) expect(parts.card + parts.discount).toBe(wanted);
          expect(Math.min(parts.card, parts.discount)).toBeGreaterThanOrEqual(0);
          paid = {
            ...paid,
            cardRefunded: paid.cardRefunded + parts.card,
            discountRefunded: paid.discountRefunded + parts.discount,
          };
          expect(paid.cardRefunded).toBeLessThanOrEqual(paid.card);
          expect(paid.discountRefunded).toBeLessThanOrEqual(discount);
        }
        expect(paid).toMatchObject({ cardRefunded: paid.card, discountRefunded: discount });
      }),
    );
  });

  test('is divided as it was paid: of 30 dollars with 10 off, half goes back as 10 and 5', () => {
    const paid = { card: 2000, discount: 1000, cardRefunded: 0, discountRefunded: 0 };
    expect(divideGivenBack(1500, paid)).toEqual({ card: 1000, discount: 500 });
    expect(discountBeside(1000, paid)).toBe(500);
    expect(discountBeside(2000, paid)).toBe(1000);
  });
});
