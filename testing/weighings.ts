import { sql } from 'kysely';
import type { Weighing } from '../contract/weighing.ts';
import type { LargerSize } from '../domain/orders.ts';
import { toGrams } from '../domain/weighing.ts';
import { queryRow, queryRows } from '../server/db/database.ts';
import type { DeliveryStepRequest } from '../server/deliveries/facts.ts';
import { takeDeliveryStep } from '../server/deliveries/steps.ts';
import { Refusal } from '../server/http/refusals.ts';
import { readWeighingTemplateData } from '../server/notifications/templateData.sql.ts';
import { orderHandlers } from '../server/orders/orders.ts';
import { weighingHandlers } from '../server/orders/weighing.ts';
import { setPrice } from '../server/payments/prices/prices.sql.ts';
import type { StepActor } from '../server/process/takeStep.ts';
import { setPolicy } from '../server/town/policies.sql.ts';
import { openChangedOrders } from './changedOrders.ts';
import { DELIVERY_STEPS } from './orderSteps.ts';
import { storePhoto } from './sentPhotos.ts';
import type { DatabaseKind } from './testServer.ts';

export type Weighings = Awaited<ReturnType<typeof openWeighings>>;
type Answer = { answer: 'pay' | 'keep' | 'send-back' | 'contest'; [more: string]: unknown };

/** The failure that a call is refused with. */
export const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'nothing',
    (error: unknown) => {
      if (error instanceof Refusal) return error.failure;
      throw error;
    },
  );

/** A town that weighs laundry, and what its people do. The card network of the tests takes everything. */
export async function openWeighings(kind: DatabaseKind) {
  const orders = await openChangedOrders(kind);
  const { context, harness, bud } = orders;
  const { db } = context;
  const calls = weighingHandlers(context);
  const setWeighing = (value: 'open' | 'careful') =>
    setPolicy(db, { name: 'weighing', value, setBy: 'a test' }, context.now());
  const caller = (role: 'Bud' | 'Scrub') => (role === 'Bud' ? bud : orders.scrub());
  const accept = async (id: string) => {
    await orders.press('accept-order', id);
    return id;
  };
  /** The newest delivery to the Scrub. */
  const outboundOf = async (orderId: string): Promise<{ id: string }> => {
    const delivery = await queryRow<{ id: string }>(
      db,
      sql`select id from deliveries where order_id = ${orderId} and delivery_type = 'Bud_To_Scrub'
        order by created_at desc, id desc limit 1`,
    );
    if (!delivery) throw new Error(`order ${orderId} has no delivery`);
    return delivery;
  };
  await setWeighing('careful');
  return {
    ...orders,
    setWeighing,
    /** From now on the price list sells a size. */
    sell: (size: LargerSize, pounds: number) =>
      setPrice(db, { item: `size-${size}`, validFrom: context.now(), value: pounds }),
    quote: (body: object) =>
      orderHandlers(context).calculatePrice({
        caller: bud,
        body: { loadSize: 'Medium', selfDelivery: false, selfPickup: false, ...body },
      } as never),
    accept: async (more: object = {}) => accept(await harness.createOrder('Requested', more)),
    /** The Scrub has the laundry, and has begun. */
    start: async (more: { readonly selfDelivery?: boolean; readonly [other: string]: unknown } = {}) => {
      const id = await accept(await harness.createOrder('Requested', more));
      if (!more.selfDelivery) await orders.carry(id, DELIVERY_STEPS);
      await orders.press('start-order', id);
      return id;
    },
    weigh: async (
      id: string,
      pounds: number,
      { splits = false, key, by = 0 }: { splits?: boolean; key?: string; by?: number } = {},
    ) => {
      const scrub = orders.scrub(by);
      const fileIds = [await storePhoto(db, scrub.id, context.now())];
      const body = { grams: toGrams(pounds), fileIds, splits };
      return calls.weighOrder({ caller: scrub, params: { id }, body, idempotencyKey: key } as never);
    },
    weighOnTheWay: async (
      orderId: string,
      pounds: number,
      { key, duber = 0 }: { key?: string; duber?: number } = {},
    ) => {
      const caller = orders.duber(duber);
      const body = { grams: toGrams(pounds), fileIds: [await storePhoto(db, caller.id, context.now())] };
      return calls.weighDelivery({ caller, params: await outboundOf(orderId), body, idempotencyKey: key } as never);
    },
    /** A step of the delivery to the Scrub that was not planned. */
    stray: async (orderId: string, actor: StepActor, action: DeliveryStepRequest['action'], more: object = {}) =>
      takeDeliveryStep(context, actor, { id: (await outboundOf(orderId)).id, action, ...more }),
    detailsOf: async (orderId: string) => readWeighingTemplateData(db, orderId),
    answer: (id: string, body: Answer, key?: string) =>
      calls.answerCorrection({ caller: bud, params: { id }, body, idempotencyKey: key, from: '127.0.0.1' } as never),
    read: (id: string, role: 'Bud' | 'Scrub' = 'Bud'): Promise<Weighing> =>
      calls.readWeighing({ caller: caller(role), params: { id } } as never) as Promise<Weighing>,
    /** What an order costs by now, in cents, and its size. */
    priceOf: async (id: string) => {
      const row = await queryRow<{ size: string; cents: number }>(
        db,
        sql`select load_size as size, total_price as cents from orders where id = ${id}`,
      );
      return [row?.size, row?.cents];
    },
    casesOf: async (id: string) =>
      (await queryRows<{ kind: string }>(db, sql`select kind from cases where order_id = ${id} order by no`)).map(
        ({ kind: one }) => one,
      ),
  };
}
