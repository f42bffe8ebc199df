import { type Kysely, sql } from 'kysely';

// Account mails (codes, links) join the notifications, so that there is one outbox. Every statement changes the catalog
// only: `not valid` skips the scan of a large table, and the rows that are there satisfy the new checks anyway.
// The previous release still writes to `mails` while it serves: see `moveOldMails`. A later release drops that table.
const OUTBOX = [
  `alter table notifications
    -- An account mail may go to an address that has no account yet.
    alter column user_id drop not null,
    add column recipient text,
    -- Subject, text and HTML of an account mail. Erased once it is sent or given up: it holds a code or a link.
    add column rendered_mail jsonb,
    drop constraint notifications_kind_check,
    drop constraint notifications_channel_check`,
  `alter table notifications
    add constraint notifications_kind check
      (kind in ('placed', 'accepted', 'rejected', 'expired', 'delivered', 'payout', 'nearby', 'account')) not valid,
    -- A separate channel for account mails: the previous release does not take them.
    add constraint notifications_channel check (channel in ('mail', 'push', 'account-mail')) not valid,
    add constraint notifications_recipient check ((channel = 'account-mail') = (kind = 'account')
      and (kind = 'account') = (recipient is not null) and (kind = 'account') = (user_id is null)) not valid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of OUTBOX) await sql.raw(statement).execute(db);
}
