import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts';
import { type CreditBearer, SETTLE_PROMISE_MS } from '../domain/promises.ts';
import { caseHandlers } from '../server/cases/cases.ts';
import { decideCase } from '../server/cases/decideCase.ts';
import type { DeliveryStepRequest } from '../server/deliveries/facts.ts';
import { takeDeliveryStep } from '../server/deliveries/steps.ts';
import { CLEANING_AGAIN } from '../server/orders/reopenOrder.ts';
import { findAuditProblems } from '../server/payments/ledger/audit.sql.ts';
import { writeSetting } from '../server/town/settings.sql.ts';
import { openChangedOrders } from './changedOrders.ts';
import { AT_THE_DOOR } from './deliveries.ts';
import { planWindows, windowAt } from './orderTimes.ts';
import { storePhoto } from './sentPhotos.ts';
import type { DatabaseKind } from './testServer.ts';

export const CREDIT = 500;

const AS_PLANNED = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
/** How far a Duber has come with a delivery. */
export type Progress = (typeof AS_PLANNED)[number];

export type PromisedOrders = Awaited<ReturnType<typeof openPromisedOrders>>;

/** Orders with windows in a town that pays for missed promises, on a clock that the test moves. */
export async function openPromisedOrders(kind: DatabaseKind) {
  const orders = await openChangedOrders(kind);
  const { db } = orders.context;
  await planWindows(db, orders.context.now());
  const now = () => orders.context.now().getTime();
  const cases = caseHandlers(orders.context, CLEANING_AGAIN);

  /** Time passes until then, and what is due runs. */
  const passUntil = async (time: number) => {
    orders.pass(Math.max(0, time - now()));
    for (let round = 0; round < 4; round += 1) await orders.runTimers();
  };
  const missed = (id: string) =>
    db.selectFrom('missed_promises').selectAll().where('order_id', '=', id).executeTakeFirst();
  /** A step of the newest delivery of an order; `takenAt` on a phone that sends the step only now. */
  const step = async (
    orderId: string,
    action: DeliveryStepRequest['action'],
    { takenAt, ...more }: Partial<Omit<DeliveryStepRequest, 'takenAt'>> & { readonly takenAt?: number } = {},
  ) => {
    const deliveries = db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
    const { id } = await deliveries.orderBy('created_at', 'desc').orderBy('id', 'desc').executeTakeFirstOrThrow();
    const taken = takenAt === undefined ? {} : { takenAt: new Date(takenAt) };
    await takeDeliveryStep(orders.context, orders.duber(), { ...more, ...taken, id, action });
  };

  const nextWindows = () => ({
    pickup: windowAt(orders.context.now(), 1, 17),
    back: windowAt(orders.context.now(), 2, 17),
  });
  const audit = async () => {
    const problems = await findAuditProblems(db);
    if (problems.length > 0) throw new Error(`the ledger is wrong: ${JSON.stringify(problems)}`);
  };

  return {
    ...orders,
    ...{ now, passUntil, missed, step },
    setCredit: (borneBy: CreditBearer | null) =>
      writeSetting(db, {
        name: 'promiseCredit',
        value: borneBy && { cents: CREDIT, borneBy },
        ...{ setBy: 'the test', from: orders.context.now() },
      }),
    /** The times of an order that is accepted now. */
    nextTimes: () => {
      const { pickup, back } = nextWindows();
      return {
        ...{ pickupFrom: pickup.from.getTime(), pickupUntil: pickup.until.getTime() },
        ...{ returnFrom: back.from.getTime(), promisedAt: back.until.getTime() },
      };
    },
    /** An accepted order with windows, and the time at which its laundry is promised to be back. */
    accept: async (more: object = {}) => {
      const { pickup, back } = nextWindows();
      const times = { pickupFrom: pickup.from.toISOString(), returnFrom: back.from.toISOString() };
      const id = await orders.harness.createOrder('Accepted', { ...times, ...more });
      await orders.runPayments();
      return { id, pickup, back, promisedAt: back.until.getTime() };
    },
    /** A Duber comes in the window of the pickup, and brings the laundry as far as `until`. */
    bring: async (
      id: string,
      { pickup }: { readonly pickup: { readonly from: Date } },
      until: Progress = 'delivered',
    ) => {
      await passUntil(pickup.from.getTime() + MINUTE_MS);
      await orders.carry(id, AS_PLANNED.slice(0, AS_PLANNED.indexOf(until) + 1));
    },
    wash: async (id: string) => {
      await orders.press('start-order', id);
      await orders.press('complete-order', id);
    },
    /** A Duber brings the laundry home, as far as `until`. */
    bringHome: (id: string, until: Progress = 'delivered', round = 1) =>
      orders.carry(id, AS_PLANNED.slice(0, AS_PLANNED.indexOf(until) + 1), { round }),
    arrive: (id: string) => step(id, 'arrived-at-drop', { place: AT_THE_DOOR }),
    /** Nobody opens the door. With a photo, more than the word of the Duber says so. */
    failDrop: async (id: string) => {
      const fileIds = [await storePhoto(db, orders.duber().id, orders.context.now())];
      await step(id, 'drop-failed', { reason: 'nobody-home', fileIds });
    },
    /** It is certain who had the laundry, and the card network has answered. */
    settle: async (promisedAt: number) => {
      await passUntil(promisedAt + SETTLE_PROMISE_MS + MINUTE_MS);
      await orders.runPayments();
      await audit();
    },
    audit,
    /** What the platform gets of an order, in cents. */
    feeOf: async (id: string) => {
      const lines = db.selectFrom('order_lines').select('cents').where('order_id', '=', id);
      return (await lines.where('earner', '=', 'platform').executeTakeFirstOrThrow()).cents;
    },
    casesOf: (id: string) =>
      db.selectFrom('cases').select(['id', 'kind', 'about_user as about']).where('order_id', '=', id).execute(),
    contest: (caller: { readonly id: string; readonly role: string }, id: string) =>
      cases.contest({ caller, params: { id }, body: { words: 'Nobody came for the laundry.' } } as never),
    readCase: (caller: { readonly id: string; readonly role: string }, id: string) =>
      cases.readCase({ caller, params: { id } } as never),
    decide: (caseId: string, cents: number, liable: 'platform' | 'scrub' | 'duber') =>
      decideCase(orders.context, {
        ...{ caseId, items: [{ n: 1, cents, liable }], reason: 'No Duber was free.', name: 'olga' },
      }),
    /** How late the timers of a busy server run. */
    LATE_MS: 5 * HOUR_MS,
  };
}
