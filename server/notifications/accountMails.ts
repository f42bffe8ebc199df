import { legalLines, withArticle } from '../../domain/identity.ts';
import { type MailContent, type RenderedMail, renderMail } from '../outgoing/renderMail.ts';
import type { PublicTown } from '../town/identity.sql.ts';

// The texts of mails about an account; emailChangeMails.ts has those about a new address. renderMail.ts turns them into text
// and HTML.

/** The town, in whose name a mail is sent. */
export type MailTown = Omit<PublicTown, 'sender'>;
type Content = Omit<MailContent, 'help' | 'signature' | 'color' | 'legal'>;

/** A day in the text of a mail. */
export const dayOf = (at: Date): string => at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** In what the content says, {town} stands for the name of the town, and {a town} for the name after an article. */
export function renderAccountMail(
  { subject, greeting, lines, button, ...content }: Content,
  town: MailTown,
): RenderedMail {
  const say = (text: string) => text.replaceAll('{town}', town.name).replaceAll('{a town}', withArticle(town.name));
  return renderMail({
    ...content,
    subject: say(subject),
    greeting: say(greeting),
    lines: lines.map(say),
    ...(button ? { button: { ...button, label: say(button.label) } } : {}),
    help: `Questions? Email us at ${town.supportEmail}.`,
    signature: town.name,
    color: town.color,
    legal: legalLines(town),
  });
}

export function signUpCodeMail(code: string, town: MailTown): RenderedMail {
  const content = {
    subject: 'Your {town} sign-up code',
    greeting: 'Welcome to {town}.',
    lines: ['Enter this code on the sign-up page to confirm your email address:'],
    code,
    closing: ['It expires in ten minutes. If you did not request it, you can ignore this email.'],
  };
  return renderAccountMail(content, town);
}

export function accountExistsMail(fullname: string, town: MailTown): RenderedMail {
  const content = {
    subject: 'You already have {a town} account',
    greeting: `Hello ${fullname},`,
    lines: [
      'Someone, most likely you, requested a sign-up code for this address. You already have an account, so there is no code. Just sign in.',
    ],
    button: { label: 'Sign in', link: `${town.publicUrl}/#/login` },
    closing: ['Forgot your password? The sign-in page can send you a link to set a new one.'],
  };
  return renderAccountMail(content, town);
}

export function passwordResetMail(fullname: string, link: string, town: MailTown): RenderedMail {
  const content = {
    subject: 'Set a new {town} password',
    greeting: `Hello ${fullname},`,
    lines: ['Use this link to set a new password. It works once and expires in 1 hour:'],
    button: { label: 'Set a new password', link },
    closing: ['If you did not request it, you can ignore this email. Your password stays the same.'],
  };
  return renderAccountMail(content, town);
}

export function passwordChangedMail(
  fullname: string,
  town: MailTown,
  signedOut: 'every device' | 'every other device' = 'every device',
): RenderedMail {
  const content = {
    subject: 'Your {town} password was changed',
    greeting: `Hello ${fullname},`,
    lines: [
      `Your password was just changed, and ${signedOut} was signed out.`,
      'If this was not you, set a new password right away and email us.',
    ],
    button: { label: 'Sign in', link: `${town.publicUrl}/#/login` },
  };
  return renderAccountMail(content, town);
}

type SignInPlace = { readonly at: Date; readonly browser: string; readonly network: string };

function detailsOf({ at, browser, network }: SignInPlace) {
  const when = at.toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
  return [
    ['When', `${when} UTC`],
    ['Browser', browser],
    ['Network', network],
  ] as const;
}

/** To an operator, whose account is not the one that people have. */
export function operatorSignInMail(
  fullname: string,
  { hasOthers, ...place }: SignInPlace & { readonly hasOthers: boolean },
  town: MailTown,
): RenderedMail {
  const whom = hasOthers ? 'another operator' : 'who runs the server';
  const content = {
    subject: 'A new sign-in to the console of {town}',
    greeting: `Hello ${fullname},`,
    lines: [
      'Someone, most likely you, just signed in to the console from a new browser.',
      `If this was not you, sign out everywhere in the settings of the console, and ask ${whom} to ${hasOthers ? 'end the account or to reset it' : 'reset it'}.`,
    ],
    details: detailsOf(place),
    button: { label: 'Open the settings', link: `${town.publicUrl}/#/operator/settings` },
  };
  return renderAccountMail(content, town);
}

