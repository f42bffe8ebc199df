import type { PromoQuote } from '../../contract/promos.ts';
import type { LoadSize } from '../../domain/orders.ts';
import type { UsedPromo } from '../checks/knowledge.ts';
import { expectedDiscount, LEAST_ON_CARD, type PromoTerms } from '../checks/prices.ts';
import { type Person, pick } from './person.ts';

/** How often a Bud has a code, and how often it is one that nobody has made. */
const HAS_CODE = 0.6;
const IS_WRONG = 0.12;
/** More would make the server let them wait. */
const MOST_WRONG_CODES = 4;
const PROMISE = 'promo codes take off what they say, for whom they say';

type PricedBody = {
  readonly loadSize: LoadSize;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly pickupFrom?: string;
  readonly returnFrom?: string;
  readonly ceilingSize?: 'Large' | undefined;
};

/** Types a code into the form of an order, as some Buds do. Returns what it takes off, or undefined without a code that works. */
export async function typePromo(bud: Person, body: PricedBody, total: number): Promise<PromoQuote | undefined> {
  const { random, promos } = bud;
  if (random() >= HAS_CODE) return undefined;
  if (random() < IS_WRONG) return typeWrongCode(bud, body);
  const terms = pick(random, promos.codes);
  if (!terms) return undefined;
  const { code } = terms;
  const wasOver = promos.isOver(code);
  const checked = await check(bud, body, code);
  if (!checked.ok) {
    reportRefusal(bud, terms, { refusal: checked.code, total });
    return undefined;
  }
  const { answer } = checked;
  const off = expectedDiscount(terms, total);
  const shown = `$${answer.discount} off and $${answer.total} left`;
  if (wasOver) bud.report(PROMISE, `${bud.name}: ${code} has ended, and takes something off`, []);
  if (answer.discount !== off || Math.round(answer.total * 100) !== Math.round((total - off) * 100))
    bud.report(
      'every price is right to the cent',
      `${bud.name} read ${shown} for ${code} of $${total}: $${off} off`,
      [],
    );
  return answer;
}

const check = (bud: Person, body: PricedBody, code: string) =>
  bud.phone.send(`check the code ${code}`, [], (api) =>
    api.checkPromo({ body: { ...body, code, budAddressId: bud.addressId } }),
  );

async function typeWrongCode(bud: Person, body: PricedBody): Promise<undefined> {
  if (bud.wrongCodes >= MOST_WRONG_CODES) return;
  bud.wrongCodes += 1;
  const code = `NOBODY-${Math.floor(bud.random() * 1e9)}`;
  const checked = await check(bud, body, code);
  if (checked.ok) bud.report(PROMISE, `${bud.name}: ${code}, which nobody has made, takes something off`, []);
}

/** Whether the terms of a code explain why it takes nothing off. That others have used it up, nobody can tell. */
function reportRefusal(
  { name, promos, report }: Person,
  { code, minTotal, firstOrderOnly, maxUsesPerBud }: PromoTerms,
  { refusal, total }: { readonly refusal: string | undefined; readonly total: number },
): void {
  const isPossible: Readonly<Record<string, boolean>> = {
    promoUsedUp: true,
    promoOver: promos.mayBeOver(code),
    promoUsedByYou: maxUsesPerBud !== undefined,
    promoFirstOrder: firstOrderOnly,
    promoTotalTooLow: total < minTotal || total <= LEAST_ON_CARD,
    promoUnknown: false,
  };
  if (refusal !== undefined && isPossible[refusal] === false)
    report(PROMISE, `${name}: ${code} was refused with ${refusal}, for $${total}`, []);
}

const describePromo = (promo: UsedPromo | undefined) => (promo ? `${promo.code}, $${promo.discount} off` : 'no code');

/** Checks what a new order says about its code. */
export function checkPlaced(
  { name, report }: Person,
  { id, number, promo }: { readonly id: string; readonly number: string; readonly promo?: UsedPromo | undefined },
  quote: PromoQuote | undefined,
): void {
  const [found, expected] = [describePromo(promo), describePromo(quote)];
  if (found !== expected) report(PROMISE, `${name} placed ${number} with ${expected}, and it has ${found}`, [id]);
}
