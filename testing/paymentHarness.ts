import { v7 as newId } from 'uuid';
import type { Context } from '../server/context.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase } from '../server/db/database.ts';
import { ensureSchema } from '../server/db/ensureSchema.ts';
import { parseSerializedJson } from '../server/db/json.sql.ts';
import { deliveryHandlers } from '../server/deliveries/deliveries.ts';
import { orderHandlers } from '../server/orders/orders.ts';
import type { Cards } from '../server/payments/card/cards.ts';
import { runPaymentJobs } from '../server/payments/paymentJobs.ts';
import { createContext } from './paymentStress/killableServer.ts';
import { insertUsers, type Users } from './paymentStress/users.ts';
import { createTestDatabase, type DatabaseKind } from './testServer.ts';

type OrderProgress = 'Requested' | 'Accepted' | 'Completed' | 'Delivered';

export type PaymentHarness = {
  readonly database: Database;
  readonly databaseUrl: string | undefined;
  readonly context: Context;
  readonly users: Users;
  setClock(iso: string): void;
  /** Places an order, moves it to the given progress ('Accepted' by default) and returns its id. */
  createOrder(until?: OrderProgress, more?: object): Promise<string>;
  runPaymentJobs(): Promise<void>;
  close(): Promise<void>;
};

/** A card network where every call succeeds. Tests of the real protocol are in square.test.ts. */
export function createAcceptingCards(): Cards {
  return {
    hold: async ({ orderId }) => ({
      kind: 'held',
      squareId: `sq-${orderId}`,
      versionToken: 'v1',
      cardBrand: 'VISA',
      cardLast4: '1111',
      cardFingerprint: null,
    }),
    capture: async ({ amount }) => ({ kind: 'captured', amount }),
    release: async () => ({ kind: 'released' }),
    refund: async ({ refundId }) => ({ kind: 'refunded', squareRefundId: `re-${refundId}` }),
    findPayment: async () => undefined,
    checkAccess: async () => ({ kind: 'open', location: 'The town', currency: 'USD', takesCards: true }),
    disputes: {
      list: async () => ({ disputes: [] }),
      sendEvidence: async () => ({ kind: 'refused', reason: 'there is none' }),
      accept: async () => ({ kind: 'refused', reason: 'there is none' }),
    },
    lists: {
      charges: async () => ({ items: [] }),
      refunds: async () => ({ items: [] }),
      findCharge: async () => undefined,
      findRefund: async () => undefined,
    },
    onFile: {
      createCustomer: async (budId) => `customer-${budId}`,
      deleteCustomer: async () => {},
      save: async ({ id }) => ({
        ...{ kind: 'saved', squareCardId: `ccof:${id}`, brand: 'VISA', last4: '1111', expMonth: 12, expYear: 2045 },
      }),
      remove: async () => {},
    },
  };
}

/** Payments without the HTTP layer: a database, a few users, and a clock that the test sets. */
export async function openPaymentHarness(
  kind: DatabaseKind,
  cards: Cards = createAcceptingCards(),
): Promise<PaymentHarness> {
  const databaseUrl = kind === 'postgres' ? await createTestDatabase() : undefined;
  const database = databaseUrl ? openServerDatabase(databaseUrl) : await openEmbeddedDatabase(undefined);
  await ensureSchema(database.db);
  let clock = new Date('2026-11-18T12:00:00Z');
  const context = createContext(database.db, cards, () => clock);
  const users = await insertUsers(database.db, 3, clock);
  return {
    database,
    databaseUrl,
    context,
    users,
    setClock: (iso) => {
      clock = new Date(iso);
    },
    createOrder: (until = 'Accepted', more = {}) => placeAndAdvanceOrder(context, users, until, more),
    async runPaymentJobs() {
      for (let run = 0; run < 1_000 && (await runPaymentJobs(context)); run += 1) {}
    },
    close: () => database.close(),
  };
}

async function placeAndAdvanceOrder(
  context: Context,
  users: Users,
  until: OrderProgress,
  more: object,
): Promise<string> {
  const [bud, scrub, duber] = [users.buds[0], users.scrubs[0], users.dubers[0]];
  const orders = orderHandlers(context);
  const body = { budAddressId: bud?.addressId, scrubId: scrub?.id, loadSize: 'Medium', paymentSourceId: 'cnon:ok' };
  const request = {
    caller: bud,
    body: { ...body, selfDelivery: false, selfPickup: false, ...more },
    idempotencyKey: newId(),
    from: '127.0.0.1',
  };
  const { id } = parseSerializedJson(await orders.placeOrder(request as never));
  if (until === 'Requested') return id;
  const steps = ['accept-order', ...(until === 'Accepted' ? [] : ['start-order', 'complete-order'])] as const;
  for (const step of steps) await orders[step as 'accept-order']({ caller: scrub, params: { id } } as never);
  if (until !== 'Delivered') return id;
  const deliveries = await context.db.selectFrom('deliveries').select('id').where('order_id', '=', id).execute();
  for (const params of deliveries) {
    for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
      await deliveryHandlers(context)[step]({ caller: duber, params } as never);
    }
  }
  return id;
}
