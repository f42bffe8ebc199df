import { z } from 'zod';
import { PERMISSIONS } from '../../domain/operators.ts';
import { email, id, strict, time, uuid } from '../fields.ts';
import { act, operatorCall } from './call.ts';

export const OperatorAccount = z
  .object({
    id: uuid,
    fullname: z.string(),
    email: z.string(),
    caps: z.array(z.enum(PERMISSIONS)),
    isDemo: z.boolean(),
    createdAt: time,
    lastUsedAt: time.nullable().describe('when a session of theirs was used last'),
  })
  .meta({ id: 'OperatorAccount' });
export type OperatorAccount = z.output<typeof OperatorAccount>;

const Invitation = z
  .object({ email: z.string(), caps: z.array(z.enum(PERMISSIONS)), expiresAt: time })
  .meta({ id: 'WaitingInvitation' });

export const listOperators = operatorCall({
  method: 'GET',
  path: '/operator/operators',
  permission: 'admin',
  answer: z.object({ items: z.array(OperatorAccount).max(500), invitations: z.array(Invitation).max(500) }),
  status: 200,
  failures: [],
  summary: 'Who runs the town, and with which rights',
});

const caps = z
  .array(z.enum(PERMISSIONS, { error: `A right is one of ${PERMISSIONS.join(', ')}` }), { error: 'Choose the rights' })
  .max(PERMISSIONS.length)
  .transform((list) => PERMISSIONS.filter((permission) => list.includes(permission)));
const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

export const inviteOperator = act({
  path: '/operator/operators/invite',
  permission: 'admin',
  act: { subject: 'town', takesCode: true, approval: 'always', alone: 'waits-after-first-order' },
  body: { email: email('Email is required', 'Please enter a valid email address'), caps },
  failures: ['emailTaken'],
  summary: 'Invite an operator by mail. Needs a second operator; in a town with one, a day from the first order on',
  example: { body: { email: 'grace@town.example', caps: ['see', 'help'], reason: 'Helps on Saturdays' } },
});

export const changeRights = act({
  path: '/operator/operators/:id/rights',
  permission: 'admin',
  act: { subject: 'operator', takesCode: true, approval: 'depends', alone: 'waits' },
  params: strict({ id: id('id') }),
  body: { before: caps, caps },
  failures: ['notFound', 'wrongStatus'],
  summary: 'Give an operator rights instead of those of `before`. Needs a second operator, except to take rights away',
  example: {
    params: { id: ID },
    body: { before: ['see', 'help'], caps: ['see', 'help', 'dispatch'], reason: 'Also dispatches now' },
  },
});

export const resetFactor = act({
  path: '/operator/operators/:id/reset',
  permission: 'admin',
  act: { subject: 'operator', takesCode: true, approval: 'always', alone: 'waits' },
  params: strict({ id: id('id') }),
  failures: ['notFound'],
  summary: 'Mail an operator a link for a new password and a new second factor. Needs a second operator',
  example: { params: { id: ID }, body: { reason: 'Has lost the phone' } },
});

export const revokeInvitation = act({
  path: '/operator/operators/revoke-invitation',
  permission: 'admin',
  act: { subject: 'town' },
  body: { email: email('Email is required', 'Please enter a valid email address') },
  failures: ['notFound'],
  summary: 'End an invitation that was not used yet',
  example: { body: { email: 'grace@town.example', reason: 'Sent to the wrong address' } },
});

export const endOperator = act({
  path: '/operator/operators/:id/end',
  permission: 'admin',
  act: { subject: 'operator', takesCode: true },
  params: strict({ id: id('id') }),
  failures: ['notFound', 'notYourOwn', 'wrongStatus'],
  summary: 'An operator leaves: every session of theirs ends at once. What they did stays under their name',
  example: { params: { id: ID }, body: { reason: 'Left the town' } },
});
