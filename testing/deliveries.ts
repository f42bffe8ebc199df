import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Delivery } from '../contract/deliveries.ts';
import type { Caller } from '../domain/accounts.ts';
import type { DeliveryAction } from '../domain/deliveries.ts';
import { DAY_MS, MINUTE_MS } from '../domain/durations.ts';
import { queryRows } from '../server/db/database.ts';
import { parseSerializedJson } from '../server/db/json.sql.ts';
import { deliveryHandlers } from '../server/deliveries/deliveries.ts';
import type { DeliveryStepRequest } from '../server/deliveries/facts.ts';
import { takeDeliveryStep } from '../server/deliveries/steps.ts';
import { Refusal } from '../server/http/refusals.ts';
import { orderHandlers } from '../server/orders/orders.ts';
import type { StepActor } from '../server/process/takeStep.ts';
import { openEarningTests } from './earningTests.ts';
import { DELIVERY_STEPS } from './orderSteps.ts';
import { openPaymentHarness } from './paymentHarness.ts';
import { storePhoto } from './sentPhotos.ts';
import type { DatabaseKind } from './testServer.ts';

export const OPERATOR: StepActor = { role: 'Operator', id: null };
/** Everybody of the payment harness lives here; and a place on the other side of the river. */
export const AT_THE_DOOR = { latitude: 24, longitude: 67 };
export const FAR_AWAY = { latitude: 24.01, longitude: 67 };

export type Deliveries = Awaited<ReturnType<typeof openDeliveries>>;

/** Deliveries for all tests of a suite. Each test begins with Dubers who are free. */
export function useDeliveries(kind: DatabaseKind): Deliveries {
  const deliveries = {} as Deliveries;
  beforeAll(async () => void Object.assign(deliveries, await openDeliveries(kind)));
  afterEach(() => deliveries.endAll());
  afterAll(() => deliveries.close?.());
  return deliveries;
}

/** Deliveries without the HTTP layer, and a clock that stands still. */
async function openDeliveries(kind: DatabaseKind) {
  const harness = await openPaymentHarness(kind);
  let clock = Date.parse('2026-11-18T12:00:00Z');
  const { context, users } = harness;
  const pass = (ms: number) => {
    clock += ms;
    harness.setClock(new Date(clock).toISOString());
  };
  const bud = users.buds[0] as NonNullable<(typeof users.buds)[0]>;
  const scrub = users.scrubs[0] as NonNullable<(typeof users.scrubs)[0]>;
  const dubers = users.dubers as readonly Extract<Caller, { role: 'Duber' }>[];
  const [alan, bob] = dubers as [(typeof dubers)[0], (typeof dubers)[0]];

  /** A planned step. */
  const step = (action: DeliveryAction, id: string, duber = alan, takenAt?: Date) =>
    deliveryHandlers(context)[action]({ caller: duber, params: { id }, takenAt } as never);
  /** A step that was not planned. */
  const take = (actor: StepActor, action: DeliveryStepRequest['action'], id: string, more: object = {}) =>
    takeDeliveryStep(context, actor, { id, action, ...more });

  return {
    ...{ harness, context, pass, step, take, bud, scrub, dubers, alan, bob },
    now: () => new Date(clock),
    rowOf: (id: string) =>
      context.db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** A new photo of somebody's, for the body of a step. */
    photo: async (owner = alan) => ({ fileIds: [await storePhoto(context.db, owner.id, new Date(clock))] }),
    close: () => harness.close(),
    /** What is earned from now on does not wait for the time for claims; the Scrub begins without money. */
    async earnTrust(): Promise<void> {
      const earnings = openEarningTests(harness);
      await earnings.earnTrust();
      await earnings.payOut('scrub');
      pass(30 * DAY_MS);
    },
    /** A new delivery to the Scrub of which Alan has taken the first `steps` steps. */
    async openDelivery(steps = 0, duber = alan): Promise<{ id: string; orderId: string; price: number }> {
      const orderId = await harness.createOrder('Accepted');
      const { id, price } = await context.db
        .selectFrom('deliveries')
        .select(['id', 'price'])
        .where('order_id', '=', orderId)
        .executeTakeFirstOrThrow();
      for (const action of DELIVERY_STEPS.slice(0, steps)) await step(action, id, duber);
      return { id, orderId, price };
    },
    async completeOrder(orderId: string): Promise<void> {
      const orders = orderHandlers(context);
      for (const action of ['start-order', 'complete-order'] as const)
        await orders[action]({ caller: scrub, params: { id: orderId } } as never);
    },
    /** A completed order: the way to its Scrub, which nobody has taken, and the way back. */
    async openWayBack(): Promise<{ id: string; orderId: string; back: string }> {
      const { id, orderId } = await this.openDelivery();
      await this.completeOrder(orderId);
      const deliveries = context.db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
      const { id: back } = await deliveries.where('id', '<>', id).executeTakeFirstOrThrow();
      return { id, orderId, back };
    },
    /** Drives a minute, arrives and waits long enough. */
    async wait(id: string, door: 'pickup' | 'drop', duber: StepActor = alan): Promise<void> {
      pass(MINUTE_MS);
      await take(duber, `arrived-at-${door}`, id, { place: AT_THE_DOOR });
      pass(5 * MINUTE_MS);
    },
    /** Frees the Dubers for the next test. */
    async endAll(): Promise<void> {
      await sql`update deliveries set status = 'Called_Off', has_laundry = false where status <> 'Delivered'`.execute(
        context.db,
      );
      await sql`delete from timers`.execute(context.db);
    },
    async read(caller: Caller, id: string): Promise<Delivery | undefined> {
      const query = deliveryHandlers(context).readDelivery({ caller, params: { id } } as never) as unknown as {
        run(db: unknown): Promise<never>;
      };
      const json = await query.run(context.db);
      return json && parseSerializedJson<Delivery>(json);
    },
    /** What a Duber has earned with an order, in cents. */
    async earned(orderId: string, duber: StepActor = alan): Promise<number> {
      const [row] = await queryRows<{ cents: string }>(
        context.db,
        sql`select coalesce(-sum(l.amount), 0) as cents from ledger_lines l join ledger_entries e on e.id = l.entry_id
          where e.order_id = ${orderId} and l.account = 'duber' and l.party = ${duber.id}`,
      );
      return Number(row?.cents ?? 0);
    },
    /** The people who were or will be notified of a delivery, by kind. */
    notified: (id: string) =>
      queryRows<{ kind: string; id: string }>(
        context.db,
        sql`select kind, user_id as id from notifications where about = ${id} and channel = 'mail' order by 1, 2`,
      ),
  };
}

/** The failure of a refused step; for a rule of the body, its property. */
export const failureOf = (taken: Promise<unknown>): Promise<string> =>
  taken.then(
    (answer) => `taken: ${JSON.stringify(answer)}`,
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return error.validationErrors?.[0]?.property ?? error.failure;
    },
  );
