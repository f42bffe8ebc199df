import { v7 as newId } from 'uuid';
import type { AuditSubject } from '../../contract/operator/call.ts';
import type { Cents } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import { platformShareOf } from '../payments/earnings/openWays.ts';
import {
  findOrderOfSubject,
  type GivenOfOrder,
  listGiven,
  listOpenWays,
  readLastEntry,
  readPromisedWayBack,
  type WrittenSince,
} from './movedMoney.sql.ts';

// What an act moves is read from what its transaction has written, so that no act has to say it, and none can forget it.

/** How things were before an act. */
export type BeforeAct = WrittenSince & { readonly promised: Cents };

export async function readBeforeAct(
  tx: Tx,
  subject: { subjectKind: AuditSubject; subjectId: string | null },
): Promise<BeforeAct> {
  const orderId = await findOrderOfSubject(tx, subject);
  return { orderId, entry: await readLastEntry(tx), id: newId(), promised: await sumPromised(tx, orderId) };
}

export type MovedMoney = {
  readonly cents: Cents;
  readonly ofOrders: readonly GivenOfOrder[];
  /** The order that the act is about. */
  readonly orderId: string | undefined;
};

/** What went to a card, to a Scrub or to a Duber since `before`, and what the platform will pay that it would not have paid. */
export async function readMovedMoney(tx: Tx, before: BeforeAct): Promise<MovedMoney> {
  const promised = Math.max(0, (await sumPromised(tx, before.orderId)) - before.promised);
  const given = await listGiven(tx, before);
  const ofOrders = given
    .map(({ orderId, cents }) => ({ orderId, cents: cents + (orderId === before.orderId ? promised : 0) }))
    .filter(({ cents }) => cents > 0);
  return { cents: ofOrders.reduce((sum, { cents }) => sum + cents, 0), ofOrders, orderId: before.orderId };
}

/** What the platform will pay for the ways of an order that are open, or that it has promised. */
async function sumPromised(tx: Tx, orderId: string | undefined): Promise<Cents> {
  if (orderId === undefined) return 0;
  let cents = await readPromisedWayBack(tx, orderId);
  for (const way of await listOpenWays(tx, orderId)) cents += await platformShareOf(tx, way);
  return cents;
}
