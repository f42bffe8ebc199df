import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Deps } from '../server/context.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, rows } from '../server/db/database.ts';
import { whatSays } from '../server/db/json.sql.ts';
import { migrate } from '../server/db/migrate.ts';
import { deliveryHandlers } from '../server/deliveries/deliveries.ts';
import { orderHandlers } from '../server/orders/orders.ts';
import type { Cards } from '../server/payments/cards.ts';
import { workOnPayments } from '../server/payments/paymentJobs.ts';
import { makeDeps } from './paymentStress/killableServer.ts';
import { insertPeople, type People } from './paymentStress/people.ts';
import { type Kind, newDatabase } from './testServer.ts';

export type Till = {
  readonly database: Database;
  readonly databaseUrl: string | undefined;
  readonly deps: Deps;
  readonly people: People;
  setClock(iso: string): void;
  /** An accepted order; `far` says how far it goes on from there. */
  order(far?: 'Accepted' | 'Completed' | 'Delivered'): Promise<string>;
  work(): Promise<void>;
  close(): Promise<void>;
};

/** A card network that does what it is asked at once; its wire is tested elsewhere. */
export function willingCards(): Cards {
  return {
    hold: async ({ orderId }) => ({
      kind: 'held',
      squareId: `sq-${orderId}`,
      versionToken: 'v1',
      cardBrand: 'VISA',
      cardLast4: '1111',
    }),
    capture: async () => ({ kind: 'captured' }),
    release: async () => ({ kind: 'released' }),
    refund: async ({ refundId }) => ({ kind: 'refunded', squareRefundId: `re-${refundId}` }),
    look: async () => undefined,
  };
}

/** The product's money without its HTTP: a database, a few people, a clock that the test sets. */
export async function openTill(kind: Kind, cards: Cards = willingCards()): Promise<Till> {
  const databaseUrl = kind === 'postgres' ? await newDatabase() : undefined;
  const database = databaseUrl ? openServerDatabase(databaseUrl) : await openEmbeddedDatabase(undefined);
  await migrate(database.db);
  let clock = new Date('2026-11-18T12:00:00Z');
  const deps = makeDeps(database.db, cards, () => clock);
  const people = await insertPeople(database.db, 3, clock);
  return {
    database,
    databaseUrl,
    deps,
    people,
    setClock: (iso) => {
      clock = new Date(iso);
    },
    order: (far = 'Accepted') => order(deps, people, far),
    async work() {
      for (let round = 0; round < 1_000 && (await workOnPayments(deps)); round += 1) {}
    },
    close: () => database.close(),
  };
}

async function order(deps: Deps, people: People, far: 'Accepted' | 'Completed' | 'Delivered'): Promise<string> {
  const [bud, scrub, duber] = [people.buds[0], people.scrubs[0], people.dubers[0]];
  const orders = orderHandlers(deps);
  const body = { budAddressId: bud?.addressId, scrubId: scrub?.id, loadSize: 'Medium', paymentSourceId: 'cnon:ok' };
  const asked = { caller: bud, body: { ...body, selfDelivery: false, selfPickup: false }, idempotencyKey: newId() };
  const { id } = whatSays(await orders.placeOrder(asked as never));
  const steps = ['accept-order', ...(far === 'Accepted' ? [] : ['start-order', 'complete-order'])] as const;
  for (const step of steps) await orders[step as 'accept-order']({ caller: scrub, params: { id } } as never);
  if (far !== 'Delivered') return id;
  const legs = await rows<{ id: string }>(deps.db, sql`select id from deliveries where order_id = ${id}`);
  for (const params of legs) {
    for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
      await deliveryHandlers(deps)[step]({ caller: duber, params } as never);
    }
  }
  return id;
}
