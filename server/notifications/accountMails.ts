import { type MailContent, type RenderedMail, renderMail } from '../mail/renderMail.ts';

// The texts of mails about an account; emailChangeMails.ts has those about a new address. renderMail.ts turns them into text
// and HTML.

export type MailConfig = { readonly publicUrl: string; readonly supportEmail: string };

export const renderAccountMail = (content: Omit<MailContent, 'help' | 'signature'>, { supportEmail }: MailConfig) =>
  renderMail({ ...content, help: `Questions? Write to ${supportEmail}.`, signature: 'Rubadub' });

export function signUpCodeMail(code: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your Rubadub sign-up code',
    greeting: 'Welcome to Rubadub.',
    lines: ['Type this code into the sign-up page to show that this address is yours:'],
    code,
    closing: ['It is good for ten minutes. If you did not ask for it, you need not do anything.'],
  };
  return renderAccountMail(content, config);
}

export function accountExistsMail(fullname: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'You already have a Rubadub account',
    greeting: `Hello ${fullname},`,
    lines: [
      'Somebody, most likely you, asked for a sign-up code for this address. It has an account already, so there is no code: just sign in.',
    ],
    button: { label: 'Sign in', link: `${config.publicUrl}/#/login` },
    closing: ['If the password will not come to mind, the sign-in page can send you a link for a new one.'],
  };
  return renderAccountMail(content, config);
}

export function passwordResetMail(fullname: string, link: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Set a new Rubadub password',
    greeting: `Hello ${fullname},`,
    lines: ['Here is the link to set a new password. It works once, within the next hour:'],
    button: { label: 'Set a new password', link },
    closing: ['If you did not ask for it, you need not do anything: your password stays as it is.'],
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
      'If this was not you, set a new password at once and write to us.',
    ],
    button: { label: 'Sign in', link: `${config.publicUrl}/#/login` },
  };
  return renderAccountMail(content, config);
}

/** `network` says roughly where, such as '203.0.x.x'. */
export function newSignInMail(
  fullname: string,
  { at, browser, network }: { at: Date; browser: string; network: string },
  config: MailConfig,
): RenderedMail {
  const when = at.toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
  const content = {
    subject: 'A new sign-in to your Rubadub account',
    greeting: `Hello ${fullname},`,
    lines: [
      'Somebody, most likely you, just signed in from a device that you have not used before.',
      'If this was you, you need not do anything. If it was not, set a new password at once: that signs out every device.',
    ],
    details: [
      ['When', `${when} UTC`],
      ['Browser', browser],
      ['Network', network],
    ] as const,
    button: { label: 'Set a new password', link: `${config.publicUrl}/#/auth/forgot-password` },
    closing: [`Your profile lists the devices that are signed in: ${config.publicUrl}/#/profile`],
  };
  return renderAccountMail(content, config);
}
