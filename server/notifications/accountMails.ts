import { type MailContent, type RenderedMail, renderMail } from '../outgoing/renderMail.ts';

// The texts of mails about an account; emailChangeMails.ts has those about a new address. renderMail.ts turns them into text
// and HTML.

/** A day in the text of a mail. */
export const dayOf = (at: Date): string => at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

export type MailConfig = { readonly publicUrl: string; readonly supportEmail: string };

export const renderAccountMail = (content: Omit<MailContent, 'help' | 'signature'>, { supportEmail }: MailConfig) =>
  renderMail({ ...content, help: `Questions? Email us at ${supportEmail}.`, signature: 'Rubadub' });

export function signUpCodeMail(code: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your Rubadub sign-up code',
    greeting: 'Welcome to Rubadub.',
    lines: ['Enter this code on the sign-up page to confirm your email address:'],
    code,
    closing: ['It expires in ten minutes. If you did not request it, you can ignore this email.'],
  };
  return renderAccountMail(content, config);
}

export function accountExistsMail(fullname: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'You already have a Rubadub account',
    greeting: `Hello ${fullname},`,
    lines: [
      'Someone, most likely you, requested a sign-up code for this address. You already have an account, so there is no code. Just sign in.',
    ],
    button: { label: 'Sign in', link: `${config.publicUrl}/#/login` },
    closing: ['Forgot your password? The sign-in page can send you a link to set a new one.'],
  };
  return renderAccountMail(content, config);
}

export function passwordResetMail(fullname: string, link: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Set a new Rubadub password',
    greeting: `Hello ${fullname},`,
    lines: ['Use this link to set a new password. It works once and expires in 1 hour:'],
    button: { label: 'Set a new password', link },
    closing: ['If you did not request it, you can ignore this email. Your password stays the same.'],
  };
  return renderAccountMail(content, config);
}

export function passwordChangedMail(
  fullname: string,
  config: MailConfig,
  signedOut: 'every device' | 'every other device' = 'every device',
): RenderedMail {
  const content = {
    subject: 'Your Rubadub password was changed',
    greeting: `Hello ${fullname},`,
    lines: [
      `Your password was just changed, and ${signedOut} was signed out.`,
      'If this was not you, set a new password right away and email us.',
    ],
    button: { label: 'Sign in', link: `${config.publicUrl}/#/login` },
  };
  return renderAccountMail(content, config);
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
  config: MailConfig,
): RenderedMail {
  const whom = hasOthers ? 'another operator' : 'who runs the server';
  const content = {
    subject: 'A new sign-in to the console of Rubadub',
    greeting: `Hello ${fullname},`,
    lines: [
      'Someone, most likely you, just signed in to the console from a new browser.',
      `If this was not you, sign out everywhere in the settings of the console, and ask ${whom} to ${hasOthers ? 'end the account or to reset it' : 'reset it'}.`,
    ],
    details: detailsOf(place),
    button: { label: 'Open the settings', link: `${config.publicUrl}/#/operator/settings` },
  };
  return renderAccountMail(content, config);
}

/** `network` says roughly where, such as '203.0.x.x'. */
export function newSignInMail(fullname: string, place: SignInPlace, config: MailConfig): RenderedMail {
  const content = {
    subject: 'A new sign-in to your Rubadub account',
    greeting: `Hello ${fullname},`,
    lines: [
      'Someone, most likely you, just signed in from a new device.',
      'If this was you, you can ignore this email. If it was not, set a new password right away. That signs out every device.',
    ],
    details: detailsOf(place),
    button: { label: 'Set a new password', link: `${config.publicUrl}/#/auth/forgot-password` },
    closing: [`You can see all signed-in devices in your profile: ${config.publicUrl}/#/profile`],
  };
  return renderAccountMail(content, config);
}

/** `before` is the end of the earlier account number, if there was one. */
export function payoutAccountMail(
  fullname: string,
  { last4, before, paysFrom }: { last4: string; before: string | undefined; paysFrom: Date },
  config: MailConfig,
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
    button: { label: 'Look at your earnings', link: `${config.publicUrl}/#/login` },
  };
  return renderAccountMail(content, config);
}

/** Without the end of the number, which some offices take for a proof of who somebody is. */
export function taxIdMail(fullname: string, { isReplaced }: { isReplaced: boolean }, config: MailConfig): RenderedMail {
  const content = {
    subject: isReplaced ? 'Your tax number on Rubadub was replaced' : 'Your tax number was added to Rubadub',
    greeting: `Hello ${fullname},`,
    lines: [
      isReplaced
        ? 'Another tax number was just entered for what you earn. The one before is deleted.'
        : 'A tax number was just entered for what you earn.',
      'If this was not you, set a new password right away and email us.',
    ],
    button: { label: 'Look at your earnings', link: `${config.publicUrl}/#/login` },
  };
  return renderAccountMail(content, config);
}

export function eraseAskedMail(fullname: string, dueAt: Date, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your Rubadub account is going to be deleted',
    greeting: `Hello ${fullname},`,
    lines: [
      `Your account and your data will be deleted on ${dayOf(dueAt)}. You are signed out everywhere, and nobody finds you any more.`,
      'Have you changed your mind, or was this not you? Sign in before then and press “Keep My Account”.',
    ],
    button: { label: 'Keep my account', link: `${config.publicUrl}/#/profile` },
    closing: ['This is the last email about it: once your account is deleted, we do not have your address any more.'],
  };
  return renderAccountMail(content, config);
}

export function accountKeptMail(fullname: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your Rubadub account is kept',
    greeting: `Hello ${fullname},`,
    lines: ['Your account is not deleted. Everything is as it was.'],
    closing: ['If this was not you, set a new password right away and email us.'],
  };
  return renderAccountMail(content, config);
}

export function exportReadyMail(fullname: string, until: Date, config: MailConfig): RenderedMail {
  const content = {
    subject: 'The copy of your Rubadub data is ready',
    greeting: `Hello ${fullname},`,
    lines: [
      `You can download it from your profile until ${dayOf(until)}.`,
      'If you did not ask for it, set a new password right away and email us.',
    ],
    button: { label: 'Open your profile', link: `${config.publicUrl}/#/profile` },
  };
  return renderAccountMail(content, config);
}
