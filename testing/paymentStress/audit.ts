import { sql } from 'kysely';
import type { Tx } from '../../server/db/database.ts';
import { findAuditProblems } from '../../server/payments/ledger/audit.sql.ts';

type SquarePayment = {
  id: string;
  status: string;
  reference_id?: string;
  total_money: { amount: number };
  refunded_money?: { amount: number };
  processing_fee?: { amount_money: { amount: number } }[];
};

const isCaptured = ({ status }: SquarePayment) => status === 'COMPLETED';

/** What the card network has for us of a payment: what was captured, less what went back. It keeps its fee. */
const balanceOf = (payment: SquarePayment): number =>
  isCaptured(payment) ? payment.total_money.amount - (payment.refunded_money?.amount ?? 0) : 0;

const feeOf = (payment: SquarePayment): number =>
  isCaptured(payment)
    ? (payment.processing_fee ?? []).reduce((sum, { amount_money }) => sum + amount_money.amount, 0)
    : 0;

/** Every payment that the card network has. */
async function listCardNetworkPayments(squareUrl: string): Promise<SquarePayment[]> {
  const payments: SquarePayment[] = [];
  let cursor = '';
  do {
    const response = await fetch(
      `${squareUrl}/v2/payments?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      {
        headers: { authorization: 'Bearer any' },
      },
    );
    const page = (await response.json()) as { payments?: SquarePayment[]; cursor?: string };
    payments.push(...(page.payments ?? []));
    cursor = page.cursor ?? '';
  } while (cursor !== '');
  return payments;
}

const ACCEPTED = ['Accepted', 'In_Progress', 'Completed'];

type SquareDispute = { amount_money: { amount: number }; state: string; disputed_payment: { payment_id: string } };

/** What cardholders have taken back at their banks, as far as we did not get it again. */
async function sumContested(squareUrl: string): Promise<number> {
  let [cents, cursor] = [0, ''];
  do {
    const query = cursor && `?cursor=${encodeURIComponent(cursor)}`;
    const response = await fetch(`${squareUrl}/v2/disputes${query}`, { headers: { authorization: 'Bearer any' } });
    const page = (await response.json()) as { disputes?: SquareDispute[]; cursor?: string };
    for (const { state, amount_money } of page.disputes ?? []) if (state !== 'WON') cents += amount_money.amount;
    cursor = page.cursor ?? '';
  } while (cursor !== '');
  return cents;
}

/**
 * Compares our ledger with the records of the card network, order by order and cent by cent, once nothing is due. Servers ask for fees minutes after
 * a capture: `knowsFees` is whether all of them were told by now. `mayHold`: laundry that nobody has weighed yet is not charged.
 */
export async function audit(db: Tx, squareUrl: string, { knowsFees = false, mayHold = false } = {}): Promise<string[]> {
  const problems = (await findAuditProblems(db)).map(({ check, what }) => `${check}: ${what}`);
  const orders = await db
    .selectFrom('orders as o')
    .innerJoin('payments as p', 'p.order_id', 'o.id')
    .select(['o.id', 'o.status', 'o.total_price as total', 'o.instructions as wish', 'p.state', 'p.refunded'])
    .select(['p.amount', 'p.reduced', 'p.held', 'p.card_fee'])
    .select(sql<number>`o.total_price - coalesce(o.discount, 0)`.as('onCard'))
    .execute();
  const payments = await listCardNetworkPayments(squareUrl);
  const byOrder = Map.groupBy(payments, (payment) => payment.reference_id ?? 'none');
  for (const order of orders) {
    const captured = (byOrder.get(order.id) ?? []).filter(({ status }) => status === 'COMPLETED');
    const isOnHold = mayHold && order.state === 'held';
    // An order that ended after its acceptance, by its Bud or by the next Scrub, was charged. What nobody earned was given back.
    const wasCharged = ['Cancelled', 'Rejected'].includes(order.status) && order.state === 'captured';
    // What goes home unwashed, without a Duber, costs nothing.
    const isCharged = ACCEPTED.includes(order.status) && order.state !== 'stuck' && !isOnHold && order.total > 0;
    const expected = isCharged || wasCharged || (order.held !== null && order.state === 'captured') ? 1 : 0;
    if (captured.length !== expected && !(order.state === 'stuck' && captured.length <= 1)) {
      problems.push(`order ${order.id} is ${order.status} (${order.state}) and was captured ${captured.length} times`);
    }
    const fee = captured.reduce((sum, payment) => sum + feeOf(payment), 0);
    const isFeeMissing = knowsFees && order.card_fee === null && fee > 0;
    if (isFeeMissing || (order.card_fee !== null && order.card_fee !== fee))
      problems.push(`order ${order.id}: the fee is ${fee} cents, and ${order.card_fee} here`);
    for (const { total_money, refunded_money } of captured) {
      // What an order costs that is weighed is less than what was charged before, or by a card whose hold cannot be lowered.
      const price = order.held === null ? order.onCard : order.amount;
      if (total_money.amount !== price) problems.push(`order ${order.id}: ${total_money.amount} cents captured`);
      const kept = total_money.amount - order.reduced;
      if (order.held !== null && ACCEPTED.includes(order.status) && kept !== order.onCard)
        problems.push(`order ${order.id} costs ${order.onCard} cents on its card, but ${kept} were kept`);
      if ((refunded_money?.amount ?? 0) !== order.refunded) problems.push(`order ${order.id}: refunds differ`);
    }
  }
  const known = new Set(orders.map(({ id }) => id));
  const onHold = new Set(orders.filter(({ state }) => mayHold && state === 'held').map(({ id }) => id));
  for (const { id, status, reference_id = '' } of payments) {
    if (status === 'APPROVED' && !onHold.has(reference_id))
      problems.push(`payment ${id} of order ${reference_id} still holds money`);
    if (status === 'COMPLETED' && !known.has(reference_id))
      problems.push(`payment ${id} was captured without an order`);
  }
  for (const [wish, duplicates] of Map.groupBy(orders, ({ wish }) => wish)) {
    if (duplicates.length > 1) problems.push(`${wish} was placed ${duplicates.length} times`);
  }
  const contested = await sumContested(squareUrl);
  const fees = orders.reduce((sum, { card_fee }) => sum + (card_fee ?? 0), 0);
  const received = payments.reduce((sum, payment) => sum + balanceOf(payment), -contested - fees);
  const { cents } = await db
    .selectFrom('ledger_lines')
    .where('account', '=', 'card-clearing')
    .select(sql<number>`coalesce(sum(amount), 0)::float8`.as('cents'))
    .executeTakeFirstOrThrow();
  if (cents !== received) problems.push(`the card network received ${received} cents, the ledger says ${cents}`);
  return problems;
}
