import { type DisputeAction, disputeStatusAfter } from '../../domain/disputes.ts';
import type { LiableParty } from '../../domain/ledger.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { DisputeBearer } from '../payments/earnings/disputeMoney.ts';
import { type DisputeRow, lockDispute, saveCall, savePrepared } from './disputes.sql.ts';
import { findBearer } from './evidence.sql.ts';
import { renderEvidence } from './evidence.ts';

export { type DisputeRow, findDispute, listDisputeRows } from './disputes.sql.ts';
export { renderEvidence } from './evidence.ts';

type Inside = Pick<Context, 'db' | 'now' | 'wake'>;

/** A chargeback at which a step can be taken now. It stays locked until the transaction ends. */
export async function lockForStep(tx: Tx, id: string, action: DisputeAction): Promise<DisputeRow> {
  const dispute = orNotFound(await lockDispute(tx, id));
  if (dispute.call !== null) refuse('wrongStatus', { message: 'The card network is being told already' });
  if (!disputeStatusAfter(action, dispute.status))
    refuse('wrongStatus', { message: `This chargeback is ${dispute.status}` });
  return dispute;
}

/** Keeps the evidence as it stands now. */
export async function prepareEvidence({ db, now }: Inside, id: string, by: string): Promise<number> {
  const { orderId } = await lockForStep(db, id, 'prepare');
  const evidence = await renderEvidence(db, orderId);
  await savePrepared(db, id, { evidence, by }, now());
  return evidence.length;
}

/** Records that the evidence must be sent. A worker sends it. */
export async function decideToSend({ db, now, wake }: Inside, id: string): Promise<void> {
  await lockForStep(db, id, 'send');
  await saveCall(db, id, { call: 'send', bearer: null }, now());
  wake('payments');
}

/** Records that the chargeback is accepted, and who bears it. A worker sends it. */
export async function decideToAccept({ db, now, wake }: Inside, id: string, bearer: DisputeBearer): Promise<void> {
  await lockForStep(db, id, 'accept');
  await saveCall(db, id, { call: 'accept', bearer }, now());
  wake('payments');
}

/** The person of a liable side; null for the platform. */
export async function findDisputeBearer(
  tx: Tx,
  orderId: string,
  { liable, personId }: { liable: LiableParty; personId: string | undefined },
): Promise<DisputeBearer> {
  if (liable === 'platform') return null;
  const userId = await findBearer(tx, orderId, { account: liable, personId });
  if (userId === undefined) refuseProperty('personId', 'isPerson', 'Say which person of the order bears it');
  return { account: liable, userId };
}
