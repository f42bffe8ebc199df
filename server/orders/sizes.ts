import type { PriceQuote } from '../../contract/orders.ts';
import { NO_SIZE } from '../../contract/pricedFields.ts';
import type { BudId } from '../../domain/accounts.ts';
import { isHeavierSize, ORDER_SIZES, type OrderSize } from '../../domain/orders.ts';
import { type Cents, chargedPounds, type Tariff, toDollars } from '../../domain/payments.ts';
import { computePrice, linesOfOrder, type Price, priceInDollars, totalOfLines } from '../../domain/prices.ts';
import type { Turnaround } from '../../domain/windows.ts';
import { chooseTimes } from '../bookings/chooseTimes.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound, refuseProperty } from '../http/refusals.ts';
import { readTariff, readTariffAtAddress } from '../payments/prices/prices.sql.ts';
import { readPolicy } from '../town/policies.sql.ts';
import { readWindowPlan } from '../town/windowPlan.sql.ts';

type Sizes = { readonly loadSize: OrderSize; readonly ceilingSize?: OrderSize | undefined };
type Priced = Sizes & {
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly turnaround?: Turnaround | undefined;
};
type Quoted = Omit<Priced, 'turnaround'> & {
  readonly pickupFrom?: string | undefined;
  readonly returnFrom?: string | undefined;
  readonly budAddressId?: string | undefined;
  readonly withChoices?: boolean | undefined;
};

/** Refuses sizes that are not sold, and a limit where laundry is not weighed. */
export function checkSizes({ loadSize, ceilingSize }: Sizes, tariff: Tariff, isWeighed: boolean): void {
  for (const [property, size] of Object.entries({ loadSize, ceilingSize }))
    if (size !== undefined && chargedPounds(size, tariff) === 0) refuseProperty(property, 'isIn', NO_SIZE);
  if (ceilingSize === undefined) return;
  if (!isWeighed) refuseProperty('ceilingSize', 'isWeighed', 'Laundry is not weighed here: leave ceilingSize out');
  if (isHeavierSize(loadSize, ceilingSize))
    refuseProperty('ceilingSize', 'isHighest', 'ceilingSize must not be smaller than loadSize');
}

/** What an order that is weighed costs at most without asking, in cents. */
export function maximumCents({ loadSize, ceilingSize = loadSize, ...ways }: Priced, tariff: Tariff): number {
  const prices = [loadSize, ceilingSize].map((size) => computePrice({ ...ways, loadSize: size }, tariff).totalPrice);
  return Math.max(...prices);
}

export const areOrdersWeighed = async (tx: Tx, now: Date): Promise<boolean> =>
  (await readPolicy(tx, 'weighing', now))?.value === 'careful';

/** What an order costs where the laundry is fetched, and at most with a limit. In dollars. */
export async function quotePrice(tx: Tx, bud: BudId, body: Quoted, now: Date): Promise<PriceQuote> {
  const { price, atMost, tariff, priced } = await quoteCents(tx, bud, body, now);
  const { turnaround } = priced;
  const amount = totalOfLines(linesOfOrder(priced, tariff).filter(({ item }) => item === 'turnaround'));
  return {
    ...priceInDollars(price),
    ...(atMost === undefined ? {} : { atMost: toDollars(atMost) }),
    ...(turnaround ? { turnaround: { name: turnaround, amount: toDollars(amount) } } : {}),
    ...(body.withChoices ? { choices: choicesOf(priced, tariff) } : {}),
  };
}

/** What the same order costs with each size, and what a Duber costs each way. */
function choicesOf(body: Priced, tariff: Tariff): NonNullable<PriceQuote['choices']> {
  const sold = ORDER_SIZES.filter((size) => chargedPounds(size, tariff) > 0);
  const priceOf = (loadSize: OrderSize) => priceInDollars(computePrice({ ...body, loadSize }, tariff));
  const { pickup, delivery } = computePrice({ ...body, selfDelivery: false, selfPickup: false }, tariff);
  return {
    prices: Object.fromEntries(sold.map((size) => [size, priceOf(size)])),
    pickup: toDollars(pickup),
    delivery: toDollars(delivery),
  };
}

export async function quoteCents(
  tx: Tx,
  bud: BudId,
  body: Quoted,
  now: Date,
): Promise<{ price: Price; atMost?: Cents; tariff: Tariff; priced: Priced }> {
  const { ceilingSize, budAddressId, pickupFrom, returnFrom } = body;
  const hasWindows = pickupFrom !== undefined || returnFrom !== undefined;
  const there =
    budAddressId === undefined
      ? undefined
      : await readTariffAtAddress(tx, { userId: bud, addressId: budAddressId }, now);
  const zoneId = there?.zoneId ?? null;
  const times = hasWindows ? chooseTimes(body, { ...(await readWindowPlan(tx, now)), zoneId }, now) : undefined;
  const priced: Priced = { ...body, turnaround: times?.turnaround };
  const tariff = there?.tariff ?? (await readTariff(tx, now));
  checkSizes(body, tariff, ceilingSize !== undefined && (await areOrdersWeighed(tx, now)));
  if (budAddressId !== undefined) orNotFound(there);
  const price = computePrice(priced, tariff);
  return { price, tariff, priced, ...(ceilingSize === undefined ? {} : { atMost: maximumCents(priced, tariff) }) };
}
