import { sql } from 'kysely';
import { type StreamClient, startStreamClient } from '../../promises/streamClients.ts';
import { type Database, queryRows } from '../../server/db/database.ts';
import { createRandom } from '../../testing/random.ts';
import type { RunLog } from '../findings.ts';
import type { Person } from '../people/person.ts';

/** A person with an open event stream, over a network that keeps cutting it. */
export type Listener = { readonly person: Person; readonly stream: StreamClient };

export function startListening(person: Person, hosts: () => readonly string[]): Listener {
  const random = createRandom(Math.floor(person.random() * 2 ** 32));
  return { person, stream: startStreamClient(hosts, person.token, random) };
}

/** Reports events that came twice, and a last status that nobody was told of. Everybody has read everything again before. */
export function checkEvents({ person, stream }: Listener, log: RunLog): void {
  const received = new Set<string>();
  const last = new Map<string, string>();
  for (const event of stream.events) {
    const words = `${person.name} received the event ${event.cursor} twice`;
    if (received.has(event.cursor)) log.report('everybody receives each event once', words, [event.id]);
    received.add(event.cursor);
    if (event.entity === 'order' || event.entity === 'delivery') last.set(event.id, event.status);
  }
  for (const [id, status] of [...person.knowledge.orders, ...person.knowledge.deliveries]) {
    if (last.get(id) === status) continue;
    const words = `${person.name} sees that ${id} is ${status}, and the last event about it said ${last.get(id) ?? 'nothing'}`;
    log.report('everybody receives each event that concerns them', words, [id]);
  }
}

/** The events for a person that are stored and did not arrive. */
export async function findMissedEvents({ db }: Database, { person, stream }: Listener): Promise<string[]> {
  const received = new Set(stream.events.map(({ cursor }) => cursor));
  const rows = await queryRows<{ cursor: string; entity: string; id: string; status: string }>(
    db,
    sql`select tx || '-' || id as cursor, entity, entity_id as id, status from live_events
      where people @> array[${person.id}::uuid] and entity <> 'position'`,
  );
  return rows
    .filter(({ cursor }) => !received.has(cursor))
    .map(({ cursor, entity, id, status }) => `${person.name} missed the event ${cursor}: ${entity} ${id} is ${status}`);
}
