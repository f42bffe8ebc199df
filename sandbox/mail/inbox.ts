import { join } from 'node:path';
import { openJournal } from '../journal.ts';

/** One row per recipient. `to` is the delivery address, not the To header. */
export type Message = {
  id: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string | null;
  date: string;
  // The Message-ID header: a mail that was sent again has the same one.
  messageId?: string;
  // Where a mail program's Unsubscribe button posts to (List-Unsubscribe with List-Unsubscribe-Post).
  unsubscribe?: string;
};

export type Inbox = {
  // Resolves once the messages are on disk.
  save(messages: Omit<Message, 'id'>[]): Promise<void>;
  // Newest first; addresses are compared without case.
  list(filter: { to?: string | undefined; limit: number }): Message[];
  find(id: string): Message | undefined;
  close(): Promise<void>;
};

export async function openInbox(dataDir: string): Promise<Inbox> {
  const journal = await openJournal<Message>(join(dataDir, 'sandbox', 'mail.jsonl'));
  const messages = journal.entries;
  return {
    async save(arrived) {
      const numbered = arrived.map((message, index) => ({ id: String(messages.length + index + 1), ...message }));
      messages.push(...numbered);
      await Promise.all(numbered.map((message) => journal.append(message)));
    },
    list({ to, limit }) {
      const wanted = to?.trim().toLowerCase();
      const found: Message[] = [];
      for (let index = messages.length - 1; index >= 0 && found.length < limit; index -= 1) {
        const message = messages[index];
        if (message && (!wanted || message.to.toLowerCase() === wanted)) found.push(message);
      }
      return found;
    },
    find: (id) => messages[Number(id) - 1],
    close: () => journal.close(),
  };
}
