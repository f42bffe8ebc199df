import { sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../../server/db/database.ts';
import { findAuditProblems } from '../../server/payments/audit.sql.ts';

type SquarePayment = {
  id: string;
  status: string;
  reference_id?: string;
  total_money: { amount: number };
  refunded_money?: { amount: number };
};

/** Every payment in the card network's own books. */
export async function listCardNetworkPayments(squareUrl: string): Promise<SquarePayment[]> {
  const all: SquarePayment[] = [];
  let cursor = '';
  do {
    const answer = await fetch(
      `${squareUrl}/v2/payments?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      {
        headers: { authorization: 'Bearer any' },
      },
    );
    const page = (await answer.json()) as { payments?: SquarePayment[]; cursor?: string };
    all.push(...(page.payments ?? []));
    cursor = page.cursor ?? '';
  } while (cursor !== '');
  return all;
}

type OrderRow = { id: string; status: string; total: number; instructions: string; state: string; refunded: number };

const ACCEPTED = ['Accepted', 'In_Progress', 'Completed'];

/** What is wrong after the dust has settled: our books against the card network's, order by order and cent by cent. */
export async function audit(db: Tx, squareUrl: string): Promise<string[]> {
  const faults = (await findAuditProblems(db)).map(({ check, what }) => `${check}: ${what}`);
  const orders = await queryRows<OrderRow>(
    db,
    sql`select o.id, o.status, o.total_price as total, o.instructions, p.state, p.refunded
      from orders o join payments p on p.order_id = o.id`,
  );
  const payments = await listCardNetworkPayments(squareUrl);
  const byOrder = Map.groupBy(payments, (payment) => payment.reference_id ?? 'none');
  for (const order of orders) {
    const captured = (byOrder.get(order.id) ?? []).filter(({ status }) => status === 'COMPLETED');
    const wanted = ACCEPTED.includes(order.status) && order.state !== 'stuck' ? 1 : 0;
    if (captured.length !== wanted && !(order.state === 'stuck' && captured.length <= 1)) {
      faults.push(`order ${order.id} is ${order.status} (${order.state}) and was captured ${captured.length} times`);
    }
    for (const { total_money, refunded_money } of captured) {
      if (total_money.amount !== order.total) faults.push(`order ${order.id}: ${total_money.amount} cents captured`);
      if ((refunded_money?.amount ?? 0) !== order.refunded) faults.push(`order ${order.id}: refunds differ`);
    }
  }
  const known = new Set(orders.map(({ id }) => id));
  for (const { id, status, reference_id = '' } of payments) {
    if (status === 'APPROVED') faults.push(`payment ${id} of order ${reference_id} still holds money`);
    if (status === 'COMPLETED' && !known.has(reference_id)) faults.push(`payment ${id} was captured without an order`);
  }
  for (const [wish, same] of Map.groupBy(orders, ({ instructions }) => instructions)) {
    if (same.length > 1) faults.push(`one wish became ${same.length} orders: ${wish}`);
  }
  const taken = payments.reduce((sum, { status, total_money, refunded_money }) => {
    return status === 'COMPLETED' ? sum + total_money.amount - (refunded_money?.amount ?? 0) : sum;
  }, 0);
  const cleared = await queryRow<{ cents: number }>(
    db,
    sql`select coalesce(sum(amount), 0)::float8 as cents from ledger_lines where account = 'card-clearing'`,
  );
  if (cleared?.cents !== taken) faults.push(`the card network took ${taken} cents, the ledger says ${cleared?.cents}`);
  return faults;
}