/** `network` says roughly where, such as '203.0.x.x'. */
export function newSignInMail(fullname: string, place: SignInPlace, town: MailTown): RenderedMail {
  const content = {
    subject: 'A new sign-in to your {town} account',
    greeting: `Hello ${fullname},`,
    lines: [
      'Someone, most likely you, just signed in from a new device.',
      'If this was you, you can ignore this email. If it was not, set a new password right away. That signs out every device.',
    ],
    details: detailsOf(place),
    button: { label: 'Set a new password', link: `${town.publicUrl}/#/auth/forgot-password` },
    closing: [`You can see all signed-in devices in your profile: ${town.publicUrl}/#/profile`],
  };
  return renderAccountMail(content, town);
}

/** `before` is the end of the earlier account number, if there was one. */
export function payoutAccountMail(
  fullname: string,
  { last4, before, paysFrom }: { last4: string; before: string | undefined; paysFrom: Date },
  town: MailTown,
): RenderedMail {
  const from = paysFrom.toLocaleString('en-US', { dateStyle: 'full', timeZone: 'UTC' });
  const change =
    before === undefined
      ? `Your payouts now go to the bank account that ends in ${last4}.`
      : `Your payouts now go to the bank account that ends in ${last4}, and no longer to the one that ends in ${before}.`;
  const content = {
    subject: 'The bank account for your payouts has changed',
    greeting: `Hello ${fullname},`,
    lines: [
      `${change} Payouts wait until ${from}.`,
      'If this was not you, set a new password right away and email us before then.',
    ],
    button: { label: 'Look at your earnings', link: `${town.publicUrl}/#/login` },
  };
  return renderAccountMail(content, town);
}

/** Without the end of the number, which some offices take for a proof of who somebody is. */
export function taxIdMail(fullname: string, { isReplaced }: { isReplaced: boolean }, town: MailTown): RenderedMail {
  const content = {
    subject: isReplaced ? 'Your tax number on {town} was replaced' : 'Your tax number was added to {town}',
    greeting: `Hello ${fullname},`,
    lines: [
      isReplaced
        ? 'Another tax number was just entered for what you earn. The one before is deleted.'
        : 'A tax number was just entered for what you earn.',
      'If this was not you, set a new password right away and email us.',
    ],
    button: { label: 'Look at your earnings', link: `${town.publicUrl}/#/login` },
  };
  return renderAccountMail(content, town);
}

export function eraseAskedMail(fullname: string, dueAt: Date, town: MailTown): RenderedMail {
  const content = {
    subject: 'Your {town} account is going to be deleted',
    greeting: `Hello ${fullname},`,
    lines: [
      `Your account and your data will be deleted on ${dayOf(dueAt)}. You are signed out everywhere, and nobody finds you any more.`,
      'Have you changed your mind, or was this not you? Sign in before then and press “Keep My Account”.',
    ],
    button: { label: 'Keep my account', link: `${town.publicUrl}/#/profile` },
    closing: ['This is the last email about it: once your account is deleted, we do not have your address any more.'],
  };
  return renderAccountMail(content, town);
}

export function accountKeptMail(fullname: string, town: MailTown): RenderedMail {
  const content = {
    subject: 'Your {town} account is kept',
    greeting: `Hello ${fullname},`,
    lines: ['Your account is not deleted. Everything is as it was.'],
    closing: ['If this was not you, set a new password right away and email us.'],
  };
  return renderAccountMail(content, town);
}

export function exportReadyMail(fullname: string, until: Date, town: MailTown): RenderedMail {
  const content = {
    subject: 'The copy of your {town} data is ready',
    greeting: `Hello ${fullname},`,
    lines: [
      `You can download it from your profile until ${dayOf(until)}.`,
      'If you did not ask for it, set a new password right away and email us.',
    ],
    button: { label: 'Open your profile', link: `${town.publicUrl}/#/profile` },
  };
  return renderAccountMail(content, town);
}
