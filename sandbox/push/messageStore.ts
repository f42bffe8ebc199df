import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openJournal } from '../journal.ts';
import { createPushKeys, decrypt, type PushKeyPair, type PushKeys } from './decrypt.ts';

export type PushMessage = {
  id: string;
  // The part of the subscription's address after /sandbox/push/.
  to: string;
  date: string;
  ttl: number;
  urgency: string;
  topic: string | null;
  // The sender: the VAPID key and the contact address.
  publicKey: string;
  subject: string;
  // The encrypted body, in base64.
  body: string;
};

/** `text` is set only for subscriptions whose keys this stand-in created. */
export type PushMessageView = PushMessage & { text: string | null };

export type MessageStore = {
  // A subscription like a browser's, whose pushes can be decrypted here.
  createSubscription(): Promise<{ name: string; keys: PushKeys }>;
  save(push: Omit<PushMessage, 'id'>): Promise<string>;
  // Newest first.
  list(filter: { to: string | undefined; limit: number }): PushMessageView[];
  close(): Promise<void>;
};

type Entry = { arrived: PushMessage } | { made: PushKeyPair & { name: string } };

export async function openMessageStore(dataDir: string): Promise<MessageStore> {
  const journal = await openJournal<Entry>(join(dataDir, 'sandbox', 'push.jsonl'));
  const arrived: PushMessage[] = [];
  const made = new Map<string, PushKeyPair>();
  const note = (entry: Entry) => {
    if ('arrived' in entry) arrived.push(entry.arrived);
    else made.set(entry.made.name, entry.made);
  };
  for (const entry of journal.entries) note(entry);
  const write = (entry: Entry) => {
    note(entry);
    return journal.append(entry);
  };
  return {
    async createSubscription() {
      const [name, keys] = [`made/${randomUUID()}`, createPushKeys()];
      await write({ made: { name, ...keys } });
      return { name, keys: { p256dh: keys.p256dh, auth: keys.auth } };
    },
    async save(push) {
      const id = String(arrived.length + 1);
      await write({ arrived: { id, ...push } });
      return id;
    },
    list: ({ to, limit }) =>
      arrived
        .filter((one) => to === undefined || one.to === to)
        .slice(-limit)
        .toReversed()
        .map((one) => ({ ...one, text: decryptText(one, made.get(one.to)) })),
    close: () => journal.close(),
  };
}

function decryptText({ body }: PushMessage, keys: PushKeyPair | undefined): string | null {
  if (!keys) return null;
  try {
    return decrypt(Buffer.from(body, 'base64'), keys);
  } catch {
    return null;
  }
}
