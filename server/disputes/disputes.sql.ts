import { sql } from 'kysely';
import { DISPUTE_POLL_MS, type DisputeStatus } from '../../domain/disputes.ts';
import { DISPUTE_TIMER_ROWS, type DisputeColumns } from '../../domain/process/dispute.ts';
import type { Tx } from '../db/database.ts';
import type { PageBounds } from '../db/pages.ts';
import { startTimers, timersOf } from '../jobs/timers.sql.ts';
import type { CardNetworkDispute } from '../payments/card/cards.ts';
import { addMs, LEASE_MS } from '../payments/earnings/disputeMoney.ts';

const COLUMNS = [
  'd.id',
  'd.square_id as squareId',
  'd.order_id as orderId',
  'd.cents',
  'd.reason',
  'd.network_state as networkState',
  'd.network_version as networkVersion',
  'd.status',
  'd.due_at as dueAt',
  'd.seen_at as seenAt',
  'd.evidence',
  'd.prepared_at as preparedAt',
  'd.prepared_by as preparedBy',
  'd.call',
  'd.tries',
  'd.failure',
  'd.liable_account as liableAccount',
  'd.liable_user as liableUser',
  'd.sent_at as sentAt',
  'd.ended_at as endedAt',
  'd.debit_entry as debitEntry',
] as const;

export type DisputeRow = NonNullable<Awaited<ReturnType<typeof findDispute>>>;

const selectDisputes = (tx: Tx) =>
  tx
    .selectFrom('disputes as d')
    .innerJoin('orders as o', 'o.id', 'd.order_id')
    .select([...COLUMNS, 'o.number as orderNumber']);

export function findDispute(tx: Tx, id: string) {
  return selectDisputes(tx).where('d.id', '=', id).executeTakeFirst();
}

/** Locks a chargeback. Its order is locked before, as the steps of orders do. */
export async function lockDispute(tx: Tx, id: string): Promise<DisputeRow | undefined> {
  const known = await findDispute(tx, id);
  if (known) await lockOrderOfDispute(tx, known.orderId);
  return selectDisputes(tx).where('d.id', '=', id).forUpdate('d').executeTakeFirst();
}

export async function lockOrderOfDispute(tx: Tx, orderId: string): Promise<void> {
  await tx.selectFrom('orders').select('id').where('id', '=', orderId).forNoKeyUpdate().execute();
}

export async function findOrderOfDispute(tx: Tx, squareId: string): Promise<string | undefined> {
  const query = tx.selectFrom('disputes').select('order_id').where('square_id', '=', squareId);
  return (await query.executeTakeFirst())?.order_id;
}

export function lockDisputeOf(tx: Tx, squareId: string): Promise<DisputeRow | undefined> {
  return selectDisputes(tx).where('d.square_id', '=', squareId).forUpdate('d').executeTakeFirst();
}

export async function insertDispute(
  tx: Tx,
  { id, orderId, status, found }: { id: string; orderId: string; status: DisputeStatus; found: CardNetworkDispute },
  at: Date,
): Promise<void> {
  const { squareId: square_id, amount: cents, reason, dueAt: due_at } = found;
  const network = { network_state: found.state, network_version: found.version };
  await tx
    .insertInto('disputes')
    .values({ id, square_id, order_id: orderId, cents, reason, ...network, status, due_at, seen_at: at })
    .execute();
}

/** The town is warned some time before the bank stops waiting. */
export async function startWarning(tx: Tx, id: string, dueAt: Date): Promise<void> {
  const rows = DISPUTE_TIMER_ROWS.slice(0, 1);
  await startTimers(tx, 'dispute', { id, step: 0 }, timersOf(rows, dueAt));
}

export async function updateFound(tx: Tx, id: string, found: CardNetworkDispute): Promise<void> {
  const { state: network_state, version: network_version, dueAt: due_at } = found;
  await tx.updateTable('disputes').set({ network_state, network_version, due_at }).where('id', '=', id).execute();
}

