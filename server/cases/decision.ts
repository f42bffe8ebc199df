import { sql } from 'kysely';
import {
  centsMoreOf,
  type DecisionPlan,
  type ItemDecision,
  namedDelivery,
  planDecision,
} from '../../domain/decisions.ts';
import type { Tx } from '../db/database.ts';
import { lockPayment } from '../payments/earnings/earnings.ts';
import { lockRefundableCents, readClaimCaps } from '../payments/refunds/refunds.ts';
import { findBearer, forgiveShares, refundShares } from './caseMoney.ts';
import { addCasePeople } from './caseSteps.sql.ts';
import { type CaseRow, listCarriers, listItems, listLiable, lockRefundsOf } from './cases.sql.ts';

/** Why the town cannot take a step. The transaction is rolled back. */
export class DecisionProblem extends Error {}

/** How a decision would be carried out, or why the town cannot decide so. Locks what it reads. */
export async function readDecision(
  tx: Tx,
  row: CaseRow,
  items: readonly ItemDecision[],
  at: Date,
): Promise<DecisionPlan> {
  const { id, kind, orderId, givenCents } = row;
  // Before the refunds, as everybody does: otherwise this and the worker that makes a refund could wait for each other.
  if (orderId !== null) await lockPayment(tx, orderId);
  await lockRefundsOf(tx, id);
  const borne = await listLiable(tx, id);
  const cents = centsMoreOf('duber', items, borne);
  const isUnnamed = cents > 0 && namedDelivery(items) === undefined;
  return planDecision(items, {
    ...{ kind, givenCents, borne, isAboutOrder: orderId !== null },
    items: (await listItems(tx, id)).map(({ n }) => n),
    caps: await readClaimCaps(tx, at),
    refundable: orderId === null ? undefined : await lockRefundableCents(tx, orderId),
    carriers: await listCarriers(tx, orderId),
    unnamedDuber: isUnnamed ? await findBearer(tx, row, { liable: 'duber', cents }) : undefined,
  });
}

/** Writes the items, makes the refunds, and moves what a side no longer bears to the platform. */
export async function carryOutDecision(
  tx: Tx,
  row: CaseRow,
  items: readonly ItemDecision[],
  { missing, forgiven }: Extract<DecisionPlan, { ok: true }>,
  at: Date,
): Promise<void> {
  await writeItems(tx, row, items);
  await forgiveShares(tx, at, row, forgiven);
  const why = await refundShares(tx, at, row, missing);
  if (why !== undefined) throw new DecisionProblem(why);
  await addBearers(tx, row.id);
}

/** Who bears something is one of the people of the case: they are notified, read it, and can contest it. */
async function addBearers(tx: Tx, caseId: string): Promise<void> {
  const bearers = (await listLiable(tx, caseId)).flatMap(({ userId }) => userId ?? []);
  if (bearers.length > 0) await addCasePeople(tx, caseId, bearers);
}

async function writeItems(tx: Tx, row: CaseRow, items: readonly ItemDecision[]): Promise<void> {
  await tx.updateTable('claim_items').set({ decided: 0, liable: 'platform' }).where('case_id', '=', row.id).execute();
  for (const { n, cents, liable } of items) {
    await tx
      .updateTable('claim_items')
      .set({ decided: cents, liable })
      .where(sql<boolean>`case_id = ${row.id} and n = ${n}`)
      .execute();
  }
}
