import { type RawBuilder, sql } from 'kysely';
import { type PriceItem, SERVICES, type Service, type Tariff } from '../../domain/payments.ts';
import { queryRows, type Tx } from '../db/database.ts';

/** Each item's newest price that holds at a time. */
export const pricesAt = (time: RawBuilder<unknown>) =>
  sql`select distinct on (item) item, value from prices where valid_from <= ${time}::timestamptz
    order by item, valid_from desc`;

type ItemPrice = { readonly item: PriceItem; readonly value: number };

/** What an installation charges at a time: the newest row of each item that holds by then. */
export async function readTariff(tx: Tx, time: Date, service: Service = 'wash-and-fold'): Promise<Tariff> {
  return tariffOf(await queryRows<ItemPrice>(tx, pricesAt(sql`${time}`)), service);
}

/** Each service's tariff at a time. */
export async function readTariffs(tx: Tx, time: Date): Promise<Record<Service, Tariff>> {
  const prices = await queryRows<ItemPrice>(tx, pricesAt(sql`${time}`));
  return Object.fromEntries(SERVICES.map((service) => [service, tariffOf(prices, service)])) as Record<Service, Tariff>;
}

export function tariffOf(prices: readonly ItemPrice[], service: Service = 'wash-and-fold'): Tariff {
  const values = new Map(prices.map(({ item, value }) => [item, value]));
  const priceOf = (item: PriceItem) => {
    const value = values.get(item);
    if (value === undefined) throw new Error(`there is no price of ${item}`);
    return value;
  };
  return {
    perPound: priceOf(service),
    pickup: priceOf('pickup'),
    delivery: priceOf('delivery'),
    platformFeeRate: priceOf('platform-fee'),
    taxRate: priceOf('taxes'),
  };
}

export type PriceRow = { readonly item: PriceItem; readonly validFrom: Date; readonly value: number };

export function listPrices(tx: Tx): Promise<PriceRow[]> {
  return queryRows(tx, sql`select item, valid_from as "validFrom", value from prices order by item, valid_from`);
}

/** Sets a price from a time on; a row for that very time is replaced. */
export async function setPrice(tx: Tx, { item, validFrom, value }: PriceRow): Promise<void> {
  await queryRows(
    tx,
    sql`insert into prices (item, valid_from, value) values (${item}, ${validFrom}, ${value})
      on conflict (item, valid_from) do update set value = excluded.value`,
  );
}
