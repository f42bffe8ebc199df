import { z } from 'zod';
import { MAX_SESSIONS_PER_USER } from '../domain/accounts.ts';
import { anyRole, call } from './call.ts';
import { id, strict, time } from './fields.ts';

export const SignInSession = z
  .object({
    id: z.guid().describe('names the session and cannot be used to sign in'),
    browser: z.string().nullable().describe("such as 'Firefox on Android'; null when it is not known"),
    network: z.string().nullable().describe("where it was opened, shortened: '203.0.x.x'; null when it is not known"),
    createdAt: time,
    lastUsedAt: time,
    current: z.boolean().describe('whether it is the session of this request'),
  })
  .meta({ id: 'SignInSession' });
export type SignInSession = z.output<typeof SignInSession>;

export const listSessions = call({
  method: 'GET',
  path: '/profile/sessions',
  who: anyRole,
  answer: z.object({ items: z.array(SignInSession).max(MAX_SESSIONS_PER_USER) }),
  status: 200,
  failures: [],
  summary: "The caller's sessions, the one used last first",
  spec: '7.2',
});

export const endSession = call({
  method: 'DELETE',
  path: '/profile/sessions/:id',
  who: anyRole,
  params: strict({ id: id('id') }),
  answer: z.undefined(),
  status: 204,
  failures: ['notFound'],
  summary: "End one of the caller's sessions, this one or another. It stops working at once, on every server",
  spec: '7.2',
  example: { params: { id: 'b94d27b9-934d-3e08-a52e-52d7da7dabfa' } },
});

export const endOtherSessions = call({
  method: 'POST',
  path: '/profile/sessions/end-others',
  who: anyRole,
  answer: z.object({ ended: z.int().describe('how many sessions ended') }),
  status: 200,
  failures: [],
  summary: "End all of the caller's sessions except this one",
  spec: '7.2',
});
