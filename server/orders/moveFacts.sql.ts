import { sql } from 'kysely';
import { judgeMove, type OrderTimes, type WindowMove } from '../../domain/moves.ts';
import type { WindowPlan } from '../../domain/windows.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { openingSql, type StoredOpening, toOpening } from '../town/opening.sql.ts';
import { settingSql } from '../town/settings.sql.ts';
import { findProposal, type Proposal, windowOf } from './proposals.sql.ts';

/** The windows of an order, and what it pays for their speed; undefined for as soon as possible. */
export function timesOf({ pickupFrom, pickupUntil, returnFrom, returnUntil, turnaround }: OrderRow) {
  const [pickup, back] = [windowOf(pickupFrom, pickupUntil), windowOf(returnFrom, returnUntil)];
  return pickup && back && turnaround ? ({ pickup, return: back, turnaround } satisfies OrderTimes) : undefined;
}

type MoveRequest = {
  readonly action: string;
  readonly pickupFrom?: string | undefined;
  readonly returnFrom?: string | undefined;
  readonly proposalId?: string | undefined;
};

/** The open proposal of an order, and what the windows mean that the request asks for, or that were proposed. */
export async function readMove(
  tx: Tx,
  order: OrderRow,
  { action, pickupFrom, returnFrom, proposalId }: MoveRequest,
  now: Date,
): Promise<{ readonly proposal: Proposal | undefined; readonly move: WindowMove | undefined }> {
  const times = timesOf(order);
  if (!times) return { proposal: undefined, move: undefined };
  const open = await findProposal(tx, order.id);
  // Who answers has read one proposal, and not the next one.
  const proposal = proposalId === undefined || open?.id === proposalId ? open : undefined;
  const asked =
    returnFrom === undefined ? undefined : { pickupFrom: dateOf(pickupFrom), returnFrom: new Date(returnFrom) };
  const proposed = proposal && { ...proposal, pickupFrom: proposal.pickupFrom ?? undefined };
  const wanted = action === 'accept-window' ? proposed : asked;
  return { proposal, move: wanted && judgeMove(times, wanted, await readWindowRules(tx, now), now) };
}

const dateOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time));

/** What decides which windows are offered now. */
export async function readWindowRules(tx: Tx, now: Date) {
  const at = sql`${now}`;
  const row = await queryRow<{ plan: WindowPlan | null; opening: StoredOpening }>(
    tx,
    sql`select ${settingSql('windows', at)} as plan, ${openingSql(at)} as opening`,
  );
  if (!row) throw new Error('a select without a from clause returned no row');
  return { plan: row.plan, closed: toOpening(row.opening) };
}
