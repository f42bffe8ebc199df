import type { DeliveryTownCall, OrderTownCall } from '../../contract/operator/orderActs.ts';
import { ORDERS_PAGE, type TownDelivery, type TownOrder } from '../../contract/operator/orders.ts';
import { localDate, spanOfDays } from '../../domain/localDays.ts';
import { accountIdOf } from '../../domain/operators.ts';
import { DELIVERY_TOWN_ROWS } from '../../domain/process/delivery.ts';
import { ORDER_TOWN_ROWS } from '../../domain/process/order.ts';
import { toPounds } from '../../domain/weighing.ts';
import type { BookedPart } from '../../domain/windows.ts';
import type { Tx } from '../db/database.ts';
import { readTownActionsOfDelivery, takeDeliveryStep } from '../deliveries/steps.ts';
import { countBags } from '../handovers/countBags.ts';
import { orNotFound } from '../http/refusals.ts';
import type { ActInput, ActResult, Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { takeOrderStep } from '../orders/steps.ts';
import { readTownActionsOfOrder } from '../orders/townActions.ts';
import { readSettings } from '../town/settings.sql.ts';
import { listAuditEntries } from './audit.sql.ts';
import { toAuditRow } from './audit.ts';
import {
  listOrderCases,
  listOrderDeliveries,
  listOrderEntries,
  listOrderHandovers,
  listOrderLines,
  listOrderRefunds,
  listOrderSteps,
  listOrderWeighings,
  readOrderHead,
  readOrderPayment,
} from './order.sql.ts';
import { findPlacesShownUntil } from './shownPlaces.ts';
import { dayOfPart, isBooked } from './todayWindows.sql.ts';

const AUDIT_ROWS = 50;

export const orderHandlers = ({
  db,
  now,
}: ConsoleContext): Pick<OperatorHandlers, 'listTownOrders' | 'readTownOrder'> => ({
  listTownOrders: async ({ query: { status, before, beforeNumber, booked, day, zone } }) => {
    const start = before && beforeNumber ? { at: new Date(before), number: beforeNumber } : undefined;
    const part = booked && (await findPart(db, { booked, day }, now()));
    const rows = await listOrderLines(db, { status, before: start, part, zone }, ORDERS_PAGE + 1);
    const items = rows.slice(0, ORDERS_PAGE).map(({ no: _no, ...line }) => line);
    const last = rows.length > ORDERS_PAGE ? rows[ORDERS_PAGE - 1] : undefined;
    return { items, next: last ? { before: last.placedAt, beforeNumber: last.no } : null };
  },
  readTownOrder: ({ operator, params }) =>
    // One snapshot, so that the parts are consistent.
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => readTownOrder(tx, { id: params.id, operatorId: operator.id }, now())),
});

/** The condition of a part that Today counts, on a day of the town or on all. */
async function findPart(tx: Tx, { booked, day }: { booked: BookedPart; day: string | undefined }, at: Date) {
  if (day === undefined) return isBooked(booked, undefined, at);
  const { timeZone } = await readSettings(tx, at);
  const span = spanOfDays({ from: day, until: day }, timeZone);
  return isBooked(booked, dayOfPart(booked, span, day === localDate(at, timeZone)), at);
}

type Reading = { readonly id: string; readonly operatorId: string };

