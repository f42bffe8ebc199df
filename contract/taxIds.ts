import { z } from 'zod';
import { COUNTRIES } from '../domain/countries.ts';
import {
  type AmericanTaxIdKind,
  isTaxNumber,
  normalizeTaxNumber,
  TAX_ID_KINDS,
  type TaxIdKind,
} from '../domain/taxIds.ts';
import { call } from './call.ts';
import { currentPassword, money, strict, text, time } from './fields.ts';

const StoredTaxId = z
  .object({
    kind: z.enum(TAX_ID_KINDS),
    country: z.string().describe('two letters, such as US'),
    last4: z.string().describe('the end of the number'),
    changedAt: time,
  })
  .meta({ id: 'TaxId' });

export const TaxIdAnswer = z.object({
  taxId: StoredTaxId.nullable().describe('null without one'),
  askedFor: z
    .object({ year: z.int(), from: money })
    .nullable()
    .describe('a year in which the caller gets so much that the town must report it, while there is no number'),
});
export type TaxIdAnswer = z.output<typeof TaxIdAnswer>;

const name = text({ required: 'The name on your tax return is required', name: 'The name', max: 100 });

const number = (kind: TaxIdKind, error: string) =>
  z
    .string({ error: 'The number is required' })
    .max(60, { error })
    .transform(normalizeTaxNumber)
    .refine((value) => value !== '', { error: 'The number is required', params: { constraint: 'isNotEmpty' } })
    .refine((value) => isTaxNumber(kind, value), { error, params: { constraint: 'isTaxNumber' } });

const american = <K extends AmericanTaxIdKind>(kind: K, error: string) =>
  strict({ kind: z.literal(kind), name, number: number(kind, error) });

const country = z
  .string({ error: 'Choose the country' })
  .refine((value) => COUNTRIES.includes(value), { error: 'Choose the country', params: { constraint: 'isCountry' } })
  .refine((value) => value !== 'US', {
    error: 'For the USA, choose SSN, ITIN or EIN',
    params: { constraint: 'isCountry' },
  });

const NewTaxId = z.discriminatedUnion(
  'kind',
  [
    american('ssn', 'This is not a Social Security Number. It has 9 digits, as on your card'),
    american('itin', 'This is not an ITIN. It has 9 digits and begins with 9'),
    american('ein', 'This is not an EIN. It has 9 digits, such as 12-3456789'),
    strict({
      kind: z.literal('tin'),
      country,
      name,
      number: number('tin', 'This is not a tax number. It has 5 to 20 letters and digits'),
    }),
  ],
  { error: 'Choose the kind of number' },
);
export type NewTaxId = z.output<typeof NewTaxId>;

export const readTaxId = call({
  method: 'GET',
  path: '/earnings/tax-id',
  who: ['Scrub', 'Duber'],
  answer: TaxIdAnswer,
  status: 200,
  failures: [],
  summary: "The caller's tax number: only its end is ever shown again. It also says whether the town needs one",
  spec: '9',
});

export const changeTaxId = call({
  method: 'POST',
  path: '/earnings/tax-id',
  who: ['Scrub', 'Duber'],
  body: strict({ password: currentPassword, taxId: NewTaxId }),
  answer: TaxIdAnswer,
  status: 200,
  failures: ['tooMany'],
  summary: "Add the caller's tax number, or replace it. The caller is mailed",
  spec: '9',
  example: {
    body: { password: 'Rubadub1!', taxId: { kind: 'ssn', name: 'Sid Soap', number: '536-22-1234' } },
  },
});
