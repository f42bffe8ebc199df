import { sql } from 'kysely';
import { type EarningRisk, PLATFORM_PAY_WEEK_MS } from '../../../domain/earnings.ts';
import type { Cents } from '../../../domain/payments.ts';
import { queryRow, queryRows, type Tx } from '../../db/database.ts';
import { readSettings } from '../../town/settings.sql.ts';
import { lockWorker, readFreeBalance } from './offerCover.sql.ts';

/** An earning whose rest the order does not bear. */
type RestOfEarning = {
  readonly orderId: string;
  readonly duberId: string;
  readonly bearerId: string | null;
  readonly rest: Cents;
};

const NO_RISK = { ofPlatform: 0, inWeek: 0, weekLimit: 0 } as const;

/** What the platform risks with an earning, before it is written. Two earnings of one person at the same time follow one another. */
export async function readEarningRisk(
  tx: Tx,
  { orderId, duberId, bearerId, rest }: RestOfEarning,
  at: Date,
): Promise<Pick<EarningRisk, 'ofPlatform' | 'inWeek' | 'weekLimit'>> {
  if (rest === 0) return NO_RISK;
  if (bearerId !== null && (await readMoneyFor(tx, bearerId, orderId)) >= rest) return NO_RISK;
  await lockWorker(tx, duberId);
  const { platformPayWeek } = await readSettings(tx, at);
  return { ofPlatform: rest, inWeek: await sumPaidByPlatform(tx, duberId, at), weekLimit: platformPayWeek };
}

/** The money that a Scrub has for an earning that they bear, without the money kept for a claim or for other ways. */
async function readMoneyFor(tx: Tx, scrubId: string, orderId: string): Promise<Cents> {
  await lockWorker(tx, scrubId);
  return readFreeBalance(tx, { account: 'scrub', userId: scrubId }, { waysOf: orderId });
}

/** What a Duber has got from the platform in the last seven days, also in place of Scrubs who did not have it. */
async function sumPaidByPlatform(tx: Tx, duberId: string, at: Date): Promise<Cents> {
  const row = await queryRow<{ cents: number }>(
    tx,
    sql`select coalesce(sum(p.cents - p.from_order), 0)::int as cents from earnings p
      where p.duber_id = ${duberId} and p.cents > p.from_order and p.undone_at is null
        and p.at > ${new Date(at.getTime() - PLATFORM_PAY_WEEK_MS)}
        and (p.bearer_id is null or exists (select from payout_holds h
          where h.earning_entry = p.entry_id and h.reason = 'platform-pay'))`,
  );
  return row?.cents ?? 0;
}

/** An earning that is in no payout yet. Without `until` it ends with its case. */
export type PendingEarning = {
  readonly orderId: string;
  readonly duberId: string;
  readonly entryId: string;
  readonly cents: Cents;
  readonly reason: 'platform-pay' | 'trip';
  readonly caseId: string | null;
  readonly until: Date | null;
};

// Raw SQL, as the other statements about pending payouts.
export async function insertPendingEarning(tx: Tx, pending: PendingEarning, at: Date): Promise<void> {
  const { orderId, duberId, entryId, cents, reason, caseId, until } = pending;
  // A payout of this person is made before or after.
  await lockWorker(tx, duberId);
  await sql`insert into payout_holds (order_id, account, user_id, reason, case_id, cents, entry_id, earning_entry, since, until)
    values (${orderId}, 'duber', ${duberId}, ${reason}, ${caseId}::uuid, ${cents}, ${entryId}::bigint, ${entryId}::bigint,
      ${at}, ${until}::timestamptz)`.execute(tx);
}

/** Lets an earning wait for a case that was opened because of it. */
export async function holdForCase(tx: Tx, entryId: string, caseId: string): Promise<void> {
  await sql`update payout_holds set case_id = ${caseId} where earning_entry = ${entryId}::bigint and case_id is null
    and ended_at is null`.execute(tx);
}

/** An open case that an earning waits for. */
export type OpenCase = {
  readonly id: string;
  /** Whether the Bud, who was there, denies what the case is about. */
  readonly isDenied: boolean;
};

/** The case if it is open, and stays so until the transaction ends: what ends it, ends the wait of its earning as well. */
export async function lockOpenCase(tx: Tx, caseId: string | null | undefined): Promise<OpenCase | undefined> {
  if (!caseId) return undefined;
  return queryRow<OpenCase>(
    tx,
    sql`select c.id, exists (select from steps e where e.subject_id = c.id and e.action = 'deny') as "isDenied"
      from cases c where c.id = ${caseId} and c.status not in ('decided', 'closed') for key share of c`,
  );
}

/** Somebody denies what a case is about: the earnings that wait for it no longer become payable by themselves. */
export async function keepEarningsOfCase(tx: Tx, caseId: string, at: Date): Promise<void> {
  await sql`update payout_holds set until = null
    where case_id = ${caseId} and earning_entry is not null and ended_at is null and until > ${at}`.execute(tx);
}

/** The case has ended: its earnings are payable. */
export async function releaseEarningsOfCase(tx: Tx, caseId: string, at: Date): Promise<void> {
  await sql`update payout_holds set ended_at = ${at}
    where case_id = ${caseId} and earning_entry is not null and ended_at is null`.execute(tx);
}

/** The earning was taken back, so no payout waits. */
export async function endPendingEarning(tx: Tx, entryId: string, at: Date): Promise<void> {
  await sql`update payout_holds set ended_at = ${at}
    where earning_entry = ${entryId}::bigint and ended_at is null`.execute(tx);
}

/** The trips without laundry that wait, or waited, for a case. */
export const listTripsOfCase = (tx: Tx, caseId: string) =>
  queryRows<{ orderId: string; deliveryId: string; attempt: number; cents: Cents }>(
    tx,
    sql`select p.order_id as "orderId", p.delivery_id as "deliveryId", p.attempt, p.cents
      from payout_holds h join earnings p on p.order_id = h.order_id and p.entry_id = h.earning_entry
      where h.case_id = ${caseId} and p.kind = 'trip' and p.undone_at is null order by p.at`,
  );

export const sumTripsOfCase = async (tx: Tx, caseId: string): Promise<Cents> =>
  (await listTripsOfCase(tx, caseId)).reduce((sum, { cents }) => sum + cents, 0);
