import { z } from 'zod';
import { ADMISSION_STATUSES, DOCUMENT_KINDS, DOCUMENT_STATES } from '../domain/admissions.ts';
import { call } from './call.ts';
import { id, oneOf, strict, time, uuid } from './fields.ts';

export const day = z.iso.date({ error: 'A day is written like 2027-05-31' });

const SentDocument = z.object({
  state: z.enum(DOCUMENT_STATES),
  fileId: uuid.nullable().describe('null once the picture is erased'),
  expiresOn: day.nullable().describe('what the document says'),
  sentAt: time,
  why: z.string().nullable().describe('why it was sent back'),
});

export const WorkerDocuments = z
  .object({
    isAsked: z.boolean().describe('whether this town asks workers of the role for documents'),
    from: time.nullable().describe('the day from which it counts, while that is to come'),
    status: z.enum(ADMISSION_STATUSES).nullable().describe('`active` gets work; null where nobody is asked'),
    worksUntil: time.nullable().describe('who worked before the town asked gets work until then'),
    items: z
      .array(
        z.object({
          kind: z.enum(DOCUMENT_KINDS),
          needed: z.boolean(),
          needsDate: z.boolean().describe('whether it says until when it is valid'),
          latest: SentDocument.nullable(),
          accepted: z.object({ lastDay: day.nullable().describe('null: does not expire') }).nullable(),
        }),
      )
      .max(DOCUMENT_KINDS.length),
  })
  .meta({ id: 'WorkerDocuments' });
export type WorkerDocuments = z.output<typeof WorkerDocuments>;

export const readDocuments = call({
  method: 'GET',
  path: '/profile/documents',
  who: ['Scrub', 'Duber'],
  answer: WorkerDocuments,
  status: 200,
  failures: [],
  summary: 'What the town asks the caller for before they work, and what became of what they have sent',
  spec: '7',
});

export const sendDocument = call({
  method: 'POST',
  path: '/profile/documents',
  who: ['Scrub', 'Duber'],
  body: strict({
    kind: oneOf(DOCUMENT_KINDS, `kind must be one of ${DOCUMENT_KINDS.join(', ')}`),
    fileId: id('fileId'),
    expiresOn: day.optional().describe('the last day on which it is valid, where it says one'),
  }),
  answer: WorkerDocuments,
  status: 200,
  failures: ['documentsNotAsked', 'wrongStatus', 'tooManyDocuments'],
  summary: 'Sends a photo of a document. Once none is missing, an operator looks at them',
  spec: '7',
  example: {
    body: { kind: 'identity', fileId: '01932f6e-7d1c-7a3b-8c5d-1e2f3a4b5c6d', expiresOn: '2030-05-31' },
  },
});
