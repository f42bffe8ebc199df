import type { RefundPreview } from '../../contract/operator/money.ts';
import { PRICE_PARTS, priceInDollars, priceOfLines } from '../../domain/prices.ts';
import type { Tx } from '../db/database.ts';
import { LINES } from '../db/orderLines.sql.ts';

export type NamedPerson = { readonly id: string; readonly name: string; readonly role: string };

/** The names of people by id. */
export async function namePeople(tx: Tx, ids: readonly (string | null)[]): Promise<Map<string, NamedPerson>> {
  const known = ids.filter((id) => id !== null);
  if (known.length === 0) return new Map();
  const people = await tx
    .selectFrom('users')
    .select(['id', 'fullname as name', 'role'])
    .where('id', 'in', [...new Set(known)])
    .execute();
  return new Map(people.map((person) => [person.id, person]));
}

/** What an order costs, part by part, in dollars. */
export async function findOrderParts(tx: Tx, orderId: string) {
  const order = await tx
    .selectFrom('orders as o')
    .select(LINES.as('lines'))
    .where('o.id', '=', orderId)
    .executeTakeFirst();
  if (!order) return undefined;
  const price = priceInDollars(priceOfLines(order.lines));
  const parts = PRICE_PARTS.map(({ field }) => [field === 'loadPrice' ? 'load' : field, price[field]]);
  return Object.fromEntries(parts) as RefundPreview['parts'];
}
