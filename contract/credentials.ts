import { Nothing, User } from './accounts.ts';
import { anyRole, call } from './call.ts';
import { currentPassword, email, newPassword, otp, strict } from './fields.ts';

const newEmail = email('Email is required', 'Please enter a valid email address');

export const changePassword = call({
  method: 'POST',
  path: '/profile/change-password',
  who: anyRole,
  body: strict({ currentPassword, newPassword }),
  answer: Nothing,
  status: 200,
  failures: ['tooMany'],
  summary: "Change the password. Ends the caller's other sessions, and this one stays",
  spec: '7.2',
  example: { body: { currentPassword: 'Rubadub1!', newPassword: 'Rubadub2!' } },
});

export const sendEmailChangeCodes = call({
  method: 'POST',
  path: '/profile/change-email/send-codes',
  who: anyRole,
  body: strict({ newEmail, password: currentPassword }),
  answer: Nothing,
  status: 200,
  failures: ['tooMany'],
  summary:
    'E-mail a code to the new address and another to the current one. The answer is the same whether or not the new address has an account',
  spec: '7.2',
  example: { body: { newEmail: 'ada.new@example.org', password: 'Rubadub1!' } },
});

export const changeEmail = call({
  method: 'POST',
  path: '/profile/change-email',
  who: anyRole,
  body: strict({ newEmail, oldCode: otp, newCode: otp }),
  answer: User,
  status: 200,
  failures: ['emailTaken', 'tooMany'],
  summary: "Change the e-mail address with the codes from both mails. Ends the caller's other sessions",
  spec: '7.2',
  example: { body: { newEmail: 'ada.new@example.org', oldCode: '123456', newCode: '654321' } },
});
