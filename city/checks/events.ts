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

export const EVERY_EVENT = 'everybody receives each event that concerns them';

/**
 * How long an event may take during the day, on a busy machine, while servers and the database break. Shorter days are checked
 * in the evening, when it may take no time.
 */
export const EVENT_MAY_TAKE_MS = 300_000;

/**
 * Reports events that came twice, and steps that somebody was not told of: during the day only those from before `until`, and in
 * the evening all. Then everybody has read everything again, so that the last event about a thing must have its status.
 */
export function checkEvents({ person, stream }: Listener, log: RunLog, until?: Date): void {
  const received = new Set<string>();
  const told = new Map<string, string[]>();
  for (const event of stream.events) {
    const words = `${person.name} received the event ${event.cursor} twice`;
    if (received.has(event.cursor)) log.report('everybody receives each event once', words, [event.id]);
    received.add(event.cursor);
    if (event.entity === 'order' || event.entity === 'delivery')
      told.set(event.id, [...(told.get(event.id) ?? []), event.status]);
  }
  const { orders, deliveries, newSteps } = person.knowledge;
  for (const [id, status] of until ? [] : [...orders, ...deliveries]) {
    const last = told.get(id)?.at(-1);
    const words = `${person.name} sees that ${id} is ${status}, and the last event about it said ${last ?? 'nothing'}`;
    if (last !== status) log.report(EVERY_EVENT, words, [id]);
  }
  for (const [id, steps] of newSteps) {
    const due = steps.filter(({ createdAt }) => !until || new Date(createdAt) < until);
    for (const [status, { length }] of Map.groupBy(due, (step) => step.status)) {
      const count = (told.get(id) ?? []).filter((one) => one === status).length;
      const words = `${person.name} sees that ${id} became ${status} ${length} times, and was told ${count} times`;
      if (count < length) log.report(EVERY_EVENT, words, [id]);
    }
  }
}

/**
 * The stored events for a person that did not arrive: in the evening all. During the day, which has an `until`, only those from
 * before then, and those after which another one came: streams keep the order of the cursors.
 */
export async function findMissedEvents(
  { db }: Database,
  { person, stream }: Listener,
  until?: Date,
): Promise<string[]> {
  const received = new Set(stream.events.map(({ cursor }) => cursor));
  const [lastTx = '0', lastId = '0'] = stream.events.at(-1)?.cursor.split('-') ?? [];
  const failed = stream.failedResumes();
  const why = failed === 0 ? '' : `, and ${failed} streams could not be resumed`;
  const rows = await queryRows<{ cursor: string; entity: string; id: string; status: string }>(
    db,
    sql`select e.tx || '-' || e.id as cursor, e.entity, e.entity_id as id, e.status from live_events e
      where e.people @> array[${person.id}::uuid] and e.entity <> 'position'
        and (e.at < ${until ?? sql`'infinity'`} or (e.tx, e.id) < (${lastTx}::xid8, ${lastId}::bigint))`,
  );
  return rows
    .filter(({ cursor }) => !received.has(cursor))
    .map(
      ({ cursor, entity, id, status }) =>
        `${person.name} missed the event ${cursor}: ${entity} ${id} is ${status}${why}`,
    );
}
