import { type RawBuilder, sql } from 'kysely';
import { CHANNELS, type Channel, type NotificationKind } from '../../domain/notifications.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { MAIL_SERVER_FAILED } from '../outgoing/mailer.ts';
import type { RenderedMail } from '../outgoing/renderMail.ts';
import { BROWSER_SERVICES, type BusyPushes } from './pushSlots.ts';

// The outbox is the table `notifications`: every mail and push is a row there, written in the transaction of the step
// that causes it, and sent by a worker after the commit.

/** Account mails (codes, links) have a separate channel, so that receipts never delay a sign-up code. */
export const OUTBOX_CHANNELS = ['account-mail', ...CHANNELS] as const;
export type OutboxChannel = (typeof OUTBOX_CHANNELS)[number];

/** A mail about an account as its row has it, in JSON. */
type StoredMail = RenderedMail & { readonly expiresAt?: string };

type DueRow = {
  readonly about: string;
  /** The person for a mail, the device for a push. */
  readonly target: string;
  readonly tries: number;
  readonly createdAt: Date;
};

/** A notification to send now. Its text is composed when it is sent. */
export type DueNotification = DueRow & {
  readonly kind: NotificationKind;
  readonly channel: Channel;
  readonly userId: string;
};

/** A mail about an account to send now, as it was rendered when it was queued. */
export type DueAccountMail = DueRow & {
  readonly kind: 'account';
  readonly channel: 'account-mail';
  readonly recipient: string;
  readonly renderedMail: StoredMail;
};

export type DueMessage = DueNotification | DueAccountMail;

type QueuedMail = RenderedMail & {
  readonly id: string;
  readonly recipient: string;
  /** When the code or the link in it stops working: after that it is not sent any more. */
  readonly expiresAt?: Date;
};

/** Queues a mail about an account: a code, a link, or that its password was changed. */
export async function queueMail(
  tx: Tx,
  { id, recipient, subject, text, html, expiresAt }: QueuedMail,
  now: Date,
): Promise<void> {
  const mail: StoredMail = { subject, text, html, ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}) };
  await tx
    .insertInto('notifications')
    .values({
      kind: 'account',
      channel: 'account-mail',
      about: id,
      target: id,
      recipient,
      rendered_mail: JSON.stringify(mail),
      state: 'due',
      created_at: now,
      due_at: now,
    })
    .execute();
}

/** Longer than any try takes, so that no other worker sends the same message. */
export const LEASE_S = 120;

type Lease = { readonly now: Date; readonly leaseS: number };

/** Leases the message of a channel that is due longest for `leaseS` seconds: no other worker gets it in that time. */
export async function takeDueMessage(tx: Tx, channel: OutboxChannel, lease: Lease): Promise<DueMessage | undefined> {
  return leaseMessage(
    tx,
    lease,
    sql`select n.about, n.kind, n.channel, n.target, null as host from notifications n
      where n.channel = ${channel} and n.due_at <= ${lease.now} order by n.due_at limit 1 for update skip locked`,
  );
}

/** A push to send now, and the host of its push service. Null when the device is not subscribed any more. */
export type DuePush = DueNotification & { readonly host: string | null };

/** Leases the push that is due longest and may be sent now. A device that answered the last time counts as proven. */
export function takeDuePush(tx: Tx, busy: BusyPushes, lease: Lease): Promise<DuePush | undefined> {
  const host = sql`split_part(s.endpoint, '/', 3)`;
  const isProven = busy.provenHosts
    ? sql`(s.last_used_at is not null and s.unanswered = 0 or ${host} = any(${busy.provenHosts}::text[])
        or ${host} ~ ${BROWSER_SERVICES.source})`
    : sql`true`;
  return leaseMessage(
    tx,
    lease,
    sql`select n.about, n.kind, n.channel, n.target, ${host} as host
      from notifications n left join push_subscriptions s on s.id = n.target and s.user_id = n.user_id
      where n.channel = 'push' and n.due_at <= ${lease.now} and n.user_id <> all(${busy.people}::uuid[])
        and (s.id is null or ${host} <> all(${busy.hosts}::text[]) and ${isProven})
      order by n.due_at limit 1 for update of n skip locked`,
  );
}

// Raw SQL: the result is a union type, which the builder cannot infer.
function leaseMessage<Message>(tx: Tx, { now, leaseS }: Lease, due: RawBuilder<unknown>): Promise<Message | undefined> {
  const leasedUntil = new Date(now.getTime() + leaseS * 1000);
  return queryRow(
    tx,
    sql`with due as materialized (${due})
      update notifications n set due_at = ${leasedUntil}, tries = n.tries + 1 from due
        where n.about = due.about and n.kind = due.kind and n.channel = due.channel and n.target = due.target
        returning n.kind, n.about, n.channel, n.target, n.user_id as "userId", n.recipient,
          n.rendered_mail as "renderedMail", n.tries, n.created_at as "createdAt", due.host`,
  );
}

