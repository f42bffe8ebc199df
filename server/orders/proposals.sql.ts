import type { BudId } from '../../domain/accounts.ts';
import { type OrderWindows, windowOf } from '../../domain/windows.ts';
import { orderNumber } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';

/** The proposal of an order that its Bud has not answered: at most one. Lock the order before. */
export function findProposal(tx: Tx, orderId: string) {
  return tx
    .selectFrom('proposals')
    .select(['id', 'by_role as by', 'pickup_from as pickupFrom', 'return_from as returnFrom'])
    .where('order_id', '=', orderId)
    .where('answer', 'is', null)
    .executeTakeFirst();
}
export type Proposal = NonNullable<Awaited<ReturnType<typeof findProposal>>>;

type NewProposal = {
  readonly id: string;
  readonly orderId: string;
  /** Without a pickup, the return alone would move. */
  readonly windows: Pick<OrderWindows, 'return'> & { readonly pickup: OrderWindows['pickup'] | undefined };
  readonly by: { readonly role: 'Scrub' | 'Operator'; readonly id: string | null };
  readonly reason: string;
  readonly words: string | undefined;
  readonly answerBy: Date;
};

export async function insertProposal(tx: Tx, proposal: NewProposal, at: Date) {
  const { id, orderId, windows, by, reason, words, answerBy } = proposal;
  const { pickup, return: back } = windows;
  await tx
    .insertInto('proposals')
    .values({
      ...{ id, order_id: orderId, by_role: by.role, by_id: by.id, reason, words: words ?? null },
      ...{ made_at: at, answer_by: answerBy },
      ...{ pickup_from: pickup?.from ?? null, pickup_until: pickup?.until ?? null },
      ...{ return_from: back.from, return_until: back.until },
    })
    .execute();
}

/** Ends the open proposal of an order, if there is one. `withdrawn`: what it was about has changed. */
export async function endProposal(
  tx: Tx,
  orderId: string,
  answer: 'yes' | 'no' | 'withdrawn' | 'expired',
  at: Date,
): Promise<void> {
  await tx
    .updateTable('proposals')
    .set({ answer, answered_at: at })
    .where('order_id', '=', orderId)
    .where('answer', 'is', null)
    .execute();
}

/** A proposal as the page behind the link of its mail shows it. */
export async function readProposalOfMail(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('proposals as p')
    .innerJoin('orders as o', 'o.id', 'p.order_id')
    .innerJoin('users as scrub', 'scrub.id', 'o.scrub_id')
    .select(['p.order_id as orderId', 'o.bud_id as budId', 'p.by_role as by', 'p.reason', 'p.words', 'p.answer'])
    .select([orderNumber.as('order'), 'scrub.fullname as scrubName'])
    .select(['p.pickup_from', 'p.pickup_until', 'p.return_from', 'p.return_until'])
    .select(['o.pickup_from as oldPickupFrom', 'o.pickup_until as oldPickupUntil'])
    .select(['o.return_from as oldReturnFrom', 'o.return_until as oldReturnUntil'])
    .where('p.id', '=', id)
    .executeTakeFirst();
  const pickup = row && windowOf(row.oldPickupFrom, row.oldPickupUntil);
  const back = row && windowOf(row.oldReturnFrom, row.oldReturnUntil);
  if (!pickup || !back) return undefined;
  const { orderId, budId, by, reason, words, answer, order, scrubName } = row;
  return {
    ...{ orderId, budId: budId as BudId, by, reason, words, answer, order, scrubName },
    pickup: windowOf(row.pickup_from, row.pickup_until) ?? null,
    return: { from: row.return_from, until: row.return_until },
    agreed: { pickup, return: back },
  };
}
