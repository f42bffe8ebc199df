import { z } from 'zod';
import { APPROVAL_STATES } from '../../domain/approvals.ts';
import { id, longText, money, oneOf, strict, time, uuid } from '../fields.ts';
import { AUDIT_SUBJECTS, operatorCall } from './call.ts';
import { pageInQuery, pageOf } from './pages.ts';

export const Approval = z
  .object({
    id: uuid,
    action: z.string().describe('the call that waits'),
    subject: z.object({ kind: z.enum(AUDIT_SUBJECTS), id: z.string().nullable() }),
    orderNumber: z.string().nullable(),
    amount: money.nullable(),
    reason: z.string(),
    details: z.record(z.string(), z.unknown()).describe('what was asked for'),
    state: z.enum(APPROVAL_STATES),
    askedBy: z.object({ id: uuid, name: z.string() }),
    askedAt: time,
    decidedBy: z.object({ id: uuid.nullable(), name: z.string() }).nullable(),
    decidedAt: time.nullable(),
    words: z.string().nullable().describe('what the second operator said'),
    goesOnAt: time.nullable().describe('when it goes on by itself'),
    ripens: z.boolean().describe('whether it happens then, in a town with one operator; otherwise it expires'),
    canDecide: z.boolean().describe('whether the caller may approve or decline it'),
  })
  .meta({ id: 'Approval' });
export type Approval = z.output<typeof Approval>;

export const APPROVALS_PAGE = 50;

export const listApprovals = operatorCall({
  method: 'GET',
  path: '/operator/approvals',
  permission: 'operator',
  query: strict({
    state: oneOf(['waiting', 'all'], 'state must be waiting or all').optional(),
    page: pageInQuery(),
  }),
  answer: pageOf(Approval, APPROVALS_PAGE).meta({ id: 'Approvals' }),
  status: 200,
  failures: [],
  summary: 'What waits for a second operator, oldest first; or everything, newest first',
  example: { query: { state: 'waiting' } },
});

const words = longText({ required: 'Say why', name: 'Words', max: 500 });
const params = strict({ id: id('id') });
const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

const decisionOf = <A extends string>(action: A, summary: string) =>
  operatorCall({
    method: 'POST',
    path: `/operator/approvals/:id/${action}`,
    permission: 'operator',
    params,
    body: strict({ reason: words }),
    answer: z.object({}),
    status: 200,
    failures: ['notFound', 'notYourOwn', 'noRight', 'codeTooOld', 'notWaiting', 'wrongStatus', 'emailTaken'],
    summary,
    example: { params: { id: ID }, body: { reason: 'I have checked it' } },
  });

export const approve = decisionOf('approve', 'Approve: the act happens now, in the name of both');
export const decline = decisionOf('decline', 'Decline: nothing happens');
export const withdraw = decisionOf('withdraw', 'Take back what one has asked for');

export const stopApproval = operatorCall({
  method: 'POST',
  path: '/operator/approvals/stop',
  permission: 'anyone',
  body: strict({ token: z.string({ error: 'The link is not complete' }).min(1, 'The link is not complete').max(100) }),
  answer: z.object({}),
  status: 200,
  failures: ['notWaiting', 'tooMany'],
  summary: "Stop what happens by itself in a town with one operator, with the link of the mail to the town's address",
  example: { body: { token: 'abc' } },
});
