import type { RenderedMail } from '../outgoing/renderMail.ts';
import { type MailTown, renderAccountMail } from './accountMails.ts';

/** Goes to the current address when somebody wants to change it. */
export function confirmEmailChangeMail(fullname: string, code: string, town: MailTown): RenderedMail {
  const content = {
    subject: 'Your code to change your email address',
    greeting: `Hello ${fullname},`,
    lines: [
      'You asked to change the email address of your {town} account. Enter this code in your profile, together with the one we sent to the new address:',
    ],
    code,
    closing: [
      'It expires in ten minutes. If you did not request it, do not share the code. Someone knows your password, so set a new one right away.',
    ],
  };
  return renderAccountMail(content, town);
}

/** Goes to the new address. */
export function newAddressCodeMail(code: string, town: MailTown): RenderedMail {
  const content = {
    subject: 'Your code for this email address',
    greeting: 'Hello,',
    lines: ['Enter this code in your {town} profile to confirm this address:'],
    code,
    closing: ['It expires in ten minutes. If you did not request it, you can ignore this email.'],
  };
  return renderAccountMail(content, town);
}

/** Goes to the new address when another account has it. */
export function newAddressTakenMail(fullname: string, town: MailTown): RenderedMail {
  const content = {
    subject: 'This address already has {a town} account',
    greeting: `Hello ${fullname},`,
    lines: [
      'Someone, most likely you, wants to use this address for another {town} account. It already has one, so there is no code. Sign in to that account, or choose another address.',
    ],
    button: { label: 'Sign in', link: `${town.publicUrl}/#/login` },
  };
  return renderAccountMail(content, town);
}

/** Goes to the address that the account had before. */
export function emailChangedMail(fullname: string, town: MailTown): RenderedMail {
  const content = {
    subject: 'Your {town} email address was changed',
    greeting: `Hello ${fullname},`,
    lines: [
      'Your account now has a different email address, and every other device was signed out. We will no longer send emails to this address.',
      `If this was not you, email ${town.supportEmail} right away. We can give you your account back.`,
    ],
  };
  return renderAccountMail(content, town);
}
