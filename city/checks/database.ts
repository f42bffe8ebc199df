import { sql } from 'kysely';
import { findWrongHistories } from '../../promises/exceptionChecks.ts';
import { findTallyErrors } from '../../server/dashboards/tallies.sql.ts';
import { type Database, queryRows } from '../../server/db/database.ts';
import { WAITS_FOR_MORE } from '../../server/notifications/send.ts';
import { findAuditProblems } from '../../server/payments/ledger/audit.sql.ts';
import { audit } from '../../testing/paymentStress/audit.ts';
import type { RunLog } from '../findings.ts';

/** A case that waits for someone has a timer. */
const CASES_WITHOUT_CLOCK = sql`select format('case %s is %s, and nothing happens by itself', c.id, c.status) as what
  from cases c where c.status <> 'closed' and not exists (select from timers t where t.subject_id = c.id)`;

/** Reads one snapshot of the whole database during the run, and reports contradictions. */
export async function checkDatabase({ db }: Database, log: RunLog): Promise<void> {
  const found = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => ({
      histories: await findWrongHistories(tx),
      money: await findAuditProblems(tx),
      tallies: await findTallyErrors(tx),
      cases: await queryRows<{ what: string }>(tx, CASES_WITHOUT_CLOCK),
    }));
  for (const what of found.histories) log.report('steps, hand-overs and holds agree', what, idsIn(what));
  for (const { check, what } of found.money) log.report(`every cent is accounted for: ${check}`, what, idsIn(what));
  for (const what of found.tallies) log.report('a recount gives the same numbers', what, idsIn(what));
  for (const { what } of found.cases) log.report('every open case has a clock', what, idsIn(what));
}

/** Jobs that the workers have not finished. */
export async function findUnfinishedWork({ db }: Database): Promise<string[]> {
  const rows = await queryRows<{ what: string }>(
    db,
    sql`select concat_ws(' ', 'the payment of order', order_id, 'is', state) as what from payments
        where due_at <= now() or (state in ('capturing', 'voiding') and due_at is not null)
      union all select concat_ws(' ', 'a refund of order', order_id, 'is', state) from refunds
        where state <> 'refunded' and due_at is not null
      union all select concat_ws(' ', 'a', channel, 'about', about, 'is', state) from notifications
        where due_at <= now() or (state = 'due' and tries > 0 and failure is distinct from ${WAITS_FOR_MORE})
      union all select concat_ws(' ', 'the timer', action, 'of', subject_kind, subject_id, 'is due') from timers
        where due_at <= now()`,
  );
  return rows.map(({ what }) => what);
}

/** A message whose sending began this long ago is not being sent any more: its server was killed, or did not write it down. */
const SENDING_TAKES_S = 15;
/** How long no other worker gets a message (`LEASE_S` of the server). */
const LEASE_S = 120;

/** Makes all retries of calls to the card network due now, and those of mails and pushes that nobody is sending. */
export async function makeRetriesDue({ db }: Database): Promise<void> {
  await queryRows(
    db,
    sql`update payments set due_at = now() where state in ('capturing', 'voiding') and due_at > now()`,
  );
  await queryRows(db, sql`update refunds set due_at = now() where state <> 'refunded' and due_at > now()`);
  await queryRows(
    db,
    sql`update notifications set due_at = now() where state = 'due' and tries > 0
      and due_at between now() and now() + interval '${sql.raw(String(LEASE_S - SENDING_TAKES_S))} seconds'`,
  );
}

/** Compares our ledger with the records of the card network, order by order, once nothing is due. */
export async function checkCardNetwork({ db }: Database, cardNetworkUrl: string, log: RunLog): Promise<void> {
  for (const what of await audit(db, cardNetworkUrl, { mayHold: true }))
    log.report("the card network's records agree with our ledger", what, idsIn(what));
}

export const idsIn = (text: string): string[] => text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
