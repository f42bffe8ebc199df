import { z } from 'zod';
import { isColor } from '../../domain/colors.ts';
import { DEFAULT_IDENTITY, LOGO_MAX_BYTES } from '../../domain/identity.ts';
import { email, optionalText, phone, text, time } from '../fields.ts';
import { act, operatorCall } from './call.ts';

const color = z
  .string({ error: 'Choose a colour' })
  .overwrite((value) => value.trim().toLowerCase())
  .refine(isColor, { error: 'A colour is like #0b6e8b', params: { constraint: 'isColor' } });

export const TownIdentity = z
  .object({
    name: z.string(),
    color: z.string().describe('#rrggbb'),
    legalName: z.string().nullable(),
    address: z.string().nullable(),
    taxNumber: z.string().nullable(),
    supportEmail: z.string().nullable().describe('null while that of the configuration is used'),
    phone: z.string().nullable(),
    hasLogo: z.boolean(),
    configuredEmail: z.string().describe('the support address of the configuration'),
    setBy: z.string().nullable(),
    since: time.nullable(),
  })
  .meta({ id: 'TownIdentity' });
export type TownIdentity = z.output<typeof TownIdentity>;

export const readIdentity = operatorCall({
  method: 'GET',
  path: '/operator/town/identity',
  permission: 'operator',
  answer: TownIdentity,
  status: 200,
  failures: [],
  summary: 'The name, the colour and the legal data of the town',
});

export const setIdentity = act({
  path: '/operator/town/identity',
  permission: 'admin',
  // Mails that can stop an act go to the support address, and people trust the name.
  act: { subject: 'town', takesCode: true, approval: 'always' },
  body: {
    name: text({ required: 'Enter the name of the town', name: 'The name', max: 40 }),
    color,
    legalName: optionalText('The legal name', 120, 'one'),
    address: optionalText('The address', 300, 'many'),
    taxNumber: optionalText('The tax number', 40, 'one'),
    supportEmail: email('Enter an email address', 'Please enter a valid email address').nullish(),
    phone: phone('Please enter a valid phone number, with +'),
  },
  failures: [],
  summary: 'How the town is called, its colour, and who runs it. Needs a second operator',
  example: {
    body: {
      ...{ name: DEFAULT_IDENTITY.name, color: DEFAULT_IDENTITY.color },
      ...{ legalName: 'Riverside Laundry LLC', address: '1 Quay Street, Riverside', taxNumber: '12-3456789' },
      reason: 'The town has opened',
    },
  },
});

export const setLogo = act({
  path: '/operator/town/logo',
  permission: 'admin',
  act: { subject: 'town', takesCode: true },
  body: {
    photo: z
      .string({ error: 'Choose a picture' })
      .refine((value) => value.length <= Math.ceil(LOGO_MAX_BYTES / 3) * 4, {
        error: `The picture must have at most ${LOGO_MAX_BYTES / 1_000} kB`,
        params: { constraint: 'maxLength' },
      })
      .refine((value) => /^[\w+/]+={0,2}$/.test(value), {
        error: 'The picture must be base64',
        params: { constraint: 'isBase64' },
      })
      .describe(`a JPEG, PNG or WebP of at most ${LOGO_MAX_BYTES} bytes, as base64; null for none`)
      .nullable(),
  },
  failures: [],
  summary: 'The logo of the town. Without one, its first letter on its colour is shown',
  example: { body: { photo: null, reason: 'We have no logo yet' } },
});
