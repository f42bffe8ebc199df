import { z } from 'zod';
import { call } from './call.ts';
import { oneOf, orderNumber, strict, text, time, uuid } from './fields.ts';

const WindowShape = z.object({ from: time, until: time });

const proposed = {
  by: z.enum(['Scrub', 'Operator']),
  reason: z.string(),
  words: z.string().nullable(),
  pickup: WindowShape.nullable().describe('null when the return alone would move'),
  return: WindowShape,
};

/** Another time that waits for the Bud's answer. */
export const Proposal = z.object({ id: uuid, ...proposed, madeAt: time }).meta({ id: 'Proposal' });
export type Proposal = z.output<typeof Proposal>;

/** The same for who has the link of its mail, with what was agreed. */
const ProposalOfMail = z
  .object({
    ...proposed,
    order: orderNumber,
    scrubName: z.string(),
    timeZone: z.string(),
    agreed: z.object({ pickup: WindowShape, return: WindowShape }),
    answer: z.enum(['yes', 'no', 'withdrawn', 'expired']).nullable().describe('null while it waits for an answer'),
  })
  .meta({ id: 'ProposalOfMail' });
export type ProposalOfMail = z.output<typeof ProposalOfMail>;

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