async function readTownOrder(tx: Tx, { id, operatorId }: Reading, now: Date): Promise<TownOrder> {
  const placesUntil = await findPlacesShownUntil(tx, { orderId: id, operatorId }, now);
  const head = orNotFound(await readOrderHead(tx, id, placesUntil !== undefined));
  const cases = await listOrderCases(tx, id);
  const deliveries = await readDeliveries(tx, { id, isShown: placesUntil !== undefined }, now);
  const subjectIds = [id, ...deliveries.map((one) => one.id), ...cases.map((one) => one.id)];
  return {
    ...head,
    placesUntil: placesUntil?.toISOString() ?? null,
    steps: await listOrderSteps(tx, id),
    deliveries,
    custody: await readTownCustody(tx, head),
    weighings: (await listOrderWeighings(tx, id)).map(({ grams, ...row }) => ({
      ...row,
      pounds: Math.round(toPounds(grams) * 10) / 10,
    })),
    payment: (await readOrderPayment(tx, id)) ?? null,
    ledger: await listOrderEntries(tx, id),
    refunds: await listOrderRefunds(tx, id),
    cases,
    audit: (await listAuditEntries(tx, { subjectIds }, AUDIT_ROWS)).map(toAuditRow),
    actions: await readTownActionsOfOrder(tx, id),
  };
}

async function readDeliveries(tx: Tx, order: { id: string; isShown: boolean }, now: Date): Promise<TownDelivery[]> {
  const deliveries: TownDelivery[] = [];
  for (const row of await listOrderDeliveries(tx, order.id, order.isShown))
    deliveries.push({ ...row, actions: await readTownActionsOfDelivery(tx, row.id, now) });
  return deliveries;
}

/** Who has the laundry: the recipient of the last hand-over, and its Bud before the first. */
async function readTownCustody(tx: Tx, { id, bud }: Pick<TownOrder, 'id' | 'bud'>): Promise<TownOrder['custody']> {
  const rows = await listOrderHandovers(tx, id);
  const last = rows.at(-1);
  return {
    holder: last?.taker ?? bud,
    since: last ? (last.takenAt ?? last.at) : null,
    bags: countBags(rows),
    handovers: rows.map(({ takenAt: _takenAt, position: _position, ...row }) => row),
  };
}

type OrderActs = Pick<Acts, 'showPlaces' | `order-${OrderTownCall}` | `delivery-${DeliveryTownCall}`>;
/** Those of one subject take the same input. */
type InputOf<N extends Exclude<keyof OrderActs, 'showPlaces'>> = Pick<
  ActInput<N>,
  'context' | 'operator' | 'params' | 'body'
>;
type OrderAct = { run: (input: InputOf<'order-reopen'>) => Promise<ActResult> };
type DeliveryAct = { run: (input: InputOf<'delivery-relay'>) => Promise<ActResult> };

const orderAct = (action: OrderTownCall): OrderAct => ({
  run: async ({ context, operator, params: { id }, body: { why, words, waysPaidBy, wayHome } }) => {
    const request = { id, action, reason: why, words: words ?? undefined, waysPaidBy, wayHome };
    const { status, round } = await takeOrderStep(context, { role: 'Operator', id: accountIdOf(operator) }, request);
    return { details: { status, round } };
  },
});

const deliveryAct = (action: DeliveryTownCall): DeliveryAct => ({
  run: async ({ context, operator, params: { id }, body: { why, words, place } }) => {
    const request = { id, action, reason: why, words: words ?? undefined, place };
    const { status, attempt } = await takeDeliveryStep(
      context,
      { role: 'Operator', id: accountIdOf(operator) },
      request,
    );
    return { details: { status, attempt } };
  },
});

const actsOf = <S extends string, A extends string, T>(
  subject: S,
  rows: readonly { readonly action: A }[],
  make: (action: A) => T,
) => Object.fromEntries(rows.map(({ action }) => [`${subject}-${action}`, make(action)])) as { [N in `${S}-${A}`]: T };

/** The rows of operators in ORDER_EXCEPTIONS and DELIVERY_EXCEPTIONS. */
export const ORDER_ACTS: OrderActs = {
  // The row in the audit is what shows the places to the operator: see findPlacesShownUntil.
  showPlaces: {
    run: async ({ context: { db }, params: { id } }) => {
      const { number } = orNotFound(await readOrderHead(db, id, false));
      return { details: { number } };
    },
  },
  ...actsOf('order', ORDER_TOWN_ROWS, orderAct),
  ...actsOf('delivery', DELIVERY_TOWN_ROWS, deliveryAct),
};
