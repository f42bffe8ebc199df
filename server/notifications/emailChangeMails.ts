import type { RenderedMail } from '../mail/renderMail.ts';
import { type MailConfig, renderAccountMail } from './accountMails.ts';

/** Goes to the current address when somebody wants to change it. */
export function confirmEmailChangeMail(fullname: string, code: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your code to change your e-mail address',
    greeting: `Hello ${fullname},`,
    lines: [
      'You asked to use Rubadub with another e-mail address. Type this code into your profile, together with the one that we sent to the new address:',
    ],
    code,
    closing: [
      'It works for ten minutes. If you did not ask for it, tell nobody the code: somebody knows your password. Set a new one at once.',
    ],
  };
  return renderAccountMail(content, config);
}

/** Goes to the new address. */
export function newAddressCodeMail(code: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your code for this e-mail address',
    greeting: 'Hello,',
    lines: ['Type this code into your Rubadub profile to show that this address is yours:'],
    code,
    closing: ['It works for ten minutes. If you did not ask for it, you need not do anything.'],
  };
  return renderAccountMail(content, config);
}

/** Goes to the new address when another account has it. */
export function newAddressTakenMail(fullname: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'This address already has a Rubadub account',
    greeting: `Hello ${fullname},`,
    lines: [
      'Somebody, most likely you, wants to use this address for another Rubadub account. It already has one, so there is no code: sign in to it, or choose another address.',
    ],
    button: { label: 'Sign in', link: `${config.publicUrl}/#/login` },
  };
  return renderAccountMail(content, config);
}

/** Goes to the address that the account had before. */
export function emailChangedMail(fullname: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your Rubadub e-mail address was changed',
    greeting: `Hello ${fullname},`,
    lines: [
      'Your account now has another e-mail address, and every other device was signed out. This address gets no more mails from us.',
      `If this was not you, write to ${config.supportEmail} at once: we can give the account back to you.`,
    ],
  };
  return renderAccountMail(content, config);
}
