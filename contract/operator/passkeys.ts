import { z } from 'zod';
import { MAX_PASSKEYS, PASSKEY_NAME_MAXIMUM } from '../../domain/operators.ts';
import { email, id, signInPassword, strict, text, time, uuid } from '../fields.ts';
import { operatorCall } from './call.ts';

/** Bytes in base64url, as browsers send them. */
const bytes = (max: number) =>
  z
    .string({ error: 'Use the passkey again' })
    .max(max)
    .regex(/^[\w-]+$/);

const credentialId = bytes(1400);
const transports = z.array(z.string().regex(/^[a-z-]{1,30}$/)).max(10);
const type = z.literal('public-key');

/** What the browser answers when a passkey is used. Further properties are ignored: browsers add some. */
export const UsedPasskey = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type,
    response: z.object({ clientDataJSON: bytes(4000), authenticatorData: bytes(4000), signature: bytes(8000) }),
  })
  .meta({ id: 'UsedPasskey' });
export type UsedPasskey = z.output<typeof UsedPasskey>;

/** What the browser answers when a passkey is made. */
export const MadePasskey = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type,
    response: z.object({
      clientDataJSON: bytes(4000),
      attestationObject: bytes(40_000),
      transports: transports.optional(),
    }),
  })
  .meta({ id: 'MadePasskey' });
export type MadePasskey = z.output<typeof MadePasskey>;

const known = z.array(z.object({ id: z.string(), type, transports: z.array(z.string()) }));
const challenge = z.string().describe('works once, for five minutes');

/** What the browser is asked for when a passkey is used: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const PasskeyRequest = z
  .object({
    challenge,
    rpId: z.string(),
    timeout: z.int(),
    allowCredentials: known,
    userVerification: z.literal('required'),
  })
  .meta({ id: 'PasskeyRequest' });
export type PasskeyRequest = z.output<typeof PasskeyRequest>;

/** What the browser is asked for when a passkey is made: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyCreation = z
  .object({
    challenge,
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type })),
    timeout: z.int(),
    attestation: z.literal('none'),
    excludeCredentials: known,
    authenticatorSelection: z.object({
      residentKey: z.literal('preferred'),
      requireResidentKey: z.literal(false),
      userVerification: z.literal('required'),
    }),
  })
  .meta({ id: 'PasskeyCreation' });
export type PasskeyCreation = z.output<typeof PasskeyCreation>;

const Passkey = z
  .object({
    id: uuid,
    name: z.string(),
    site: z.string().describe('the host name that it was made for; it works nowhere else'),
    createdAt: time,
    lastUsedAt: time.nullable(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.output<typeof Passkey>;

export const listPasskeys = operatorCall({
  method: 'GET',
  path: '/operator/passkeys',
  permission: 'operator',
  answer: z.object({
    items: z.array(Passkey).max(MAX_PASSKEYS),
    origin: z
      .string()
      .nullable()
      .describe('where passkeys work; null when PUBLIC_URL is neither https nor this machine'),
  }),
  status: 200,
  failures: [],
  summary: 'The passkeys of the operator who asks',
});

const USED = {
  id: 'AQID',
  rawId: 'AQID',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AQID', signature: 'AQID' },
} as const;

export const beginPasskey = operatorCall({
  method: 'POST',
  path: '/operator/passkeys/begin',
  permission: 'operator',
  body: strict({}),
  answer: PasskeyCreation,
  status: 200,
  failures: ['codeTooOld', 'noRight', 'passkeysUnavailable', 'tooManyPasskeys'],
  summary: 'What a browser needs to make a passkey. Needs a second factor that is at most 15 minutes old',
  example: { body: {} },
});

export const addPasskey = operatorCall({
  method: 'POST',
  path: '/operator/passkeys',
  permission: 'operator',
  body: strict({
    name: text({ required: 'Give the passkey a name', name: 'The name', max: PASSKEY_NAME_MAXIMUM }),
    passkey: MadePasskey,
  }),
  answer: z.object({ id: uuid }),
  status: 200,
  failures: ['codeTooOld', 'noRight', 'wrongPasskey', 'passkeysUnavailable', 'passkeyKnown', 'tooManyPasskeys'],
  summary: 'Add a passkey that the browser has made. Needs a second factor that is at most 15 minutes old',
  example: {
    body: {
      name: 'Work laptop',
      passkey: { ...USED, response: { clientDataJSON: 'e30', attestationObject: 'AQID', transports: ['internal'] } },
    },
  },
});

export const removePasskey = operatorCall({
  method: 'POST',
  path: '/operator/passkeys/:id/remove',
  permission: 'operator',
  params: strict({ id: id('id') }),
  body: strict({}),
  answer: z.object({}),
  status: 200,
  failures: ['codeTooOld', 'noRight', 'notFound'],
  summary: 'Remove a passkey. The authenticator app stays. Needs a second factor that is at most 15 minutes old',
  example: { params: { id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab' }, body: {} },
});

export const beginPasskeySignIn = operatorCall({
  method: 'POST',
  path: '/operator/session/passkey/sign-in',
  permission: 'anyone',
  body: strict({
    email: email('Email is required', 'Please enter a valid email address'),
    password: signInPassword,
  }),
  answer: PasskeyRequest,
  status: 200,
  failures: ['wrongPassword', 'noPasskey', 'tooMany'],
  summary: 'What a browser needs to sign in with a passkey instead of a code',
  example: { body: { email: 'ada@town.example', password: 'Rubadub1!' } },
});

export const beginPasskeyEntry = operatorCall({
  method: 'POST',
  path: '/operator/session/passkey/begin',
  permission: 'operator',
  body: strict({}),
  answer: PasskeyRequest,
  status: 200,
  failures: ['noPasskey'],
  summary: 'What a browser needs to use a passkey where a new code is asked for',
  example: { body: {} },
});

export const enterPasskey = operatorCall({
  method: 'POST',
  path: '/operator/session/passkey',
  permission: 'operator',
  body: strict({ passkey: UsedPasskey }),
  answer: z.object({}),
  status: 200,
  failures: ['wrongPasskey', 'tooMany'],
  summary: 'Use a passkey where a new code is asked for: it counts as one for 15 minutes',
  example: { body: { passkey: USED } },
});
