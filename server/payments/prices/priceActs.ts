import { LOAD_SIZES } from '../../../domain/orders.ts';
import { PRICE_ITEMS, type PriceItem, type Tariff } from '../../../domain/payments.ts';
import {
  computePrice,
  findPriceProblem,
  fromStoredPrice,
  priceInDollars,
  toStoredPrice,
  unitOf,
} from '../../../domain/prices.ts';
import { refuseProperty } from '../../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../../operatorContext.ts';
import { changePrices } from './changePrices.ts';
import { listPrices, readPrices, tariffOf } from './prices.ts';
import { refusePastDay, startOfChange } from './townDays.ts';

const MAX_COMING = 100;

export const priceHandlers = (context: ConsoleContext): Pick<OperatorHandlers, 'listPrices' | 'previewPrice'> => ({
  listPrices: async () => {
    const rows = await listPrices(context.db);
    const now = context.now();
    return { items: PRICE_ITEMS.flatMap((item) => viewOf(item, rows, now)) };
  },
  previewPrice: async ({ query: { item, value, ...asked } }) => {
    refuseWrongValue(item, value);
    await refusePastDay(context, asked);
    const from = await startOfChange(context, asked);
    const prices = await readPrices(context.db, from);
    const changed = [...prices.filter((price) => price.item !== item), { item, value: toStoredPrice(item, value) }];
    const [before, after] = [tariffOf(prices), tariffOf(changed)];
    const sizes = LOAD_SIZES.map((size) => ({
      size,
      before: priceOfSize(size, before),
      after: priceOfSize(size, after),
    }));
    return { from: from.toISOString(), sizes };
  },
});

type PriceRow = { readonly item: PriceItem; readonly validFrom: Date; readonly value: number };

/** An item now and later. `rows` are in the order of their time. */
function viewOf(item: PriceItem, rows: readonly PriceRow[], now: Date) {
  const dated = rows
    .filter((row) => row.item === item)
    .map(({ validFrom, value }) => ({ value: fromStoredPrice(item, value), from: validFrom.toISOString() }));
  const current = dated.findLast(({ from }) => from <= now.toISOString());
  const next = dated.filter(({ from }) => from > now.toISOString()).slice(0, MAX_COMING);
  return current ? [{ item, unit: unitOf(item), ...current, next }] : [];
}

/** With both deliveries. */
export const priceOfSize = (loadSize: (typeof LOAD_SIZES)[number], tariff: Tariff) =>
  priceInDollars(computePrice({ loadSize, selfDelivery: false, selfPickup: false }, tariff));

function refuseWrongValue(item: PriceItem, value: number): void {
  const problem = findPriceProblem(item, value);
  if (problem) refuseProperty('value', 'isPrice', problem);
}

export const PRICE_ACTS: Pick<Acts, 'setPrice'> = {
  setPrice: {
    check: async ({ context, params, body }) => {
      refuseWrongValue(params.id, body.value);
      await refusePastDay(context, body);
    },
    run: async ({ context, operator, params: { id: item }, body: { value, ...asked } }) => {
      const validFrom = await startOfChange(context, asked, operator);
      const before = await changePrices(context.db, [{ item, value }], validFrom);
      return { details: { from: validFrom.toISOString(), unit: unitOf(item), before: before[item] ?? null } };
    },
  },
};
