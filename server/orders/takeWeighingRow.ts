import type { OrderSize } from '../../domain/orders.ts';
import { capLines, type PriceLine, totalOfLines } from '../../domain/prices.ts';
import { linesOfSize, type WeighingRow } from '../../domain/process/weighing.ts';
import { decidingWeight, formatPounds } from '../../domain/weighing.ts';
import { openCase } from '../cases/openCase.ts';
import type { Tx } from '../db/database.ts';
import { publishOrderUpdate } from '../events/publish.ts';
import { orNotFound } from '../http/refusals.ts';
import { captureFinalPrice, chargeEstimate, lockWeighedPayment } from '../payments/weighedPayments.ts';
import { moveOrder } from './orderSteps.sql.ts';
import type { OrderTaker } from './orders.sql.ts';
import { keepTimers } from './orderTimers.sql.ts';
import { insertCorrection, markAnswered, markContested, setSizeAndPrice } from './weighings.sql.ts';
import type { WeighedLaundry } from './weighingView.ts';

/** A row of weighing that somebody takes. */
export type WeighingStep = {
  readonly row: WeighingRow;
  readonly laundry: WeighedLaundry;
  readonly by: Extract<OrderTaker, { role: 'Bud' | 'Scrub' | 'System' }>;
  readonly words?: string | undefined;
  /** What the Scrub says of the laundry with `weigh`. */
  readonly weighed?: { readonly grams: number; readonly splits: boolean };
};

/** Writes the step of a row of weighing, and all that it causes. Lock the order before, in the same transaction. */
export async function takeWeighingRow(tx: Tx, taken: WeighingStep, at: Date): Promise<void> {
  const { row, laundry, by, words } = taken;
  const { order } = laundry;
  const { action, from, to, notifies } = row;
  const step = orNotFound(await moveOrder(tx, by, { id: order.id, action, from, to, words }, at));
  // Before money is locked.
  if (row.comparesScales) await compareScales(tx, taken, at);
  if (row.contests) await markContested(tx, order.id, at);
  await correctPrice(tx, taken, at);
  if (row.answers)
    await markAnswered(tx, order.id, { state: row.answers, by: by.role === 'Bud' ? 'Bud' : 'System' }, at);
  if (row.charges) await chargePrice(tx, order.id, row.charges(laundry), at);
  if (row.chargesEstimate) await chargeEstimate(tx, order.id, at);
  if (row.opens) {
    const said = by.role === 'System' ? {} : { by, words };
    await openCase(tx, { kind: row.opens.case, orderId: order.id, reason: row.opens.reason, ...said }, at);
  }
  await publishOrderUpdate(tx, step, { notifies });
  await keepTimers(tx, order.id, at);
}

export const duberGramsOf = ({ weights }: Pick<WeighedLaundry, 'weights'>): number | undefined =>
  weights.find(({ scale }) => scale === 'duber')?.grams;

async function compareScales(tx: Tx, { laundry, weighed }: WeighingStep, at: Date): Promise<void> {
  const duber = duberGramsOf(laundry);
  if (!weighed || duber === undefined || !decidingWeight({ scrub: weighed.grams, duber }).doScalesDisagree) return;
  const words = `The Scrub's scale says ${formatPounds(weighed.grams)}, the Duber's ${formatPounds(duber)}. The lower weight counts.`;
  await openCase(tx, { kind: 'scales', orderId: laundry.order.id, words }, at);
}

/** Keeps what the order cost before, and what the size of its weight costs. */
async function correctPrice(tx: Tx, { row, laundry, weighed }: WeighingStep, at: Date): Promise<void> {
  if (!row.corrects || !weighed) return;
  const { order, size: fromSize, toSize } = laundry;
  const toCents = toSize === null ? null : totalOfLines(linesOfSize(toSize, laundry));
  const from = { fromSize, fromCents: order.totalPrice, splits: weighed.splits };
  await insertCorrection(tx, order.id, { ...from, toSize, toCents, state: row.corrects }, at);
}

/** The order has this price from now on, which its card is charged. It never costs more than what is held for it. */
async function chargePrice(
  tx: Tx,
  orderId: string,
  { size, lines }: { readonly size: OrderSize; readonly lines: readonly PriceLine[] },
  at: Date,
): Promise<void> {
  const payment = orNotFound(await lockWeighedPayment(tx, orderId));
  const charged = capLines(lines, payment.atMost);
  await setSizeAndPrice(tx, orderId, size, charged);
  await captureFinalPrice(tx, { orderId, payment, amount: totalOfLines(charged) }, at);
}
