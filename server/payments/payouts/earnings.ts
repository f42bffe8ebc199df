import type { Caller } from '../../../domain/accounts.ts';
import { mondayBefore, weekAfter } from '../../../domain/ledger.ts';
import { toDollars } from '../../../domain/payments.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { refuse } from '../../http/refusals.ts';
import type { Handlers } from '../../http/routes.ts';
import {
  type Earner,
  isPayoutOf,
  listPayouts,
  listStatementLines,
  sumEarnedAndPaid,
  sumEarningsByWeek,
  sumHeld,
} from './earnings.sql.ts';

const WEEKS_SHOWN = 26;
const MAX_PAYOUTS = 104;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

export const earnerOf = ({ role, id }: Exclude<Caller, { role: 'Bud' }>): Earner => ({
  account: role === 'Scrub' ? 'scrub' : 'duber',
  userId: id,
});

/** Cents that somebody has earned and not got yet, and the part of them that waits for something. */
export async function readBalance(db: Tx, worker: { role: 'Scrub' | 'Duber'; id: string }, now: Date) {
  const earner = { account: worker.role === 'Scrub' ? 'scrub' : 'duber', userId: worker.id } as const;
  const { earned, paid } = await sumEarnedAndPaid(db, earner);
  return { owed: earned - paid, waits: await sumHeld(db, earner, now) };
}

/** Dollars by week up to the week of a Monday, oldest first. */
export async function earnedByWeek(db: Tx, earner: Earner, monday: Date) {
  const since = new Date(monday.getTime() - (WEEKS_SHOWN - 1) * WEEK_MS);
  const byWeek = new Map((await sumEarningsByWeek(db, earner, since)).map(({ week, earned }) => [week, earned]));
  return Array.from({ length: WEEKS_SHOWN }, (_, week) => ({
    from: new Date(since.getTime() + week * WEEK_MS).toISOString(),
    earned: toDollars(byWeek.get(week) ?? 0),
  }));
}

export function earningsHandlers({ db, now }: Context): Pick<Handlers, 'earnings' | 'earningLines'> {
  return {
    earnings: async ({ caller }) => {
      const earner = earnerOf(caller);
      const monday = mondayBefore(now());
      const { earned, paid } = await sumEarnedAndPaid(db, earner);
      const payouts = await listPayouts(db, caller.id, MAX_PAYOUTS);
      return {
        totalEarning: toDollars(earned),
        paidOut: toDollars(paid),
        balance: toDollars(earned - paid),
        held: toDollars(await sumHeld(db, earner, now())),
        nextPayoutAt: weekAfter(monday).toISOString(),
        weeks: await earnedByWeek(db, earner, monday),
        payouts: payouts.map((payout) => ({ ...payout, amount: toDollars(payout.amount) })),
      };
    },
    earningLines: async ({ caller, query: { payoutId } }) => {
      if (payoutId !== undefined && !(await isPayoutOf(db, caller.id, payoutId))) refuse('notFound');
      const lines = await listStatementLines(db, earnerOf(caller), payoutId, now());
      return lines.map(({ payableFrom, ...line }) => ({
        ...line,
        payableFrom: line.waitsFor === 'claim-time' ? payableFrom : null,
        amount: toDollars(line.amount),
      }));
    },
  };
}
