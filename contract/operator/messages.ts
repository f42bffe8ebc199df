import { z } from 'zod';
import { AUDIENCES, BROADCAST_TITLE_MAXIMUM, BROADCAST_WORDS_MAXIMUM } from '../../domain/broadcasts.ts';
import { CHANNELS } from '../../domain/notifications.ts';
import { flag, longText, oneOf, strict, text, time, uuid } from '../fields.ts';
import { act, operatorCall } from './call.ts';
import { pageInQuery, pageOf } from './pages.ts';

const to = oneOf(AUDIENCES, `to must be one of ${AUDIENCES.join(', ')}`);

/** What operators wrote to many people at once. */
export const Broadcast = z
  .object({
    id: uuid,
    to: z.enum(AUDIENCES),
    title: z.string(),
    words: z.string(),
    isUrgent: z.boolean(),
    sentBy: z.string(),
    at: time,
    people: z.int().describe('how many it is for'),
    written: z.int().describe('for how many of them the messages are written'),
    writtenAt: time.nullable().describe('when that was done for all of them; null until then'),
  })
  .meta({ id: 'Broadcast' });
export type Broadcast = z.output<typeof Broadcast>;

export const BROADCASTS_PAGE = 20;

export const listBroadcasts = operatorCall({
  method: 'GET',
  path: '/operator/broadcasts',
  permission: 'messages',
  query: strict({ page: pageInQuery() }),
  answer: pageOf(Broadcast, BROADCASTS_PAGE).meta({ id: 'Broadcasts' }),
  status: 200,
  failures: [],
  summary: 'What operators wrote to many people, newest first',
  example: { query: {} },
});

export const previewBroadcast = operatorCall({
  method: 'GET',
  path: '/operator/broadcasts/preview',
  permission: 'messages',
  query: strict({ to }),
  answer: z
    .object({
      people: z.int().describe('how many it would be for'),
      writtenToday: z
        .object({ to: z.enum(AUDIENCES), title: z.string(), at: time })
        .nullable()
        .describe('what some of them got today: only an urgent message goes to them'),
    })
    .meta({ id: 'BroadcastPreview' }),
  status: 200,
  failures: [],
  summary: 'Whom a message would reach',
  example: { query: { to: 'Duber' } },
});

export const sendBroadcast = act({
  path: '/operator/broadcasts/send',
  permission: 'messages',
  act: { subject: 'town' },
  body: {
    to,
    title: text({ required: 'Write a title', name: 'The title', max: BROADCAST_TITLE_MAXIMUM }),
    words: longText({ required: 'Write what people read', name: 'The words', max: BROADCAST_WORDS_MAXIMUM }),
    isUrgent: flag('isUrgent'),
  },
  failures: ['writtenToday'],
  summary: 'Write to everybody, or to everybody of a role: at most once a day to a person, unless it is urgent',
  example: {
    body: {
      ...{ to: 'Duber', title: 'Heron Bridge is closed', words: 'Take Mill Road until Sunday.', isUrgent: true },
      reason: 'The river is high',
    },
  },
});

const MAX_UNSENT = 100;
const MESSAGE_ID_MAXIMUM = 200;

export const listGivenUpMessages = operatorCall({
  method: 'GET',
  path: '/operator/messages/given-up',
  permission: 'messages',
  answer: z
    .object({
      items: z
        .array(
          z.object({
            id: z.string().describe('names it to send it again'),
            kind: z.string().describe('a kind of notification, or account: a code or a link'),
            channel: z.enum(CHANNELS),
            email: z.string(),
            why: z.string(),
            at: time.describe('when it was given up; when it was written if it is tried again'),
            nextTryAt: time.nullable().describe('null when it was given up'),
            canResend: z.boolean().describe('false when its text is erased, or the code or link in it has expired'),
          }),
        )
        .max(MAX_UNSENT),
    })
    .meta({ id: 'GivenUpMessages' }),
  status: 200,
  failures: [],
  summary: `The last ${MAX_UNSENT} messages that were given up, or that our mail server does not take, and why`,
});

export const resendMessages = act({
  path: '/operator/messages/resend',
  permission: 'messages',
  act: { subject: 'town' },
  body: {
    ids: z
      .array(text({ required: 'Name the message', name: 'The id of a message', max: MESSAGE_ID_MAXIMUM }), {
        error: 'ids must be a list of messages',
      })
      .min(1, { error: 'Name at least one message' })
      .max(MAX_UNSENT, { error: `Name at most ${MAX_UNSENT} messages` })
      .optional()
      .describe('without it, all that were not sent'),
  },
  failures: [],
  summary: 'Send messages again that were not sent',
  example: { body: { ids: ['mail:accepted:1:2'], reason: 'The password of the mail server is right again' } },
});
