import { z } from 'zod';
import { CODE_PERIOD_S, PERMISSIONS } from '../../domain/operators.ts';
import { email, flag, newPassword, otp, personName, signInPassword, strict, time, uuid } from '../fields.ts';
import { operatorCall } from './call.ts';
import { UsedPasskey } from './passkeys.ts';

const address = email('Email is required', 'Please enter a valid email address');
const caps = z.array(z.enum(PERMISSIONS));

/** Who is signed in to the console. */
export const OperatorSession = z
  .object({
    operator: z.object({ id: uuid, fullname: z.string(), email: z.string(), caps }),
    endsAt: time.describe('when the operator must sign in again'),
    isDemo: z.boolean().describe('whether it is the operator of the demo, who has no second factor'),
  })
  .meta({ id: 'OperatorSession' });
export type OperatorSession = z.output<typeof OperatorSession>;

const SignedIn = z
  .object({
    authToken: z.string().describe('for programs; browsers get it in a cookie too'),
    session: OperatorSession,
  })
  .meta({ id: 'OperatorSignedIn' });

const code = otp.describe(`of the authenticator app; a new one every ${CODE_PERIOD_S} seconds`);

export const operatorSignIn = operatorCall({
  method: 'POST',
  path: '/operator/session',
  permission: 'anyone',
  session: 'begins',
  body: strict({ email: address, password: signInPassword, code: code.optional(), passkey: UsedPasskey.optional() }),
  answer: SignedIn,
  status: 200,
  failures: [
    ...(['keyMissing', 'wrongPassword', 'wrongCode', 'wrongPasskey'] as const),
    ...(['codeNeeded', 'codeOrPasskeyNeeded', 'tooMany'] as const),
  ],
  summary: 'Sign in to the console, with a code or a passkey. Only the operator of the demo signs in without either',
  example: { body: { email: 'ada@town.example', password: 'Rubadub1!', code: '123456' } },
});

export const readOperatorSession = operatorCall({
  method: 'GET',
  path: '/operator/session',
  permission: 'operator',
  answer: OperatorSession,
  status: 200,
  failures: [],
  summary: 'Who is signed in, and with which rights',
});

export const operatorSignOut = operatorCall({
  method: 'POST',
  path: '/operator/session/end',
  permission: 'operator',
  session: 'ends',
  body: strict({ everywhere: flag('everywhere').optional() }),
  answer: z.undefined(),
  status: 204,
  failures: [],
  summary: 'End this session, or all sessions of the operator',
  example: { body: {} },
});

export const enterCode = operatorCall({
  method: 'POST',
  path: '/operator/session/code',
  permission: 'operator',
  body: strict({ code }),
  answer: z.object({}),
  status: 200,
  failures: ['keyMissing', 'wrongCode', 'tooMany'],
  summary: 'Enter a new code. Calls that touch money ask for one that is at most 15 minutes old',
  example: { body: { code: '123456' } },
});

const token = z.string({ error: 'The link is not complete' }).min(1, 'The link is not complete').max(100);

export const readInvitation = operatorCall({
  method: 'POST',
  path: '/operator/invitation',
  permission: 'anyone',
  body: strict({ token }),
  answer: z
    .object({
      email: z.string().nullable().describe('null when the invitation is for anyone who has the link'),
      caps,
      fullname: z
        .string()
        .nullable()
        .describe('set for an operator who gets a new password and a new second factor, and keeps name and rights'),
      setup: z.string().describe('sent back with the code of the app; a new one each time, for an hour'),
      secret: z.string().describe('for the authenticator app, in base32'),
      address: z.string().describe('the same as an otpauth address, for a QR code'),
    })
    .meta({ id: 'OperatorInvitation' }),
  status: 200,
  failures: ['badInvitation', 'tooMany'],
  summary: 'What an invitation is for. The link works until it is used or has expired',
  example: { body: { token: 'abc' } },
});

export const acceptInvitation = operatorCall({
  method: 'POST',
  path: '/operator/join',
  permission: 'anyone',
  session: 'begins',
  body: strict({
    token,
    setup: z.string({ error: 'Open the link again' }).min(1, 'Open the link again').max(1000),
    email: address,
    fullname: personName({ required: 'Full name is required', name: 'Full name', max: 100 }),
    password: newPassword,
    code,
  }),
  answer: SignedIn,
  status: 200,
  failures: ['keyMissing', 'badInvitation', 'wrongCode', 'emailTaken', 'tooMany'],
  summary: 'Become an operator with the link of an invitation, or get a new second factor. Signs in at once',
  example: {
    body: {
      token: 'abc',
      setup: 'abc',
      email: 'ada@town.example',
      fullname: 'Ada Operator',
      password: 'Rubadub1!',
      code: '123456',
    },
  },
});
