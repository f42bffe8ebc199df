import { z } from 'zod';
import { ROLES } from '../domain/accounts.ts';
import { anyRole, call } from './call.ts';
import {
  accountEmail,
  editedText,
  email,
  flag,
  newPassword,
  oneOf,
  otp,
  personName,
  phone,
  signInPassword,
  strict,
  text,
  time,
  uuid,
} from './fields.ts';
import { Address, addressBody } from './places.ts';

const FULL_NAME = { required: 'Full Name is required', name: 'Full Name', max: 100 };

const ADDRESS_EXAMPLE = {
  address: '12 Heron Street, Soapwick',
  label: 'Default',
  latitude: 24.0123,
  longitude: 67.0345,
};

// spec 3
export const User = z
  .object({
    id: uuid,
    fullname: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    role: z.enum(ROLES),
    isActive: z.boolean().describe('whether Buds can find this Scrub'),
    addresses: z.array(Address),
    erasedAt: time.nullable().optional().describe('when the account is going to be erased; null for all others'),
    hasCases: z.boolean().optional().describe('whether there is a case that they are a person of'),
  })
  .meta({ id: 'User' });
export type User = z.output<typeof User>;

const SignedIn = z.object({ authToken: z.string(), user: User }).meta({ id: 'SignedIn' });
export const Nothing = z.object({}).meta({ id: 'Nothing' });

export const login = call({
  method: 'POST',
  path: '/auth/login',
  who: 'anyone',
  device: true,
  body: strict({ email: accountEmail('Email is required', 'Email is invalid'), password: signInPassword }),
  answer: SignedIn,
  status: 200,
  failures: ['wrongPassword', 'signInHeld', 'tooMany'],
  summary: 'Sign in',
  spec: '7.1',
  example: { body: { email: 'bud@rubadub.test', password: 'Rubadub1!' } },
});

export const signUp = call({
  method: 'POST',
  path: '/auth/signUp',
  who: 'anyone',
  device: true,
  body: strict({
    email: email('Email is required', 'Email is invalid'),
    emailOtp: otp,
    fullname: personName(FULL_NAME),
    password: newPassword,
    role: oneOf(ROLES, 'Please select your role'),
    phone: phone('Please enter a valid phone'),
    address: addressBody,
  }),
  answer: SignedIn,
  status: 201,
  failures: ['emailTaken', 'tooMany'],
  summary: 'Create an account with the code from the e-mail',
  spec: '7.1',
  example: {
    body: {
      email: 'ada@example.org',
      emailOtp: '123456',
      fullname: 'Ada Byron',
      password: 'Rubadub1!',
      role: 'Bud',
      phone: '+12025550123',
      address: ADDRESS_EXAMPLE,
    },
  },
});

export const sendOtpForEmail = call({
  method: 'POST',
  path: '/auth/send-otp-for-email',
  who: 'anyone',
  body: strict({ email: email('Email is required to send OTP', 'Please enter a valid email address') }),
  answer: Nothing,
  status: 200,
  failures: ['tooMany'],
  summary: 'E-mail a sign-up code. The answer is the same whether or not the address has an account',
  spec: '7.1',
  example: { body: { email: 'ada@example.org' } },
});

export const forgotPassword = call({
  method: 'POST',
  path: '/auth/forgot-password',
  who: 'anyone',
  device: true,
  body: strict({ email: accountEmail('Email is required', 'Please enter a valid email address') }),
  answer: Nothing,
  status: 200,
  failures: ['tooMany'],
  summary: 'E-mail a link to set a new password. The answer is the same whether or not the address has an account',
  spec: '7.1',
  example: { body: { email: 'ada@example.org' } },
});

export const resetPassword = call({
  method: 'POST',
  path: '/auth/reset-password',
  who: 'anyone',
  device: true,
  body: strict({
    token: text({ required: 'Invalid or missing reset token', name: 'Token', max: 200 }),
    newPassword,
  }),
  answer: Nothing,
  status: 200,
  failures: ['staleResetToken', 'signInHeld', 'tooMany'],
  summary: 'Set a new password with the link from the e-mail. Ends all sessions of the account',
  spec: '7.1',
  example: { body: { token: 'kT3kq0yYt2bW5nC8rJ1mZw', newPassword: 'Rubadub2!' } },
});

export const session = call({
  method: 'GET',
  path: '/auth/session',
  who: anyRole,
  answer: z.object({ user: User }),
  status: 200,
  failures: [],
  summary: 'The user of the token',
  spec: '7.1',
});

export const logout = call({
  method: 'POST',
  path: '/auth/logout',
  who: anyRole,
  answer: z.undefined(),
  status: 204,
  failures: [],
  summary: 'End the session. The token stops working at once, on every server',
  spec: '2.2',
});

export const profile = call({
  method: 'GET',
  path: '/profile',
  who: anyRole,
  answer: User,
  status: 200,
  failures: [],
  summary: "The caller's profile, with addresses",
  spec: '7.2',
});

/** The name that `updateProfile` checks when it changes. */
export const newNames = z.object({ fullname: personName(FULL_NAME) });

export const updateProfile = call({
  method: 'POST',
  path: '/profile',
  who: anyRole,
  body: strict({
    fullname: editedText(FULL_NAME).optional(),
    phone: phone('Invalid phone number'),
  }),
  answer: User,
  status: 200,
  failures: [],
  summary: "Change the caller's name and phone. Missing properties stay as they are",
  spec: '7.2',
  example: { body: { fullname: 'Ada Lovelace', phone: '+12025550123' } },
});

export const changeVisibility = call({
  method: 'POST',
  path: '/profile/change-visibility',
  who: ['Scrub'],
  body: strict({ isActive: flag('isActive') }),
  answer: z.object({ isActive: z.boolean() }),
  status: 200,
  failures: [],
  summary: 'Show or hide this Scrub in the search of Buds',
  spec: '7.2',
  example: { body: { isActive: false } },
});
