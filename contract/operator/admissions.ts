import { z } from 'zod';
import { ADMISSION_STATUSES, DOCUMENT_KINDS, DOCUMENT_STATES } from '../../domain/admissions.ts';
import { day } from '../documents.ts';
import { id, longText, strict, time, uuid } from '../fields.ts';
import { act, operatorCall } from './call.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const params = strict({ id: id('id') });

export const TownDocument = z
  .object({
    id: uuid,
    kind: z.enum(DOCUMENT_KINDS),
    state: z.enum(DOCUMENT_STATES),
    expiresOn: day.nullable().describe('what the document says, as the worker has read it'),
    lastDay: day.nullable().describe('the last day on which it counts, once it is accepted'),
    sentAt: time,
    decidedAt: time.nullable(),
    decidedBy: z.string().nullable(),
    why: z.string().nullable().describe('what the worker reads'),
    isKept: z.boolean().describe('whether there is still a picture of it'),
  })
  .meta({ id: 'TownDocument' });
export type TownDocument = z.output<typeof TownDocument>;

export const PersonAdmission = z
  .object({
    isAsked: z.boolean().describe('whether the town asks its workers for documents'),
    status: z.enum(ADMISSION_STATUSES).nullable().describe('null for a Bud, and for who was never asked'),
    since: time.nullable(),
    worksUntil: time.nullable().describe('until when they work on without what is missing'),
    requirements: z.array(z.object({ kind: z.enum(DOCUMENT_KINDS), needed: z.boolean() })).max(DOCUMENT_KINDS.length),
    documents: z.array(TownDocument).max(50).describe('those that are open or count first, and then newest first'),
    shownUntil: time.nullable().describe('until when the caller can look at the pictures'),
  })
  .meta({ id: 'PersonAdmission' });
export type PersonAdmission = z.output<typeof PersonAdmission>;

export const readAdmission = operatorCall({
  method: 'GET',
  path: '/operator/people/:id/documents',
  permission: 'see',
  params,
  answer: PersonAdmission,
  status: 200,
  failures: ['notFound'],
  summary: 'Whether a worker is admitted, and what they have sent. Without the pictures',
  example: { params: { id: ID } },
});

export const showDocuments = act({
  path: '/operator/people/:id/documents/show',
  permission: 'help',
  act: { subject: 'person' },
  params,
  failures: ['notFound'],
  summary: 'Say why you look at the documents of a person. You can for 15 minutes',
  example: { params: { id: ID }, body: { reason: 'To admit them' } },
});

export const readDocumentPhoto = operatorCall({
  method: 'GET',
  path: '/operator/people/:id/documents/:documentId/photo',
  permission: 'help',
  answersFile: 'photo',
  params: strict({ id: id('id'), documentId: id('documentId') }),
  answer: z.instanceof(Blob),
  status: 200,
  failures: ['notFound', 'documentsHidden'],
  summary: 'The picture of a document, for who said why within the last 15 minutes',
  example: { params: { id: ID, documentId: ID } },
});

const decision = { permission: 'help', act: { subject: 'person' }, params } as const;
const failures = ['notFound', 'documentsNotAsked', 'wrongStatus'] as const;

export const admitWorker = act({
  path: '/operator/people/:id/admit',
  ...decision,
  body: {
    documents: z
      .array(id('id'))
      .min(1, 'Name the documents')
      .max(DOCUMENT_KINDS.length)
      .describe('those that you have seen: all that wait'),
  },
  failures: [...failures, 'documentsChanged', 'documentsHidden'],
  summary:
    'Accept the documents that wait, once you have said why you look at them. A worker with everything that is needed gets work from then on',
  example: { params: { id: ID }, body: { documents: [ID], reason: 'All are valid' } },
});

export const askDocumentsAgain = act({
  path: '/operator/people/:id/ask-again',
  ...decision,
  body: {
    documents: z
      .array(
        strict({
          id: id('id'),
          why: longText({ required: 'Say what is wrong with it', name: 'What is wrong', max: 300 }),
        }),
      )
      .min(1, 'Choose a document')
      .max(DOCUMENT_KINDS.length),
  },
  failures: [...failures, 'documentsChanged'],
  summary: 'Send documents back, each with what is wrong with it. The person is mailed',
  example: {
    params: { id: ID },
    body: { documents: [{ id: ID, why: 'The number cannot be read' }], reason: 'The photo is blurred' },
  },
});

export const refuseWorker = act({
  path: '/operator/people/:id/refuse',
  ...decision,
  failures,
  summary: 'Refuse a worker. They read the reason in a mail, and their documents are erased after 30 days',
  example: { params: { id: ID }, body: { reason: 'The licence is somebody else’s' } },
});

export const reconsiderWorker = act({
  path: '/operator/people/:id/reconsider',
  ...decision,
  failures,
  summary: 'Let a worker who was refused send documents again',
  example: { params: { id: ID }, body: { reason: 'It was the wrong person' } },
});
