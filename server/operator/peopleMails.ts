import type { Role } from '../../domain/accounts.ts';
import { type Cents, formatDollars } from '../../domain/payments.ts';
import { RESTRICTION_KINDS, type RestrictionKind, type WorkChoice } from '../../domain/restrictions.ts';
import { dayOf, renderAccountMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { findContact, type PersonRecord } from './people.sql.ts';
import { listPresentRestrictions } from './restrictions.sql.ts';

const reasonOf = (reason: string) => `The reason: ${reason}`;

type Addressee = Pick<PersonRecord, 'id' | 'fullname' | 'role'>;
type Content = { readonly subject: string; readonly lines: readonly string[] };

async function queue(
  context: ConsoleContext,
  { id, fullname }: Pick<Addressee, 'id' | 'fullname'>,
  content: Content,
): Promise<void> {
  const { db, newId, now, wake } = context;
  const contact = await findContact(db, id);
  // An account that was erased has no address.
  if (!contact?.email) return;
  const town = await readPublicTown(context);
  const closing = [`If this is wrong, or if you have a question, email us at ${town.supportEmail}.`];
  const { subject, lines } = content;
  const mail = renderAccountMail({ subject, greeting: `Hello ${fullname},`, lines: [...lines], closing }, town);
  await queueMail(db, { id: newId(), recipient: contact.email, ...mail }, now());
  wake('mail');
}

/** What becomes of the open orders of a suspended person. */
type DecidedWork = { readonly order: string; readonly choice: WorkChoice };

function workLines(role: Role, work: readonly DecidedWork[], isSignedOut: boolean): string[] {
  const stays = isSignedOut ? 'Please email us about this, which you have begun' : 'Please finish this as planned';
  const texts: Record<WorkChoice, string> = {
    finish: role === 'Bud' ? 'These orders of yours go on' : stays,
    another: 'This is no longer yours, and somebody else can do it',
    cancel: 'This is cancelled',
  };
  return (['finish', 'another', 'cancel'] as const).flatMap((choice) => {
    const orders = work.filter((one) => one.choice === choice).map(({ order }) => order);
    return orders.length > 0 ? [`${texts[choice]}: ${orders.join(', ')}.`] : [];
  });
}

export const queueSuspendedMail = (
  context: ConsoleContext,
  person: PersonRecord,
  {
    reason,
    until,
    isSignedOut,
    work,
  }: { reason: string; until: Date; isSignedOut: boolean; work: readonly DecidedWork[] },
): Promise<void> =>
  queue(context, person, {
    subject: 'Your {town} account is suspended',
    lines: [
      `Your account is suspended until ${dayOf(until)}.`,
      reasonOf(reason),
      person.role === 'Bud'
        ? 'Until then you cannot place orders.'
        : 'Until then you get no new work, and what you have earned waits.',
      ...(isSignedOut ? ['You are signed out, and cannot sign in until then.'] : []),
      ...workLines(person.role, work, isSignedOut),
    ],
  });

/** Call it once the restrictions of the suspension are lifted. `before` is what the person was kept from until then. */
export async function queueReinstatedMail(
  context: ConsoleContext,
  person: Addressee,
  before: readonly RestrictionKind[],
): Promise<void> {
  const still = await listPresentRestrictions(context.db, person.id);
  const texts = RESTRICTION_KINDS.filter((kind) => before.includes(kind)).map((kind) =>
    (still.includes(kind) ? stillHeldFrom : liftedFrom)(kind, person.role),
  );
  await queue(context, person, {
    subject: 'Your {town} account is no longer suspended',
    lines: ['Your account is no longer suspended.', texts.join(' ')],
  });
}

export const queueExtendedMail = (
  context: ConsoleContext,
  person: Addressee,
  { until, reason }: { until: Date; reason: string },
): Promise<void> =>
  queue(context, person, {
    subject: 'Your {town} account stays suspended',
    lines: [`Your account stays suspended until ${dayOf(until)}.`, reasonOf(reason)],
  });

const heldFrom = (kind: RestrictionKind, role: Role): string =>
  ({
    'sign-in': 'You cannot sign in for now.',
    'new-work':
      role === 'Bud'
        ? 'You cannot place orders for now. Your open orders go on.'
        : 'You get no new work for now. What you have begun goes on.',
    payout: 'What you have earned is not paid out for now. It waits for you.',
  })[kind];
const liftedFrom = (kind: RestrictionKind, role: Role): string =>
  ({
    'sign-in': 'You can sign in again.',
    'new-work': role === 'Bud' ? 'You can place orders again.' : 'You can get new work again.',
    payout: 'What you have earned is paid out again.',
  })[kind];
/** Another restriction keeps them from it, of which they have a mail. */
const stillHeldFrom = (kind: RestrictionKind, role: Role): string =>
  ({
    'sign-in': 'You still cannot sign in, for another reason: an earlier email of ours says which.',
    'new-work': `You still cannot ${role === 'Bud' ? 'place orders' : 'get new work'}, for another reason: an earlier email of ours says which.`,
    payout: 'What you have earned still waits, for another reason: an earlier email of ours says which.',
  })[kind];

export const queueRestrictionMail = (
  context: ConsoleContext,
  person: Addressee,
  { kind, reason }: { kind: RestrictionKind; reason: string },
): Promise<void> =>
  queue(context, person, {
    subject: 'Your {town} account is restricted',
    lines: [heldFrom(kind, person.role), reasonOf(reason)],
  });

/** Call it once the restriction is lifted. */
export async function queueLiftedMail(
  context: ConsoleContext,
  person: Addressee,
  kind: RestrictionKind,
): Promise<void> {
  const still = await listPresentRestrictions(context.db, person.id);
  const isFree = still.length === 0;
  await queue(context, person, {
    subject: isFree ? 'Your {town} account is no longer restricted' : 'A restriction of your {town} account has ended',
    lines: [still.includes(kind) ? stillHeldFrom(kind, person.role) : liftedFrom(kind, person.role)],
  });
}

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

export async function queueSignedOutMail(context: ConsoleContext, person: Addressee, reason: string): Promise<void> {
  const isHeld = (await listPresentRestrictions(context.db, person.id)).includes('sign-in');
  const next = isHeld ? stillHeldFrom('sign-in', person.role) : liftedFrom('sign-in', person.role);
  await queue(context, person, {
    subject: 'You were signed out of {town}',
    lines: [`We have signed you out on every device. ${next}`, reasonOf(reason)],
  });
}

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
