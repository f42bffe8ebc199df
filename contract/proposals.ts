import { z } from 'zod';
import { TURNAROUNDS } from '../domain/windows.ts';
import { call } from './call.ts';
import { id, oneOf, orderNumber, strict, text, time, uuid } from './fields.ts';
import { TimeWindow } from './windows.ts';

const proposed = {
  by: z.enum(['Scrub', 'Operator']),
  reason: z.string(),
  words: z.string().nullable(),
  pickup: TimeWindow.nullable().describe('null when the return alone would move'),
  return: TimeWindow,
};

/** Another time that waits for the Bud's answer. */
export const Proposal = z
  .object({ id: uuid, ...proposed, timeZone: z.string(), madeAt: time })
  .meta({ id: 'Proposal' });
export type Proposal = z.output<typeof Proposal>;

/** The same for who has the link of its mail, with what was agreed. */
const ProposalOfMail = z
  .object({
    ...proposed,
    order: orderNumber,
    scrubName: z.string(),
    timeZone: z.string(),
    agreed: z.object({ pickup: TimeWindow, return: TimeWindow }),
    answer: z.enum(['yes', 'no', 'withdrawn', 'expired']).nullable().describe('null while it waits for an answer'),
  })
  .meta({ id: 'ProposalOfMail' });
export type ProposalOfMail = z.output<typeof ProposalOfMail>;

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

/** The windows to which an order can move now. */
export const OtherWindows = z
  .object({
    timeZone: z.string(),
    fastest: z.enum(TURNAROUNDS).describe('the fastest turnaround that the two windows may have'),
    pickup: z.array(TimeWindow).describe('empty when the pickup can no longer move'),
    return: z.array(TimeWindow).describe('empty when nothing can move'),
  })
  .meta({ id: 'OtherWindows' });
export type OtherWindows = z.output<typeof OtherWindows>;

export const readOtherWindows = call({
  method: 'GET',
  path: '/scrub-orders/:id/windows',
  who: ['Bud', 'Scrub'],
  params: strict({ id: id('id') }),
  answer: OtherWindows,
  status: 200,
  failures: ['notFound'],
  summary:
    'The windows to which the Bud can move an order, or which the Scrub can propose. Empty without agreed windows',
  spec: '4.1',
  example: { params: { id: ID } },
});

const token = text({ required: 'token is required', name: 'token', max: 300 });

export const readProposal = call({
  method: 'GET',
  path: '/proposals',
  who: 'anyone',
  query: strict({ token }),
  answer: ProposalOfMail,
  status: 200,
  failures: ['badUnsubscribeLink'],
  summary: 'The other time that the link of a mail asks about. Changes nothing',
  spec: '4.1',
  example: { query: { token: 'Aa3x…' } },
});

export const answerProposal = call({
  method: 'POST',
  path: '/proposals',
  who: 'anyone',
  body: strict({ token, answer: oneOf(['yes', 'no'], 'answer must be yes or no') }),
  answer: ProposalOfMail,
  status: 200,
  failures: [
    'badUnsubscribeLink',
    'nothingAsked',
    'pickupBegun',
    'windowGone',
    'windowFull',
    'scrubFull',
    'wrongStatus',
  ],
  summary: 'Accept or refuse another time with the link from its mail. Needs no session, and works once',
  spec: '4.1',
  example: { body: { token: 'Aa3x…', answer: 'yes' } },
});
