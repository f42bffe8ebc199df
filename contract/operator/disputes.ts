import { z } from 'zod';
import { DISPUTE_STATUSES } from '../../domain/disputes.ts';
import { LIABLE_PARTIES } from '../../domain/ledger.ts';
import { id, money, oneOf, strict, time, uuid } from '../fields.ts';
import { act, operatorCall } from './call.ts';
import { pageInQuery, pageOf } from './pages.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const params = strict({ id: id('id') });

export const Dispute = z
  .object({
    id: uuid,
    orderId: uuid,
    orderNumber: z.string(),
    amount: money,
    reason: z.string().describe('in the words of the card network'),
    status: z.enum(DISPUTE_STATUSES),
    networkState: z.string().describe('what the card network calls it'),
    dueAt: time.nullable().describe('when the bank wants an answer'),
    daysLeft: z
      .int()
      .nullable()
      .describe('whole days until then, below zero when it is over; null once it is answered'),
    seenAt: time,
    onItsWay: z
      .enum(['send', 'accept'])
      .nullable()
      .describe('what was decided, and the card network does not know yet'),
    failure: z.string().nullable().describe('why the card network did not take it'),
    sentAt: time.nullable(),
    endedAt: time.nullable(),
  })
  .meta({ id: 'Dispute' });
export type Dispute = z.output<typeof Dispute>;

export const DISPUTES_PAGE = 50;

export const listDisputes = operatorCall({
  method: 'GET',
  path: '/operator/disputes',
  permission: 'money',
  query: strict({
    state: oneOf(['open', 'ended'], 'state must be open or ended').optional(),
    page: pageInQuery(),
  }),
  answer: pageOf(Dispute, DISPUTES_PAGE).meta({ id: 'Disputes' }),
  status: 200,
  failures: [],
  summary: 'Chargebacks: those that wait, by when the bank wants an answer; or those that ended, newest first',
  example: { query: { state: 'open' } },
});

export const readDispute = operatorCall({
  method: 'GET',
  path: '/operator/disputes/:id',
  permission: 'money',
  params,
  answer: Dispute.extend({
    preparedAt: time.nullable(),
    preparedBy: z.string().nullable(),
    bears: z.enum(LIABLE_PARTIES).describe('who bears it when it is lost'),
  }).meta({ id: 'DisputeDetails' }),
  status: 200,
  failures: ['notFound'],
  summary: 'One chargeback',
  example: { params: { id: ID } },
});

export const readDisputeEvidence = operatorCall({
  method: 'GET',
  path: '/operator/disputes/:id/evidence',
  permission: 'money',
  params,
  answer: z
    .object({
      pieces: z.array(z.string()).max(9).describe('as they are sent to the bank'),
      isPrepared: z
        .boolean()
        .describe('whether these are saved for sending; otherwise they are what would be saved now'),
    })
    .meta({ id: 'DisputeEvidence' }),
  status: 200,
  failures: ['notFound'],
  summary: 'What we send to the bank about the order of a chargeback',
  example: { params: { id: ID } },
});

const subject = { subject: 'dispute', takesCode: true } as const;
const approved = { ...subject, approval: 'always' } as const;

export const prepareDispute = act({
  path: '/operator/disputes/:id/prepare',
  permission: 'money',
  act: subject,
  params,
  failures: ['notFound', 'wrongStatus'],
  summary: 'Keep what the bank is told about a chargeback, as it stands now',
  example: { params: { id: ID }, body: { reason: 'The laundry was delivered' } },
});

export const sendDispute = act({
  path: '/operator/disputes/:id/send',
  permission: 'money',
  act: approved,
  params,
  failures: ['notFound', 'wrongStatus'],
  summary: 'Send the evidence of a chargeback to the bank. Needs a second operator; it is sent once',
  example: { params: { id: ID }, body: { reason: 'The Bud took the bags at the door' } },
});

export const acceptDispute = act({
  path: '/operator/disputes/:id/accept',
  permission: 'money',
  act: approved,
  params,
  body: {
    liable: oneOf(LIABLE_PARTIES, `liable must be one of ${LIABLE_PARTIES.join(', ')}`),
    personId: uuid.optional(),
  },
  failures: ['notFound', 'wrongStatus', 'invalid'],
  summary: 'Give up a chargeback, and say who bears it. Needs a second operator',
  example: { params: { id: ID }, body: { liable: 'platform', reason: 'The laundry never came back' } },
});
