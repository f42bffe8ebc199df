// Whether those who make offers have earned what they cost, computed by hand: the product's own query could be wrong.

import { sql } from 'kysely';
import { expect } from 'vitest';
import { queryRow } from '../server/db/database.ts';
import { cannotHappen } from './claimModel.ts';
import type { World } from './lifeWorld.ts';
import type { Case, Life } from './orderLife.ts';

/** Another round of an order costs its Scrub the deliveries. */
const WAYS = sql`(select coalesce(sum(w.cents), 0) from order_lines w
  where w.order_id = c.order_id and w.item in ('pickup', 'delivery'))`;

/**
 * What the one who is asked has earned and not been paid, less what they have promised: refunds under way, and what is kept for
 * other cases.
 */
const FREE = sql`(select -coalesce(sum(l.amount), 0) from ledger_lines l
    where l.party = c.about_user and l.account in ('scrub', 'duber'))
  - (select coalesce(sum(r.amount + r.discount - r.taxes - r.forgiven), 0) from refunds r
    where r.liable_user = c.about_user and r.state not in ('refunded', 'dropped'))
  - (select coalesce(-sum(l.amount), 0) from payout_holds h join ledger_lines l on l.entry_id = h.entry_id and l.amount < 0
    where h.user_id = c.about_user and h.ended_at is null and h.case_id is distinct from c.id)`;

/**
 * Looks whether an offer that was made, or was to happen, went to the town. That is right only when the one who made it has less than
 * it costs. When it has happened, what was promised is still there.
 */
export async function observeCover({ database: { db } }: World, life: Life, one: Case): Promise<void> {
  const { kind, cents = 0 } = one.offer ?? {};
  one.isCovered = true;
  if (one.id === undefined || kind === undefined || kind === 'was-before') return;
  const query = sql`select c.status, (${FREE})::float8 as free, (${WAYS})::float8 as ways from cases c where c.id = ${one.id}`;
  const found = await queryRow<{ status: string; free: number; ways: number }>(db, query);
  if (!found) return expect.fail(`there is no case ${one.id}`);
  const { status, free, ways } = found;
  const cost = kind === 'clean-again' ? ways : cents;
  const words = [`the offer of case ${one.id}: ${kind} ${cost} of ${free}`, ...life.trace].join('\n  ');
  one.isCovered = status !== 'with-town';
  if (!one.isCovered) {
    if (!cannotHappen(life, one)) expect(free, words).toBeLessThan(cost);
    return;
  }
  // The refund is a promise now; the deliveries are kept by this case.
  const isRefund = status === 'decided' && kind === 'give-back';
  expect(free, words).toBeGreaterThanOrEqual(isRefund ? 0 : cost);
}