/** The result of a try. */
export type SendOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'dropped' | 'given-up'; readonly why: string }
  /** `isPlanned` when nothing failed. */
  | { readonly state: 'due'; readonly why: string; readonly dueAt: Date; readonly isPlanned?: true };

/**
 * Records the result of a try, and erases a mail that was sent or dropped; a mail that was given up can be sent again. Does nothing
 * if the lease ran out and another worker has taken the message: `tries` tells them apart. Nor if the message was queued again
 * meanwhile.
 */
export async function recordOutcome(tx: Tx, message: DueMessage, outcome: SendOutcome, now: Date): Promise<void> {
  const isDone = outcome.state !== 'due';
  await tx
    .updateTable('notifications')
    .set({
      state: outcome.state,
      failure: outcome.state === 'sent' ? null : outcome.why.slice(0, 300),
      due_at: isDone ? null : outcome.dueAt,
      done_at: isDone ? now : null,
      ...(isDone && outcome.state !== 'given-up' ? { rendered_mail: null } : {}),
    })
    .where('about', '=', message.about)
    .where('kind', '=', message.kind)
    .where('channel', '=', message.channel)
    .where('target', '=', message.target)
    .where('state', '=', 'due')
    .where('tries', '=', message.tries)
    .where(sql<boolean>`date_trunc('milliseconds', created_at) = ${message.createdAt}`)
    .execute();
}

/** A message that was not sent, for the operator. */
type UnsentMessage = {
  readonly id: string;
  readonly kind: NotificationKind | 'account';
  readonly about: string;
  readonly channel: Channel;
  readonly email: string;
  readonly why: string;
  /** When it was given up, or queued. */
  readonly at: Date;
  /** Null when it was given up. */
  readonly nextTryAt: Date | null;
  /** False for a mail about an account whose text is erased, or whose code or link has expired. */
  readonly canResend: boolean;
};

const MESSAGE_ID = sql<string>`concat_ws(':', n.channel, n.kind, n.about, n.target)`;
const isGivenUp = sql<boolean>`n.state = 'given-up'`;
/** Waits for its next try because the mail server did not take it. */
const isRetried = sql<boolean>`(n.due_at is not null and starts_with(n.failure, ${MAIL_SERVER_FAILED}))`;
const canResend = (now: Date) =>
  sql<boolean>`(n.channel <> 'account-mail' or (n.rendered_mail is not null
    and coalesce((n.rendered_mail ->> 'expiresAt')::timestamptz > ${now}, true)))`;

/** The newest messages that were given up, or that the mail server did not take yet. */
export async function listUnsentMessages(tx: Tx, limit: number, now: Date): Promise<UnsentMessage[]> {
  return queryRows(
    tx,
    sql`select ${MESSAGE_ID} as id, n.kind, n.about, case n.channel when 'account-mail' then 'mail' else n.channel end as channel,
        coalesce(n.recipient, u.email, '') as email, coalesce(n.failure, '') as why,
        coalesce(n.done_at, n.created_at) as at, n.due_at as "nextTryAt", ${canResend(now)} as "canResend"
      from ((select n.* from notifications n where ${isGivenUp} order by n.done_at desc limit ${limit})
        union all (select n.* from notifications n where ${isRetried} order by n.due_at desc limit ${limit})) n
        left join users u on u.id = n.user_id
      order by at desc, id limit ${limit}`,
  );
}

/** Mails that wait because the mail server does not take them: how many, since when, and why. Undefined without one. */
export async function findMailTrouble(
  tx: Tx,
  most: number,
): Promise<{ readonly count: number; readonly since: Date; readonly why: string } | undefined> {
  return queryRow(
    tx,
    sql`select count(*)::int as count, min(n.created_at) as since, min(n.failure) as why
      from (select n.created_at, n.failure from notifications n where ${isRetried} limit ${most}) n having count(*) > 0`,
  );
}

/** Makes messages that were not sent due now, without `ids` all of them, and returns their number. Their tries start anew. */
export async function resendMessages(tx: Tx, ids: readonly string[] | undefined, now: Date): Promise<number> {
  // One that may be with a worker now is left to it, so that it is not sent twice.
  const afterLeases = new Date(now.getTime() + LEASE_S * 1000);
  const isChosen = ids === undefined ? sql`true` : sql`${MESSAGE_ID} = any(${ids}::text[])`;
  const rows = await queryRows(
    tx,
    sql`update notifications n set state = 'due', due_at = ${now}, done_at = null, tries = 0
      where (${isGivenUp} or (${isRetried} and n.due_at > ${afterLeases})) and ${canResend(now)} and ${isChosen}
      returning n.about`,
  );
  return rows.length;
}
