import { sql } from 'kysely';
import { type Database, queryRows } from '../../server/db/database.ts';
import type { RunLog } from '../findings.ts';
import type { Person } from '../people/person.ts';

type Mail = { readonly subject: string; readonly text: string };

/** More mails of one person than this are not compared: the inbox lists no more. */
const MAX_LISTED = 500;

/** A server that is killed between sending mails and writing that down sends those of this moment again. */
const REPEATS_OF_A_KILL = 10;

/** Reports mails that were never written, were lost, or came twice. `kills` is how often a server or the database was. */
export async function checkMails(
  database: Database,
  people: readonly Person[],
  options: { readonly standInsUrl: string; readonly log: RunLog; readonly kills: number },
): Promise<void> {
  const { standInsUrl, log, kills } = options;
  for (const what of await findUnwritten(database)) log.report('everybody gets the mails about their order', what);
  const [detours, sent] = [await countDetours(database), await countSent(database)];
  const repeated: string[] = [];
  for (const { name, email } of people) {
    const answer = await fetch(`${standInsUrl}/sandbox/mail/messages?to=${encodeURIComponent(email)}`);
    const mails = (await answer.json()) as Mail[];
    if (mails.length >= MAX_LISTED) continue;
    const count = sent.get(email) ?? 0;
    if (mails.length < count)
      log.report('no mail is lost', `${name}: ${count} mails were sent, and ${mails.length} arrived`);
    const texts = Map.groupBy(mails, ({ subject, text }) => `${subject}\n${text}`);
    for (const [words, { length }] of texts) {
      const [number = ''] = /\bR-\d+\b/.exec(words) ?? [];
      if (length > 1 + (detours.get(number) ?? 0)) repeated.push(`${name}: ${length} times "${words.split('\n')[0]}"`);
    }
  }
  if (repeated.length > kills * REPEATS_OF_A_KILL) for (const what of repeated) log.report('no mail comes twice', what);
}

/** How many mails were sent to each address, as the server wrote it down. */
async function countSent({ db }: Database): Promise<Map<string, number>> {
  const rows = await queryRows<{ email: string; count: number }>(
    db,
    sql`select coalesce(n.recipient, u.email) as email, count(*)::integer as count from notifications n
      left join users u on u.id = n.user_id where n.channel in ('mail', 'account-mail') and n.state = 'sent' group by 1`,
  );
  return new Map(rows.map(({ email, count }) => [email, count]));
}

/** Steps on a good day about which nobody was written to. */
async function findUnwritten({ db }: Database): Promise<string[]> {
  const hasMail = (kind: string, about: string, person: string) => sql`exists (select from notifications n
    where n.kind = ${sql.lit(kind)} and n.about = ${sql.ref(about)} and n.user_id = ${sql.ref(person)} and n.channel = 'mail')`;
  const rows = await queryRows<{ what: string }>(
    db,
    sql`select format('nobody wrote to the Scrub of order %s that it was placed', o.id) as what from orders o
        where o.round = 1 and not ${hasMail('placed', 'o.id', 'o.scrub_id')}
      union all select format('nobody wrote to the Bud of order %s that it was accepted', o.id) from orders o
        where o.round = 1 and o.status in ('Accepted', 'In_Progress', 'Completed')
          and not ${hasMail('accepted', 'o.id', 'o.bud_id')}`,
  );
  return rows.map(({ what }) => what);
}

/** How often each order did not go as planned: what happens again is told again. */
async function countDetours({ db }: Database): Promise<Map<string, number>> {
  const rows = await queryRows<{ number: string; count: number }>(
    db,
    sql`select 'R-' || o.number as number, (max(o.round) - 1 + coalesce(sum(d.attempt - 1), 0))::integer as count
      from orders o left join deliveries d on d.order_id = o.id group by o.id`,
  );
  return new Map(rows.map(({ number, count }) => [number, count]));
}