export async function hasRunningDispute(tx: Tx, orderId: string): Promise<boolean> {
  const query = tx.selectFrom('disputes').select('id').where('order_id', '=', orderId).where('ended_at', 'is', null);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

export async function markDebited(tx: Tx, id: string, entry: string): Promise<void> {
  await tx.updateTable('disputes').set({ debit_entry: entry }).where('id', '=', id).execute();
}

const NO_CALL = { call: null, call_due_at: null, tries: 0, failure: null } as const;

/** Moves a chargeback, and sets the columns of its row. The caller has locked it. */
export async function moveDispute(
  tx: Tx,
  id: string,
  { to, sets, endsCall }: { to: DisputeStatus; sets: Partial<DisputeColumns>; endsCall: boolean },
): Promise<void> {
  const { sentAt, endedAt, bearer } = sets;
  await tx
    .updateTable('disputes')
    .set({
      status: to,
      ...(sentAt ? { sent_at: sentAt } : {}),
      ...(endedAt ? { ended_at: endedAt } : {}),
      ...(bearer === null ? { liable_account: null, liable_user: null } : {}),
      ...(endsCall ? NO_CALL : {}),
    })
    .where('id', '=', id)
    .execute();
}

export async function markSettled(tx: Tx, id: string, entry: string): Promise<void> {
  await tx.updateTable('disputes').set({ end_entry: entry }).where('id', '=', id).execute();
}

/** Keeps what is sent to the bank. */
export async function savePrepared(
  tx: Tx,
  id: string,
  { evidence, by }: { evidence: string[]; by: string },
  at: Date,
): Promise<void> {
  await tx.updateTable('disputes').set({ evidence, prepared_at: at, prepared_by: by }).where('id', '=', id).execute();
}

/** Writes down what the card network is to be told. */
export async function saveCall(
  tx: Tx,
  id: string,
  { call, bearer }: { call: 'send' | 'accept'; bearer: { account: 'scrub' | 'duber'; userId: string } | null },
  at: Date,
): Promise<void> {
  const liable = { liable_account: bearer?.account ?? null, liable_user: bearer?.userId ?? null };
  await tx
    .updateTable('disputes')
    .set({ ...NO_CALL, call, call_due_at: at, ...liable })
    .where('id', '=', id)
    .execute();
}

/** Leases the call that is due longest. */
export async function takeDueCall(tx: Tx, now: Date): Promise<DisputeRow | undefined> {
  const taken = await tx
    .updateTable('disputes')
    .set((eb) => ({ call_due_at: addMs(now, LEASE_MS), tries: eb('tries', '+', 1) }))
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('disputes')
        .select('id')
        .where('call', 'is not', null)
        .where('call_due_at', '<=', now)
        .orderBy('call_due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .executeTakeFirst();
  return taken && findDispute(tx, taken.id);
}

/** The card network did not answer. */
export async function postponeCall(tx: Tx, id: string, dueAt: Date, failure: string): Promise<void> {
  await tx
    .updateTable('disputes')
    .set({ call_due_at: dueAt, failure })
    .where('id', '=', id)
    .where('call', 'is not', null)
    .execute();
}

/** The card network has refused: the operators decide again. */
export async function dropCall(tx: Tx, id: string, failure: string): Promise<void> {
  await tx
    .updateTable('disputes')
    .set({ ...NO_CALL, failure, liable_account: null, liable_user: null })
    .where('id', '=', id)
    .where('call', 'is not', null)
    .execute();
}

/** Leases the poll when it is due. */
export async function takePoll(tx: Tx, now: Date): Promise<Date | undefined> {
  const leasedUntil = addMs(now, LEASE_MS);
  const { numUpdatedRows } = await tx
    .updateTable('dispute_polls')
    .set({ due_at: leasedUntil })
    .where('due_at', '<=', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? leasedUntil : undefined;
}

/** Unless it was made due again meanwhile. */
export async function finishPoll(tx: Tx, leasedUntil: Date, now: Date): Promise<void> {
  const next = addMs(now, DISPUTE_POLL_MS);
  await sql`update dispute_polls set due_at = ${next} where due_at = ${leasedUntil}`.execute(tx);
}

/** Open ones by when the bank wants an answer; ended ones, newest first. */
export function listDisputeRows(tx: Tx, isOpen: boolean, { limit, offset }: PageBounds) {
  const all = selectDisputes(tx);
  const wanted = isOpen
    ? all.where('d.ended_at', 'is', null).orderBy('d.due_at').orderBy('d.id')
    : all.where('d.ended_at', 'is not', null).orderBy('d.ended_at', 'desc').orderBy('d.id');
  return wanted.limit(limit).offset(offset).execute();
}
