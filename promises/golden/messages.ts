import { createClient } from '../../contract/client.ts';
import type { TestServer } from '../../testing/testServer.ts';
import { PEOPLE } from '../lifeWorld.ts';
import type { Recorder } from './recorder.ts';
import type { Town } from './town.ts';

type Arrived = { readonly id: string; readonly to: string };
type Mail = Arrived & { readonly subject: string; readonly text: string };
type Push = Arrived & { readonly ttl: number; readonly urgency: string; readonly text: string | null };

/** The mails and pushes of a life. */
export type Messages = {
  /** Records those that have arrived since the last time. */
  readonly noteNew: () => Promise<void>;
};

/** Subscribes everybody's phone to pushes. */
async function subscribe({ apiUrl, sandboxUrl }: TestServer, town: Town): Promise<Map<string, string>> {
  const phones = new Map<string, string>();
  for (const person of PEOPLE) {
    const made = await fetch(`${sandboxUrl}/sandbox/push/subscriptions`, { method: 'POST' });
    const { endpoint, keys } = (await made.json()) as { endpoint: string; keys: { p256dh: string; auth: string } };
    const api = createClient(apiUrl, () => town.people[person].token);
    await api.subscribePush({ body: { endpoint, keys, agent: 'Phone' } });
    phones.set(endpoint.replace(/^.*\/sandbox\/push\//, ''), person);
  }
  return phones;
}

/** The rows of a list of the stand-ins after the one with the id `last`, oldest first. */
async function readAfter<Row extends Arrived>(url: string, last: number): Promise<Row[]> {
  const rows = (await (await fetch(url)).json()) as Row[];
  return rows.filter(({ id }) => Number(id) > last).toReversed();
}

export async function createMessages(server: TestServer, town: Town, recorder: Recorder): Promise<Messages> {
  const phones = await subscribe(server, town);
  const last = { mail: 0, push: 0 };
  const noteMails = async () => {
    const mails = await readAfter<Mail>(`${server.sandboxUrl}/sandbox/mail/messages`, last.mail);
    last.mail += mails.length;
    const lines = mails.map(({ to, subject, text }) => `mail to ${to}: ${JSON.stringify({ subject, text })}`);
    for (const line of lines.sort()) recorder.note(line);
  };
  const notePushes = async () => {
    const pushes = await readAfter<Push>(`${server.sandboxUrl}/sandbox/push/messages`, last.push);
    last.push += pushes.length;
    const lines = pushes.map(
      ({ to, ttl, urgency, text }) => `push to ${phones.get(to)}: ${text} (${ttl} s, ${urgency})`,
    );
    for (const line of lines.sort()) recorder.note(line);
  };
  return {
    noteNew: async () => {
      await noteMails();
      await notePushes();
    },
  };
}
