import { sql } from 'kysely';
import { type Database, queryRows } from '../../server/db/database.ts';
import type { RunLog } from '../findings.ts';
import type { Person } from '../people/person.ts';

type Mail = { readonly subject: string; readonly text: string; readonly messageId: string };

/** More mails of one person than this are not compared: the inbox lists no more. */
const MAX_LISTED = 500;

/** How often workers have begun to send a mail, by its Message-ID. */
type Tries = ReadonlyMap<string, number>;

/** Several requests of one Bud are one mail without their numbers, and hours later there are other ones. */
const SAYS_NO_ORDER = /^\d+ jobs are waiting/;

/** What a server was sending during a fault, it may send again: two workers for mails have two connections each. */
const REPEATS_OF_A_FAULT = 4;

/** Reports notifications that were never queued, and mails that were lost or came twice. `faults` are those that may repeat mails. */
export async function checkMails(
  database: Database,
  people: readonly Person[],
  options: { readonly standInsUrl: string; readonly log: RunLog; readonly faults: number },
): Promise<void> {
  const { standInsUrl, log, faults } = options;
  for (const what of await findMissingNotifications(database))
    log.report('everyone is notified about their order', what);
  // Mails are sent meanwhile: what was sent before must have come, and what has come must have been tried by afterwards.
  const done = await readDone(database);
  const inboxes = new Map<Person, readonly Mail[]>();
  for (const person of people) {
    const answer = await fetch(`${standInsUrl}/sandbox/mail/messages?to=${encodeURIComponent(person.email)}`);
    const mails = (await answer.json()) as Mail[];
    if (mails.length < MAX_LISTED) inboxes.set(person, mails);
  }
  const [detours, tries] = [await countDetours(database), await countTries(database)];
  const repeated: string[] = [];
  for (const [{ name, email }, mails] of inboxes) {
    for (const what of findLost(mails, done.get(email) ?? [])) log.report('no mail is lost', `${name}: ${what}`);
    const repeats = findRepeats(mails, detours, tries);
    for (const what of repeats.unexplained) log.report('no mail comes twice', `${name}: ${what}`);
    repeated.push(...repeats.sentAgain.map((what) => `${name}: ${what}`));
  }
  if (repeated.length > faults * REPEATS_OF_A_FAULT)
    for (const what of repeated) log.report('no mail comes twice', what);
}

/**
 * Mails of one person that came more than once. `sentAgain` are those that a worker has sent again because it did not know that
 * they had been sent; for the others there is no excuse: two different mails with the same words, or one that came more often
 * than it was sent.
 */
export function findRepeats(mails: readonly Mail[], detours: ReadonlyMap<string, number>, tries: Tries) {
  const unexplained: string[] = [];
  const sentAgain: string[] = [];
  for (const [words, same] of Map.groupBy(mails, ({ subject, text }) => `${subject}\n${text}`)) {
    const [number = ''] = /\bR-\d+\b/.exec(words) ?? [];
    const different = new Set(same.map(({ messageId }) => messageId)).size;
    if (!SAYS_NO_ORDER.test(words) && different > 1 + (detours.get(number) ?? 0))
      unexplained.push(`${different} mails say "${words.split('\n')[0]}"`);
  }
  // The words may have changed between two tries.
  for (const [id, same] of Map.groupBy(mails, ({ messageId }) => messageId)) {
    const tried = tries.get(id);
    const words = `"${same[0]?.subject}" came ${same.length} times`;
    if (tried !== undefined && same.length > tried) unexplained.push(words);
    else if (same.length > 1) sentAgain.push(words);
  }
  return { unexplained, sentAgain };
}

/** A mail that no worker tries again: it was sent, or there was a failure that it was given up for. */
export type DoneMail = { readonly id: string; readonly kind: string; readonly failure: string | null };

/** Mails of one person that did not arrive. They are not counted: another one that came twice must not take their place. */
export function findLost(mails: readonly Pick<Mail, 'messageId'>[], done: readonly DoneMail[]): string[] {
  const arrived = new Set(mails.map(({ messageId }) => messageId));
  return done
    .filter(({ id }) => !arrived.has(id))
    .map(({ id, kind, failure }) => {
      const how = failure === null ? 'was sent, and did not arrive' : `was given up: ${failure}`;
      return `"${kind}" ${id} ${how}`;
    });
}

/** The Message-ID of a stored mail `n`. The server takes the time in whole milliseconds. */
const MESSAGE_ID = sql`'<' || case n.channel when 'account-mail' then n.about::text else concat_ws('-', n.kind, n.about, n.target,
  floor(extract(epoch from n.created_at) * 1000)::bigint) end || '@rubadub>'`;

/** The Message-IDs of the stored mails, and how often each was tried. */
async function countTries({ db }: Database): Promise<Tries> {
  const rows = await queryRows<{ id: string; tries: number }>(
    db,
    sql`select ${MESSAGE_ID} as id, n.tries from notifications n where n.channel in ('mail', 'account-mail')`,
  );
  return new Map(rows.map(({ id, tries }) => [id, tries]));
}

/** The mails that were sent or given up, by their address, as the server wrote it down. */
async function readDone({ db }: Database): Promise<ReadonlyMap<string, DoneMail[]>> {
  const rows = await queryRows<DoneMail & { email: string }>(
    db,
    sql`select coalesce(n.recipient, u.email) as email, ${MESSAGE_ID} as id, n.kind,
        case n.state when 'given-up' then coalesce(n.failure, '') end as failure
      from notifications n left join users u on u.id = n.user_id
      where n.channel in ('mail', 'account-mail') and n.state in ('sent', 'given-up')`,
  );
  return Map.groupBy(rows, ({ email }) => email);
}

/** Steps on a good day without a notification: by mail, or by push to a device that was subscribed before. */
async function findMissingNotifications({ db }: Database): Promise<string[]> {
  const isNotified = (kind: string, person: string, channel: string) => sql`exists (select from notifications n
    where n.kind = ${sql.lit(kind)} and n.about = o.id and n.user_id = ${sql.ref(person)} and n.channel = ${sql.lit(channel)})`;
  const hasDevice = (person: string) => sql`exists (select from push_subscriptions s
    where s.user_id = ${sql.ref(person)} and s.created_at < o.created_at)`;
  const steps = [
    { kind: 'placed', person: 'o.scrub_id', isDue: sql`o.round = 1` },
    {
      kind: 'accepted',
      person: 'o.bud_id',
      isDue: sql`o.round = 1 and o.status in ('Accepted', 'In_Progress', 'Completed')`,
    },
  ].flatMap(({ kind, person, isDue }) => [
    sql`select format('no mail "%s" was queued for order %s', ${kind}::text, o.id) as what from orders o
      where ${isDue} and not ${isNotified(kind, person, 'mail')}`,
    sql`select format('no push "%s" was queued for order %s', ${kind}::text, o.id) as what from orders o
      where ${isDue} and ${hasDevice(person)} and not ${isNotified(kind, person, 'push')}`,
  ]);
  const rows = await queryRows<{ what: string }>(db, sql`${sql.join(steps, sql` union all `)}`);
  return rows.map(({ what }) => what);
}

/** How often each order did not go as planned. Each repetition sends its mails again. */
async function countDetours({ db }: Database): Promise<Map<string, number>> {
  const rows = await queryRows<{ number: string; count: number }>(
    db,
    sql`select 'R-' || o.number as number, (max(o.round) - 1 + coalesce(sum(d.attempt - 1), 0))::integer as count
      from orders o left join deliveries d on d.order_id = o.id group by o.id`,
  );
  return new Map(rows.map(({ number, count }) => [number, count]));
}
