import type { Cents } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import { holdCredits, releaseCredits, releaseEarningsOfCase } from '../payments/earnings/earnings.ts';
import type { CaseRow } from './cases.sql.ts';
import { endPendingPayoutsOfCase } from './samePeople.sql.ts';

/** Keeps the claimed part of the worker's credit out of payouts until the case is decided. */
export async function holdClaim(
  tx: Tx,
  row: Pick<CaseRow, 'id' | 'orderId' | 'aboutUser' | 'aboutRole'>,
  cents: Cents,
  at: Date,
): Promise<void> {
  const { id: caseId, orderId, aboutUser: userId, aboutRole } = row;
  if (orderId === null || userId === null || aboutRole === null || cents <= 0) return;
  const account = aboutRole === 'Scrub' ? 'scrub' : 'duber';
  await holdCredits(tx, { orderId, account, userId, reason: 'case', caseId, cents }, at);
}

/**
 * Ends the pending payouts of a case: of the earnings that wait for it, of people who may be the same, and of the person it is about,
 * whose claimed part waits, or everything after lost laundry.
 */
export async function releasePayouts(tx: Tx, row: CaseRow, at: Date): Promise<void> {
  const { id: caseId, kind, orderId, aboutUser: userId, aboutRole } = row;
  await releaseEarningsOfCase(tx, caseId, at);
  if (kind === 'same-people') await endPendingPayoutsOfCase(tx, caseId, at);
  if (orderId === null || userId === null || aboutRole === null) return;
  const account = aboutRole === 'Scrub' ? 'scrub' : 'duber';
  await releaseCredits(tx, { orderId, account, userId, reason: 'case', caseId }, at);
  if (kind === 'lost') await releaseCredits(tx, { orderId, account, userId, reason: 'lost' }, at);
}
