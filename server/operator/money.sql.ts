import type { Tx } from '../db/database.ts';

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
    .selectFrom('orders')
    .select(['load_price', 'pickup_price', 'delivery_price', 'platform_fee', 'taxes'])
    .where('id', '=', orderId)
    .executeTakeFirst();
  return (
    order && {
      load: order.load_price / 100,
      pickup: order.pickup_price / 100,
      delivery: order.delivery_price / 100,
      platformFee: order.platform_fee / 100,
      taxes: order.taxes / 100,
    }
  );
}
