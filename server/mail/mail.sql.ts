import { sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { RenderedMail } from './templates.ts';

export type QueuedMail = RenderedMail & { readonly id: string; readonly recipient: string };
type DueMail = QueuedMail & { readonly tries: number };

/** Writes a mail into the queue, in the transaction of what it tells; the worker sends it after the commit. */
export async function queueMail(tx: Tx, mail: QueuedMail, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`insert into mails (id, recipient, subject, text, html, created_at, due_at)
      values (${mail.id}, ${mail.recipient}, ${mail.subject}, ${mail.text}, ${mail.html}, ${now}, ${now})`,
  );
}

/** Takes one due mail for `leaseS` seconds: no other worker gets it in that time. */
export function takeDueMail(tx: Tx, now: Date, leaseS: number): Promise<DueMail | undefined> {
  const until = new Date(now.getTime() + leaseS * 1000);
  return queryRow(
    tx,
    sql`update mails set due_at = ${until}, tries = tries + 1
      where id = (select id from mails where sent_at is null and given_up_at is null and due_at <= ${now}
        order by due_at limit 1 for update skip locked)
      returning id, recipient, subject, text, html, tries`,
  );
}

/** Marks a mail as sent, and forgets what it said. */
export async function markMailSent(tx: Tx, id: string, now: Date): Promise<void> {
  await queryRows(tx, sql`update mails set sent_at = ${now}, text = null, html = null where id = ${id}`);
}

export async function rescheduleMail(tx: Tx, id: string, dueAt: Date): Promise<void> {
  await queryRows(tx, sql`update mails set due_at = ${dueAt} where id = ${id}`);
}

export async function giveUpMail(tx: Tx, id: string, why: string, now: Date): Promise<void> {
  const failure = why.slice(0, 300);
  await queryRows(
    tx,
    sql`update mails set given_up_at = ${now}, failure = ${failure}, text = null, html = null where id = ${id}`,
  );
}
