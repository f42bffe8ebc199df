import type { RenderedMail } from '../outgoing/renderMail.ts';
import { type MailConfig, renderAccountMail } from './accountMails.ts';

/** Goes to the current address when somebody wants to change it. */
export function confirmEmailChangeMail(fullname: string, code: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your code to change your email address',
    greeting: `Hello ${fullname},`,
    lines: [
      'You asked to change the email address of your Rubadub account. Enter this code in your profile, together with the one we sent to the new address:',
    ],
    code,
    closing: [
      'It expires in ten minutes. If you did not request it, do not share the code. Someone knows your password, so set a new one right away.',
    ],
  };
  return renderAccountMail(content, config);
}

/** Goes to the new address. */
export function newAddressCodeMail(code: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your code for this email address',
    greeting: 'Hello,',
    lines: ['Enter this code in your Rubadub profile to confirm this address:'],
    code,
    closing: ['It expires in ten minutes. If you did not request it, you can ignore this email.'],
  };
  return renderAccountMail(content, config);
}

/** Goes to the new address when another account has it. */
export function newAddressTakenMail(fullname: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'This address already has a Rubadub account',
    greeting: `Hello ${fullname},`,
    lines: [
      'Someone, most likely you, wants to use this address for another Rubadub account. It already has one, so there is no code. Sign in to that account, or choose another address.',
    ],
    button: { label: 'Sign in', link: `${config.publicUrl}/#/login` },
  };
  return renderAccountMail(content, config);
}

/** Goes to the address that the account had before. */
export function emailChangedMail(fullname: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your Rubadub email address was changed',
    greeting: `Hello ${fullname},`,
    lines: [
      'Your account now has a different email address, and every other device was signed out. We will no longer send emails to this address.',
      `If this was not you, email ${config.supportEmail} right away. We can give you your account back.`,
    ],
  };
  return renderAccountMail(content, config);
}
