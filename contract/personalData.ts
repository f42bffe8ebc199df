import { z } from 'zod';
import { ERASURE_BLOCKERS } from '../domain/erasures.ts';
import { Nothing } from './accounts.ts';
import { anyRole, call } from './call.ts';
import { currentPassword, money, strict, time } from './fields.ts';

export const EXPORT_STATES = ['making', 'ready', 'failed'] as const;

/** What a person can do with their data now. */
export const PersonalData = z
  .object({
    copy: z
      .object({
        state: z.enum(EXPORT_STATES),
        askedAt: time,
        until: time.describe('until when it can be downloaded; then another one can be asked for'),
      })
      .nullable()
      .describe('the copy that was asked for last; null when another one can be asked for'),
    erasedAt: time.nullable().describe('when the account is going to be erased; null when nobody asked for it'),
    open: z
      .array(
        z.object({
          what: z.enum(ERASURE_BLOCKERS),
          name: z.string().nullable().describe('the number of the order or the case, such as R-1042; null without one'),
          amount: money.nullable().describe('of a balance: below zero when it is owed to the town'),
        }),
      )
      .max(101)
      .describe('what keeps the account from being erased'),
  })
  .meta({ id: 'PersonalData' });
export type PersonalData = z.output<typeof PersonalData>;

export const readPersonalData = call({
  method: 'GET',
  path: '/profile/data',
  who: anyRole,
  answer: PersonalData,
  status: 200,
  failures: [],
  summary: "The copy of the caller's data, and what keeps the account from being erased",
  spec: '7.2',
});

export const exportPersonalData = call({
  method: 'POST',
  path: '/profile/data/export',
  who: anyRole,
  body: strict({ password: currentPassword }),
  answer: Nothing,
  status: 200,
  failures: ['exportKnown', 'tooMany'],
  summary: "Have a copy made of the caller's data. It takes minutes, and can be downloaded for 7 days; one a week",
  spec: '7.2',
  example: { body: { password: 'Rubadub1!' } },
});

export const downloadPersonalData = call({
  method: 'GET',
  path: '/profile/data/export',
  who: anyRole,
  answersFile: 'archive',
  answer: z.instanceof(Blob),
  status: 200,
  failures: ['notFound'],
  summary: "The copy of the caller's data: JSON, photos and receipts in a zip archive",
  spec: '7.2',
});

export const eraseAccount = call({
  method: 'POST',
  path: '/profile/data/erase',
  who: anyRole,
  body: strict({ currentPassword }),
  answer: Nothing,
  status: 200,
  failures: ['somethingOpen', 'wrongStatus', 'tooMany'],
  summary: 'Have the account and its data erased in 14 days. Ends all sessions of the caller, this one too',
  spec: '7.2',
  example: { body: { currentPassword: 'Rubadub1!' } },
});

export const keepAccount = call({
  method: 'POST',
  path: '/profile/data/keep',
  who: anyRole,
  answer: Nothing,
  status: 200,
  failures: ['wrongStatus'],
  summary: 'Keep an account that was going to be erased. Everything is as it was before',
  spec: '7.2',
});
