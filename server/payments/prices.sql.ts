import { sql } from 'kysely';
import type { PriceItem, Service, Tariff } from '../../domain/payments.ts';
import { rows, type Tx } from '../database.ts';

/** What an installation charges at a time: the newest row of each item that holds by then. */
export async function tariffAt(tx: Tx, time: Date, service: Service = 'wash-and-fold'): Promise<Tariff> {
  const found = await rows<{ item: PriceItem; value: number }>(
    tx,
    sql`select distinct on (item) item, value from prices where valid_from <= ${time} order by item, valid_from desc`,
  );
  const values = new Map(found.map(({ item, value }) => [item, value]));
  const priceOf = (item: PriceItem) => {
    const value = values.get(item);
    if (value === undefined) throw new Error(`no price of ${item} holds at ${time.toISOString()}`);
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
  return rows(tx, sql`select item, valid_from as "validFrom", value from prices order by item, valid_from`);
}

/** Sets a price from a time on; a row for that very time is replaced. */
export async function setPrice(tx: Tx, { item, validFrom, value }: PriceRow): Promise<void> {
  await rows(
    tx,
    sql`insert into prices (item, valid_from, value) values (${item}, ${validFrom}, ${value})
      on conflict (item, valid_from) do update set value = excluded.value`,
  );
}
