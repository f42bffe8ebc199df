import { z } from 'zod';
import { WORK_RECORD_TYPES } from '../domain/workRecord.ts';
import { call } from './call.ts';
import { money, time } from './fields.ts';

const [CREDENTIAL, RECORD] = WORK_RECORD_TYPES;

/** The content of a signed record, in the data model of W3C (https://www.w3.org/TR/vc-data-model-2.0/). */
export const WorkRecordCredential = z.object({
  type: z.tuple([z.literal(CREDENTIAL), z.literal(RECORD)]),
  issuer: z.string(),
  validFrom: time,
  credentialSubject: z.object({
    name: z.string(),
    role: z.enum(['Scrub', 'Duber']),
    since: time,
    finished: z.int(),
    ratings: z.object({ count: z.int(), average: z.number().nullable() }),
    earned: money,
    weeks: z.array(z.object({ from: time, earned: money })),
  }),
});

/** A DID document, with the part of it that says the key. See https://www.w3.org/TR/did-1.0/ */
export const RecordIssuer = z
  .object({
    '@context': z.array(z.string()),
    id: z.string().describe('did:web and the host of this installation'),
    verificationMethod: z.array(
      z.object({
        id: z.string(),
        type: z.literal('JsonWebKey'),
        controller: z.string(),
        publicKeyJwk: z.object({ kty: z.string(), crv: z.string(), x: z.string() }),
      }),
    ),
    assertionMethod: z.array(z.string()),
  })
  .meta({ id: 'RecordIssuer' });
export type RecordIssuer = z.output<typeof RecordIssuer>;

export const readRecordIssuer = call({
  method: 'GET',
  path: '/work-record/issuer',
  who: 'anyone',
  answer: RecordIssuer,
  status: 200,
  failures: [],
  summary: 'The key that work records of this installation are signed with, as a DID document',
  spec: '9',
});

export const readWorkRecord = call({
  method: 'GET',
  path: '/work-record',
  who: ['Scrub', 'Duber'],
  answer: z.object({
    credential: z.string().describe('a W3C verifiable credential, as a JWT: header, content and signature'),
  }),
  status: 200,
  failures: [],
  summary: 'What the caller has done in this town, signed, to take along',
  spec: '9',
});
