import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Context } from '../server/context.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, queryRows } from '../server/db/database.ts';
import { parseSerializedJson } from '../server/db/json.sql.ts';
import { migrate } from '../server/db/migrate.ts';
import { deliveryHandlers } from '../server/deliveries/deliveries.ts';
import { orderHandlers } from '../server/orders/orders.ts';
import type { Cards } from '../server/payments/cards.ts';
import { runPaymentJobs } from '../server/payments/paymentJobs.ts';
import { createContext } from './paymentStress/killableServer.ts';
import { insertUsers, type Users } from './paymentStress/users.ts';
import { createTestDatabase, type DatabaseKind } from './testServer.ts';

export type PaymentHarness = {
  readonly database: Database;
  readonly databaseUrl: string | undefined;
  readonly context: Context;
  readonly users: Users;
  setClock(iso: string): void;
  /** An accepted order; `far` says how far it goes on from there. */
  createOrder(far?: 'Accepted' | 'Completed' | 'Delivered'): Promise<string>;
  runPaymentJobs(): Promise<void>;
  close(): Promise<void>;
};

/** A card network that does what it is asked at once; its wire is tested elsewhere. */
export function createAcceptingCards(): Cards {
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
    findPayment: async () => undefined,
  };
}

/** The product's money without its HTTP: a database, a few people, a clock that the test sets. */
export async function openPaymentHarness(
  kind: DatabaseKind,
  cards: Cards = createAcceptingCards(),
): Promise<PaymentHarness> {
  const databaseUrl = kind === 'postgres' ? await createTestDatabase() : undefined;
  const database = databaseUrl ? openServerDatabase(databaseUrl) : await openEmbeddedDatabase(undefined);
  await migrate(database.db);
  let clock = new Date('2026-11-18T12:00:00Z');
  const deps = createContext(database.db, cards, () => clock);
  const people = await insertUsers(database.db, 3, clock);
  return {
    database,
    databaseUrl,
    context: deps,
    users: people,
    setClock: (iso) => {
      clock = new Date(iso);
    },
    createOrder: (far = 'Accepted') => placeAndAdvanceOrder(deps, people, far),
    async runPaymentJobs() {
      for (let round = 0; round < 1_000 && (await runPaymentJobs(deps)); round += 1) {}
    },
    close: () => database.close(),
  };
}

async function placeAndAdvanceOrder(
  deps: Context,
  people: Users,
  far: 'Accepted' | 'Completed' | 'Delivered',
): Promise<string> {
  const [bud, scrub, duber] = [people.buds[0], people.scrubs[0], people.dubers[0]];
  const orders = orderHandlers(deps);
  const body = { budAddressId: bud?.addressId, scrubId: scrub?.id, loadSize: 'Medium', paymentSourceId: 'cnon:ok' };
  const asked = { caller: bud, body: { ...body, selfDelivery: false, selfPickup: false }, idempotencyKey: newId() };
  const { id } = parseSerializedJson(await orders.placeOrder(asked as never));
  const steps = ['accept-order', ...(far === 'Accepted' ? [] : ['start-order', 'complete-order'])] as const;
  for (const step of steps) await orders[step as 'accept-order']({ caller: scrub, params: { id } } as never);
  if (far !== 'Delivered') return id;
  const legs = await queryRows<{ id: string }>(deps.db, sql`select id from deliveries where order_id = ${id}`);
  for (const params of legs) {
    for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
      await deliveryHandlers(deps)[step]({ caller: duber, params } as never);
    }
  }
  return id;
}
