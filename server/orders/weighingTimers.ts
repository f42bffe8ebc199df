import type { OrderStep } from '../../contract/orders.ts';
import { openCase } from '../cases/openCase.ts';
import type { Tx } from '../db/database.ts';
import { publishOrderUpdate } from '../events/publish.ts';
import { orNotFound } from '../http/refusals.ts';
import { queueOrderNotifications } from '../notifications/queueNotifications.sql.ts';
import { chargeEstimate } from '../payments/weighedPayments.ts';
import { endCorrection } from './corrections.ts';
import { readLegs } from './orderFacts.sql.ts';
import { lockOrder } from './orders.sql.ts';
import { readWeighedLaundry } from './weighingView.ts';

// The timers for a missing answer and a missing weight. The order is locked.

/** The Bud has not answered: the Scrub washes what fits the ceiling, if they agreed to that; otherwise everything goes back. */
export async function expireCorrection(tx: Tx, step: OrderStep, at: Date): Promise<void> {
  const order = orNotFound(await lockOrder(tx, { role: 'Operator', id: null }, step.orderId));
  const laundry = await readWeighedLaundry(tx, order, await readLegs(tx, order.id), at);
  await endCorrection(tx, laundry, { answer: laundry.facts.splits ? 'keep' : 'send-back', by: 'System' }, at);
  await openCase(tx, { kind: 'weighing', orderId: order.id, reason: 'unanswered' }, at);
  await queueOrderNotifications(tx, { kind: 'weigh-answered', about: order.id }, at);
  await publishOrderUpdate(tx, step);
}

/** Nobody has weighed the laundry, and the hold would end soon: the estimate is charged. */
export async function chargeUnweighed(tx: Tx, step: OrderStep, at: Date): Promise<void> {
  await chargeEstimate(tx, step.orderId, at);
  await publishOrderUpdate(tx, step);
}
