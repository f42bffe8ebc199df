import { sql } from 'kysely';
import type { Role } from '../../domain/accounts.ts';
import { type Channel, NOTIFICATIONS, type NotificationKind } from '../../domain/notifications.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

/** A message that is being sent now: one kind, about one thing, by one way, to one target. */
export type DueNotification = {
  readonly kind: NotificationKind;
  readonly about: string;
  readonly channel: Channel;
  readonly target: string;
  readonly userId: string;
  readonly tries: number;
  readonly createdAt: Date;
};

/** Takes messages that are due for `leaseS` seconds: no other worker gets them in that time. */
export function takeDueNotifications(
  tx: Tx,
  channel: Channel,
  how: { now: Date; leaseS: number; limit: number },
): Promise<DueNotification[]> {
  const until = new Date(how.now.getTime() + how.leaseS * 1000);
  return queryRows(
    tx,
    sql`with due as materialized (select n.about, n.kind, n.target from notifications n
          where n.channel = ${channel} and n.due_at <= ${how.now}
          order by n.due_at limit ${how.limit} for update skip locked)
      update notifications n set due_at = ${until}, tries = n.tries + 1 from due
        where n.about = due.about and n.kind = due.kind and n.channel = ${channel} and n.target = due.target
        returning n.kind, n.about, n.channel, n.target, n.user_id as "userId", n.tries, n.created_at as "createdAt"`,
  );
}

/** What became of a try. */
export type SendOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'dropped' | 'given-up'; readonly why: string }
  | { readonly state: 'due'; readonly why: string; readonly dueAt: Date };

/**
 * Writes down what became of a try. A worker that was so slow that another has taken the message since changes
 * nothing: the number of tries tells.
 */
export async function recordOutcome(tx: Tx, due: DueNotification, outcome: SendOutcome, now: Date): Promise<void> {
  const { about, kind, channel, target, tries } = due;
  const [dueAt, doneAt] = outcome.state === 'due' ? [outcome.dueAt, null] : [null, now];
  const why = outcome.state === 'sent' ? null : outcome.why.slice(0, 300);
  await queryRows(
    tx,
    sql`update notifications set state = ${outcome.state}, failure = ${why}, due_at = ${dueAt}::timestamptz,
        done_at = ${doneAt}::timestamptz
      where about = ${about} and kind = ${kind} and channel = ${channel} and target = ${target}
        and state = 'due' and tries = ${tries}`,
  );
}

export type Recipient = {
  readonly fullname: string;
  readonly email: string;
  readonly role: Role;
  /** Whether they want this kind this way, as they have chosen by now. */
  readonly wanted: boolean;
};

export function readRecipient(tx: Tx, { userId, kind, channel }: DueNotification): Promise<Recipient | undefined> {
  const chosen = channel === 'mail' ? sql`c.mail` : sql`c.push`;
  return queryRow(
    tx,
    sql`select u.fullname, u.email, u.role, coalesce(${chosen}, ${NOTIFICATIONS[kind].defaults[channel]}::boolean) as wanted
      from users u left join notification_choices c on c.user_id = u.id and c.kind = ${kind} where u.id = ${userId}`,
  );
}

/** A message that was given up, for the operator: of a kind, or a mail that somebody asked for (`account`). */
export type GivenUpNotification = {
  readonly kind: NotificationKind | 'account';
  readonly about: string;
  readonly channel: Channel;
  readonly email: string;
  readonly why: string;
  readonly at: Date;
};

export function listGivenUpNotifications(tx: Tx, limit: number): Promise<GivenUpNotification[]> {
  return queryRows(
    tx,
    sql`select n.kind, n.about, n.channel, u.email, coalesce(n.failure, '') as why, n.done_at as at
      from notifications n join users u on u.id = n.user_id where n.state = 'given-up'
      union all
      select 'account', m.id, 'mail', m.recipient, coalesce(m.failure, ''), m.given_up_at
      from mails m where m.given_up_at is not null
      order by at desc limit ${limit}`,
  );
}
