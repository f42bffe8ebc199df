import { sql } from 'kysely';
import { mondayBefore } from '../../domain/ledger.ts';
import { type Database, queryRows } from '../../server/db/database.ts';
import { insertPayout, listPayees, listWorkers } from '../../server/payments/payouts/payouts.sql.ts';
import type { RunLog } from '../findings.ts';
import { idsIn } from './database.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Lines of payouts that pay a Scrub for laundry that never came into their hands. */
const PAID_UNSEEN = sql`select distinct format('the Scrub of order %s is paid for laundry that nobody has seen', o.id) as what
  from payout_lines k join ledger_entries e on e.id = k.entry_id and e.kind = 'completed' join orders o on o.id = e.order_id
  where not o.self_delivery and not exists (select from handovers h where h.order_id = o.id and h.taker_id = o.scrub_id)
    -- There is no hand-over when its Duber says late, once the laundry is with the Bud again, that they delivered it.
    and not exists (select from deliveries d where d.order_id = o.id and d.delivery_type = 'Bud_To_Scrub' and d.status = 'Delivered')`;

/** Lines that are in two payouts, and payouts that are not the sum of their lines. */
const WRONG_SUMS = sql`select format('the payout of %s is %s cents, and its lines are %s', w.user_id, w.amount,
    coalesce(-sum(l.amount), 0)) as what
  from payouts w left join payout_lines k on k.payout_id = w.id
    left join ledger_lines l on l.entry_id = k.entry_id and l.position = k.position
  group by w.id having w.amount <> coalesce(-sum(l.amount), 0)`;

/** With a promo code the platform pays a part, and everybody earns as without one: a Scrub what the wash costs. */
const PAID_LESS = sql`select format('the Scrub of order %s, which has the code %s, gets %s cents instead of %s', o.id, o.promo_code,
    -l.amount, o.load_price) as what
  from payout_lines k join ledger_entries e on e.id = k.entry_id and e.kind = 'completed' join orders o on o.id = e.order_id
    join ledger_lines l on l.entry_id = k.entry_id and l.position = k.position and l.account = 'scrub'
  where o.promo_code is not null and -l.amount <> o.load_price`;

class Undo extends Error {}

const EVERYBODY = 1_000_000;

/** Creates next Monday's payouts, checks who is paid for what, and rolls everything back. */
export async function rehearsePayouts({ db }: Database, log: RunLog, now: Date): Promise<void> {
  const periodEnd = mondayBefore(new Date(now.getTime() + WEEK_MS));
  const found = { unseen: [] as string[], less: [] as string[], sums: [] as string[] };
  const read = async (tx: typeof db, query: typeof PAID_UNSEEN) =>
    (await queryRows<{ what: string }>(tx, query)).map(({ what }) => what);
  await db
    .transaction()
    .execute(async (tx) => {
      for (const { userId } of await listPayees(tx, await listWorkers(tx, undefined, EVERYBODY), periodEnd, now))
        await insertPayout(tx, { id: crypto.randomUUID(), userId, periodEnd }, now);
      found.unseen = await read(tx, PAID_UNSEEN);
      found.less = await read(tx, PAID_LESS);
      found.sums = await read(tx, WRONG_SUMS);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  for (const what of found.unseen) log.report('nobody is paid for laundry that nobody has seen', what, idsIn(what));
  for (const what of found.less) log.report('a promo code costs nobody but the platform', what, idsIn(what));
  for (const what of found.sums) log.report('a payout is the sum of its lines', what, idsIn(what));
}
