import type { Role } from '../../domain/accounts.ts';
import { openCase } from '../cases/openCase.ts';
import type { Tx } from '../db/database.ts';
import { send } from '../db/driver.ts';
import { attachFiles } from '../files/files.ts';
import { endUnseenByHandover } from '../payments/earnings/earnings.ts';
import { startAtScrub } from '../process/orderTimers.sql.ts';
import { findBagsBefore } from './handovers.sql.ts';
import type { Handover } from './recordHandover.ts';

export type HandoverFacts = {
  readonly orderId: string;
  readonly deliveryId: string | null;
  readonly scrubId: string;
  readonly recipient: Role;
  /** How many bags the recipient counted. */
  readonly bags: number | null;
  /** Whether the hand-over was written before, and its recipient says only now that they have the laundry. */
  readonly isConfirmation?: boolean;
  /** Whether the delivery becomes Delivered with it, which ends the hold of the Scrub's credit. */
  readonly isSeen?: boolean;
};

/**
 * The effects of a hand-over, in its transaction: the Scrub's credit becomes payable once a Duber has brought laundry that was not
 * only on its way back, and bags that are not as many as before open a case.
 */
export async function applyHandoverEffects(
  tx: Tx,
  { position }: Pick<Handover, 'position'>,
  facts: HandoverFacts,
  at: Date,
): Promise<void> {
  const { orderId, deliveryId, scrubId, recipient, bags, isConfirmation = false, isSeen = false } = facts;
  // Without a Duber only one side says so: the Scrub's credit waits its time.
  if (recipient === 'Scrub' && deliveryId !== null && !isSeen)
    await endUnseenByHandover(tx, { orderId, scrubId, deliveryId }, at);
  if (recipient === 'Scrub' && deliveryId === null) await onLaundryHandedOver(tx, orderId, at);
  if (bags === null) return;
  const before = await findBagsBefore(tx, { orderId, position, isConfirmation });
  if (before !== undefined && before !== bags)
    await openCase(
      tx,
      { kind: 'handover', orderId, deliveryId: deliveryId ?? undefined, words: describeBags(before, bags) },
      at,
    );
}

/** The Bud has handed the laundry to the Scrub without a Duber. */
export async function onLaundryHandedOver(tx: Tx, orderId: string, at: Date): Promise<void> {
  await send(tx, tx.updateTable('orders').set({ handed_over_at: at }).where('id', '=', orderId));
  await startAtScrub.send(tx, orderId, at);
}

const describeBags = (before: number, now: number) =>
  `${before === 1 ? '1 bag was' : `${before} bags were`} counted before, and ${now} now.`;

/** Photos that a hand-over is sent with. */
export type HandoverFiles = {
  readonly owner: string;
  readonly fileIds: readonly string[];
  readonly handover: Handover;
};

/** Binds photos to a hand-over. */
export const attachHandoverFiles = (tx: Tx, { owner, fileIds, handover }: HandoverFiles): Promise<void> =>
  attachFiles(tx, { owner, fileIds, aboutKind: 'handover', aboutId: handover.id });
