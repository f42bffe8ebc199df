import { sql } from 'kysely';
import { decrypt } from '../../sandbox/push/decrypt.ts';
import { type Database, queryRows } from '../../server/db/database.ts';
import type { RunLog } from '../findings.ts';
import type { Person } from '../people/person.ts';
import type { PushDevice } from '../people/pushDevice.ts';

/** More pushes to one device than this are not compared: the push service lists no more. */
const MAX_LISTED = 500;

/** A push to a device, as the server has stored it. */
export type StoredPush = {
  readonly kind: string;
  readonly about: string;
  /** Whose order it is about, if it is not the reader's own. A Scrub's device shows only the newest request of each Bud. */
  readonly bud: string | null;
  readonly state: 'due' | 'sent' | 'dropped' | 'given-up';
  readonly tries: number;
  readonly failure: string | null;
};

/** Kinds that are never deleted. Those of the others are, when they may be sent again or are of no use any more. */
const STORED_FOR_GOOD = ['placed', 'rejected', 'expired', 'cancelled', 'case', 'weigh-answered', 'payout', 'town'];

/**
 * Reports pushes that were lost or given up, that somebody else could have read, and of some kinds those that came more often than
 * they were sent. Returns how many came.
 */
export async function checkPushes(
  database: Database,
  people: readonly Person[],
  { standInsUrl, log }: { readonly standInsUrl: string; readonly log: RunLog },
): Promise<number> {
  // Pushes are sent meanwhile: what was sent before must have come, and what has come must be stored afterwards.
  const before = await readStoredPushes(database);
  const received = new Map<Person, readonly string[]>();
  for (const person of people) {
    const tags = person.pushDevice && (await readTags(person, person.pushDevice, { standInsUrl, log }));
    if (tags && tags.length < MAX_LISTED) received.set(person, tags);
  }
  const after = await readStoredPushes(database);
  for (const [{ name, pushDevice }, tags] of received) {
    const storedFor = (stored: ReadonlyMap<string, StoredPush[]>) => stored.get(pushDevice?.id ?? '') ?? [];
    for (const what of findLostPushes(tags, storedFor(before))) log.report('no push is lost', `${name}: ${what}`);
    for (const what of findUnsentPushes(tags, storedFor(after)))
      log.report('a push comes as often as it is sent', `${name}: ${what}`);
  }
  return [...received.values()].reduce((sum, { length }) => sum + length, 0);
}

/** What identifies each push that a device got. */
async function readTags(
  { name }: Person,
  { endpoint, keys, tags }: PushDevice,
  { standInsUrl, log }: { readonly standInsUrl: string; readonly log: RunLog },
): Promise<string[]> {
  const answer = await fetch(`${standInsUrl}/sandbox/push/messages?to=${encodeURIComponent(endpoint)}`);
  for (const { id, body } of (await answer.json()) as { id: string; body: string }[]) {
    if (tags.has(id)) continue;
    try {
      tags.set(id, (JSON.parse(decrypt(Buffer.from(body, 'base64'), keys)) as { tag: string }).tag);
    } catch (error) {
      tags.set(id, '');
      log.report('only its device can read a push', `${name} got a push that their device cannot read: ${error}`);
    }
  }
  return [...tags.values()];
}

const tagOf = ({ kind, about, bud }: StoredPush) => `${kind}-${kind === 'placed' && bud !== null ? bud : about}`;

/** A Scrub who was told after the answer gets a push that is about the order alone. */
function normalizeTags(received: readonly string[], stored: readonly StoredPush[]): string[] {
  const tags = new Map(stored.map((push) => [`${push.kind}-${push.about}`, tagOf(push)]));
  return received.map((tag) => tags.get(tag) ?? tag);
}

/** Pushes that did not come although they were sent, and those that were given up. `received` has the tags of what came. */
export function findLostPushes(received: readonly string[], stored: readonly StoredPush[]): string[] {
  const givenUp = stored
    .filter(({ state }) => state === 'given-up')
    .map((push) => `"${tagOf(push)}" was given up: ${push.failure}`);
  const sent = Map.groupBy(
    stored.filter(({ state }) => state === 'sent'),
    tagOf,
  );
  return [...givenUp, ...compareCounts(normalizeTags(received, stored), sent, (count, { length }) => count < length)];
}

/** Pushes that came more often than anybody tried to send them. */
export function findUnsentPushes(received: readonly string[], stored: readonly StoredPush[]): string[] {
  const isChecked = (tag: string) => STORED_FOR_GOOD.some((kind) => tag.startsWith(`${kind}-`));
  const checked = normalizeTags(received, stored).filter(isChecked);
  const known = Map.groupBy(stored, tagOf);
  const unknown = checked.filter((tag) => !known.has(tag)).map((tag) => `"${tag}" came, and is not stored`);
  const tries = (pushes: readonly StoredPush[]) => pushes.reduce((sum, one) => sum + one.tries, 0);
  return [...unknown, ...compareCounts(checked, known, (count, pushes) => count > tries(pushes))];
}

function compareCounts(
  received: readonly string[],
  stored: ReadonlyMap<string, readonly StoredPush[]>,
  isWrong: (count: number, pushes: readonly StoredPush[]) => boolean,
): string[] {
  const counts = Map.groupBy(received, (tag) => tag);
  return [...stored].flatMap(([tag, pushes]) => {
    const count = counts.get(tag)?.length ?? 0;
    const states = pushes.map(({ state, tries }) => `${state} (tries: ${tries})`).join(', ');
    return isWrong(count, pushes) ? [`"${tag}" came ${count} times, and is stored as ${states}`] : [];
  });
}

async function readStoredPushes({ db }: Database): Promise<ReadonlyMap<string, StoredPush[]>> {
  const rows = await queryRows<StoredPush & { target: string }>(
    db,
    sql`select n.target, n.kind, n.about, nullif(o.bud_id, n.user_id) as bud, n.state, n.tries, n.failure
      from notifications n left join orders o on o.id = n.about where n.channel = 'push'`,
  );
  return Map.groupBy(rows, ({ target }) => target);
}
