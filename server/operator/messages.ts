import { BROADCASTS_PAGE } from '../../contract/operator/messages.ts';
import type { Audience } from '../../domain/broadcasts.ts';
import { localDate, startOfLocalDay } from '../../domain/localDays.ts';
import { readPage } from '../db/pages.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { refuse } from '../http/refusals.ts';
import { countAudience, findBroadcastSince, insertBroadcast, listBroadcasts } from '../notifications/broadcasts.sql.ts';
import { listUnsentMessages, resendMessages } from '../notifications/outbox.sql.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { readSettings } from '../town/settings.sql.ts';

type MessageCalls = Pick<OperatorHandlers, 'listBroadcasts' | 'previewBroadcast' | 'listGivenUpMessages'>;

const MAX_UNSENT = 100;

export const messageHandlers = (context: ConsoleContext): MessageCalls => ({
  listBroadcasts: ({ query: { page } }) =>
    readPage(page, BROADCASTS_PAGE, (bounds) => listBroadcasts(context.db, bounds), isoTimes),
  previewBroadcast: async ({ query: { to } }) => {
    const earlier = await findTodays(context, to);
    return { people: await countAudience(context.db, to), writtenToday: earlier ? isoTimes(earlier) : null };
  },
  listGivenUpMessages: async () => {
    const rows = await listUnsentMessages(context.db, MAX_UNSENT, context.now());
    return {
      items: rows.map(({ about: _about, email, ...rest }) => ({ ...isoTimes(rest), email: maskEmail(email) })),
    };
  },
});

/** 'a…@town.example': enough to find the person, whose contact has a call of its own. */
const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/, '$1…');

/** The broadcast that people of an audience got today. */
async function findTodays({ db, now }: ConsoleContext, to: Audience) {
  const { timeZone } = await readSettings(db, now());
  return findBroadcastSince(db, to, startOfLocalDay(localDate(now(), timeZone), timeZone));
}

export const MESSAGE_ACTS: Pick<Acts, 'sendBroadcast' | 'resendMessages'> = {
  sendBroadcast: {
    run: async ({ context, operator, body: { to, title, words, isUrgent } }) => {
      const { db, now, newId, wake } = context;
      if (!isUrgent && (await findTodays(context, to))) refuse('writtenToday');
      const people = await countAudience(db, to);
      const id = newId();
      await insertBroadcast(db, { id, to, title, words, isUrgent, sentBy: operator.id, people }, now());
      wake('broadcasts');
      return { details: { broadcastId: id, people } };
    },
  },
  resendMessages: {
    run: async ({ context: { db, now, wake }, body: { ids } }) => {
      const messages = await resendMessages(db, ids, now());
      wake('mail');
      return { details: { messages } };
    },
  },
};
