import type { HoldKind } from '../../domain/holds.ts';
import { type Cents, formatDollars } from '../../domain/payments.ts';
import { renderAccountMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import type { ConsoleContext } from './operatorContext.ts';
import { findContact, type PersonRecord } from './people.sql.ts';

const dayOf = (at: Date) => at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const reasonOf = (reason: string) => `The reason: ${reason}`;

type Addressee = Pick<PersonRecord, 'id' | 'fullname'>;
type Content = { readonly subject: string; readonly lines: readonly string[] };

async function queue(context: ConsoleContext, { id, fullname }: Addressee, content: Content): Promise<void> {
  const { db, newId, now, config, wake } = context;
  const contact = await findContact(db, id);
  if (!contact) return;
  const closing = [`If this is wrong, or if you have a question, email us at ${config.supportEmail}.`];
  const { subject, lines } = content;
  const mail = renderAccountMail({ subject, greeting: `Hello ${fullname},`, lines: [...lines], closing }, config);
  await queueMail(db, { id: newId(), recipient: contact.email, ...mail }, now());
  wake('mail');
}

export const queueSuspendedMail = (
  context: ConsoleContext,
  person: PersonRecord,
  { reason, until, isSignedOut }: { reason: string; until: Date; isSignedOut: boolean },
): Promise<void> =>
  queue(context, person, {
    subject: 'Your Rubadub account is suspended',
    lines: [
      `Your account is suspended until ${dayOf(until)}.`,
      reasonOf(reason),
      person.role === 'Bud'
        ? 'Until then you cannot place orders.'
        : 'Until then you get no new work, and what you have earned waits.',
      ...(isSignedOut ? ['You are signed out, and cannot sign in until then.'] : []),
    ],
  });

export const queueReinstatedMail = (context: ConsoleContext, person: Addressee): Promise<void> =>
  queue(context, person, {
    subject: 'Your Rubadub account is no longer suspended',
    lines: ['Your account is no longer suspended. Everything is as it was before.'],
  });

export const queueExtendedMail = (
  context: ConsoleContext,
  person: Addressee,
  { until, reason }: { until: Date; reason: string },
): Promise<void> =>
  queue(context, person, {
    subject: 'Your Rubadub account stays suspended',
    lines: [`Your account stays suspended until ${dayOf(until)}.`, reasonOf(reason)],
  });

const HELD_FROM: Readonly<Record<HoldKind, string>> = {
  'sign-in': 'You cannot sign in for now.',
  'new-work': 'You cannot take on anything new for now. What you have begun goes on.',
  payout: 'What you have earned is not paid out for now. It waits for you.',
};
const LIFTED_FROM: Readonly<Record<HoldKind, string>> = {
  'sign-in': 'You can sign in again.',
  'new-work': 'You can take on new things again.',
  payout: 'What you have earned is paid out again.',
};

export const queueHoldMail = (
  context: ConsoleContext,
  person: Addressee,
  { kind, reason }: { kind: HoldKind; reason: string },
): Promise<void> =>
  queue(context, person, {
    subject: 'Your Rubadub account is restricted',
    lines: [HELD_FROM[kind], reasonOf(reason)],
  });

export const queueLiftedMail = (context: ConsoleContext, person: Addressee, kind: HoldKind): Promise<void> =>
  queue(context, person, {
    subject: 'Your Rubadub account is no longer restricted',
    lines: [LIFTED_FROM[kind]],
  });

export const queueReturnedPayoutMail = (
  context: ConsoleContext,
  person: Addressee,
  { amount, reason }: { amount: Cents; reason: string },
): Promise<void> =>
  queue(context, person, {
    subject: 'Your bank has sent a payout back',
    lines: [
      `Your bank did not take our payout of ${formatDollars(amount)}. You are owed the money as before.`,
      reasonOf(reason),
      'Please check your bank account on your earnings page and change it if it is wrong. Then write to us: your payouts wait until we know where to send them.',
    ],
  });

export const queueSignedOutMail = (context: ConsoleContext, person: Addressee, reason: string): Promise<void> =>
  queue(context, person, {
    subject: 'You were signed out of Rubadub',
    lines: ['We have signed you out on every device. You can sign in again.', reasonOf(reason)],
  });

export const queueCardMail = (
  context: ConsoleContext,
  person: Addressee,
  { order, cents }: { order: string; cents: Cents },
): Promise<void> =>
  queue(context, person, {
    subject: 'Your card could not be charged',
    lines: [
      `Your bank has ended the hold on your card for order ${order}, so we could not charge ${formatDollars(cents)}. The order goes on.`,
      'Please write to us: we tell you how to pay with another card. Never send the number of a card by email.',
    ],
  });
