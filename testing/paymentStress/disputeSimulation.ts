import { sql } from 'kysely';
import type { Context } from '../../server/context.ts';
import { queryRows } from '../../server/db/database.ts';
import { runDisputeJobs } from '../../server/disputes/disputeCalls.ts';
import { makePollDue } from '../../server/payments/earnings/disputeMoney.ts';
import { chooseWeighted, type Random } from '../random.ts';

const MAX_DISPUTES = 40;

/** Cardholders contest some payments, and their banks decide about most of them. Two workers read it at the same time. */
export async function contestPayments(context: Context, squareUrl: string, random: Random): Promise<void> {
  const payments = await queryRows<{ squareId: string }>(
    context.db,
    sql`select p.square_id as "squareId" from payments p where p.state = 'captured' and p.refunded < p.amount
        and not exists (select from refunds r where r.order_id = p.order_id and r.state <> 'refunded')
      order by p.order_id limit ${MAX_DISPUTES}`,
  );
  const readTwice = async () => {
    await makePollDue(context.db, context.now());
    await Promise.all([runDisputeJobs(context), runDisputeJobs(context)]);
  };
  const contested: string[] = [];
  for (const { squareId } of payments) {
    const { dispute } = await post(`${squareUrl}/disputes`, { payment_id: squareId });
    contested.push(dispute.id);
  }
  await readTwice();
  for (const id of contested) {
    const state = chooseWeighted(random, { WON: 4, LOST: 4, none: 2 });
    if (state !== 'none') await post(`${squareUrl}/disputes/${id}`, { state });
  }
  await readTwice();
}

async function post(url: string, body: object): Promise<{ dispute: { id: string } }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { dispute: { id: string } };
}
