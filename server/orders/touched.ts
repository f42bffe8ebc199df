import { findNextWindows, MAX_TOUCHED, type TouchedChoice } from '../../domain/moves.ts';
import type { TimeWindow } from '../../domain/windows.ts';
import type { Context } from '../context.ts';
import { refuse } from '../http/refusals.ts';
import { readIsFull, readWindowRules } from './moveFacts.sql.ts';
import { takeOrderStep } from './steps.ts';
import { listTouchedOrders, type TouchedOrder, touchedOf } from './touched.sql.ts';

export { listTouchedOrders, type TouchedOrder } from './touched.sql.ts';

type Settling = {
  /** The account of the operator. */
  readonly accountId: string | null;
  /** When nobody comes. It is stored already, so its windows are no longer offered. */
  readonly span: TimeWindow;
  readonly choice: TouchedChoice | undefined;
  /** What the people of the orders read. */
  readonly words: string;
};

/**
 * Carries out what operators choose for the orders with a window in a time at which nobody comes, in the transaction of the act. Refuses
 * without a choice, so that no order is kept or dropped in silence. An order whose laundry has left its Bud is not cancelled here: it is
 * offered another time. Returns what became of each.
 */
export async function settleTouchedOrders(
  context: Pick<Context, 'db' | 'now' | 'wake'>,
  settling: Settling,
): Promise<string[]> {
  const { db, now } = context;
  const { choice, span } = settling;
  const touched = await listTouchedOrders(db, span, MAX_TOUCHED + 1);
  if (touched.length === 0) return [];
  if (touched.length > MAX_TOUCHED)
    return refuse('ordersTouched', {
      message: `More than ${MAX_TOUCHED} orders have a window then. Choose a shorter time`,
    });
  if (choice === undefined) return refuse('ordersTouched', { message: messageOf(touched) });
  const rules = await readWindowRules(db, now());
  const done: string[] = [];
  for (const order of touched) {
    const does = choice === 'cancel' && !order.isAtBud ? 'offer' : choice;
    if (does === 'cancel') await cancel(context, settling, order);
    if (does === 'offer') await offer(context, settling, order, rules);
    done.push(`${order.number}: ${does}`);
  }
  return done;
}

function messageOf(touched: readonly TouchedOrder[]): string {
  const [first] = touched;
  const who = touched.length === 1 ? `${first?.number} has` : `${touched.length} orders have`;
  return `${who} a window then. Say what becomes of ${touched.length === 1 ? 'it' : 'them'}`;
}

type Deciding = Pick<Context, 'db' | 'now' | 'wake'>;

const cancel = (context: Deciding, { accountId, words }: Settling, { id }: TouchedOrder) =>
  takeOrderStep(
    context,
    { role: 'Operator', id: accountId },
    { id, action: 'cancel-by-operator', reason: 'nobody-can', words },
  );

/** Asks the Bud whether the next windows suit them that are offered and have a place. */
async function offer(
  context: Deciding,
  { accountId, words }: Settling,
  order: TouchedOrder,
  rules: Awaited<ReturnType<typeof readWindowRules>>,
): Promise<void> {
  const { db, now } = context;
  const { id, number } = order;
  const current = {
    pickup: { from: order.pickupFrom, until: order.pickupUntil },
    return: { from: order.returnFrom, until: order.returnUntil },
  };
  const isFull = await readIsFull(db, id, rules, now());
  const next = findNextWindows(current, touchedOf(order), rules, isFull, now());
  if (!next) return refuse('windowGone', { message: `There is no other window for ${number}. Choose something else` });
  const returnFrom = next.return.from.toISOString();
  const pickupFrom = touchedOf(order).pickup ? { pickupFrom: next.pickup.from.toISOString() } : {};
  const request = { id, action: 'propose-window', reason: 'other', words, returnFrom, ...pickupFrom } as const;
  await takeOrderStep(context, { role: 'Operator', id: accountId }, request);
}
