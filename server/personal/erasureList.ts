import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { ERASURE_STATUSES } from '../../domain/erasures.ts';
import { applyScrubVisibility } from '../auth/restrictions.sql.ts';
import { deleteSessionsOf } from '../auth/sessions.sql.ts';
import type { Context } from '../context.ts';
import { queryRows, type Tx, transact } from '../db/database.ts';
import { endTimers, startTimers } from '../jobs/timers.sql.ts';
import { liftErasedRestriction, lockErasedPerson, restrictErased, saveErasure } from './erasures.sql.ts';

// Which accounts were erased, or are going to be, is kept outside of the database as well: in the data directory of each server, and beside
// each backup. A database that is restored from before learns it from there. The list has ids and times only.

export const ERASURE_LIST = 'erasures.jsonl';

const Entry = z.strictObject({
  id: z.guid(),
  status: z.enum(ERASURE_STATUSES),
  since: z.iso.datetime(),
  dueAt: z.iso.datetime(),
});
type Entry = z.output<typeof Entry>;
type Entries = ReadonlyMap<string, Entry>;

/** The entries of a list, by the person. None when there is no list. Of a damaged one a copy is kept beside it. */
function readErasureList(path: string): Entries {
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  const entries = lines.flatMap((line) => readEntry(line) ?? []);
  if (entries.length < lines.length) copyFileSync(path, `${path}.damaged`);
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function readEntry(line: string): Entry | undefined {
  try {
    return Entry.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Replaces a list at once: a crash leaves the earlier one. */
function writeErasureList(path: string, entries: Entries): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  const lines = [...entries.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((entry) => JSON.stringify(entry));
  writeFileSync(draft, lines.map((line) => `${line}\n`).join(''), { mode: 0o600, flush: true });
  renameSync(draft, path);
}

type StoredErasure = Omit<Entry, 'since' | 'dueAt'> & { readonly since: Date; readonly dueAt: Date };

async function readEntries(tx: Tx): Promise<Entries> {
  const rows = await queryRows<StoredErasure>(tx, sql`select id, status, since, due_at as "dueAt" from erasures`);
  return new Map(
    rows.map(({ id, status, since, dueAt }) => [
      id,
      { id, status, since: since.toISOString(), dueAt: dueAt.toISOString() },
    ]),
  );
}

const isOver = ({ status }: { readonly status: string }) => status === 'erased' || status === 'forgotten';

/** Whether one entry says more than another: who was erased once is not kept any more, whatever a restored database says. */
const isNewer = (one: Entry, other: Entry | undefined) =>
  other === undefined || (isOver(one) === isOver(other) ? one.since > other.since : isOver(one));

/** The newer entry of each person. */
const mergeEntries = (a: Entries, b: Entries): Entries =>
  new Map([...a, ...[...b].filter(([id, entry]) => isNewer(entry, a.get(id)))]);

/** Brings a list and the database to the same state: each learns from the other what happened later. */
export async function syncErasures(db: Tx, path: string, now: Date): Promise<void> {
  const listed = readErasureList(path);
  const stored = await readEntries(db);
  for (const entry of listed.values()) if (isUnknown(entry, stored.get(entry.id))) await replay(db, entry, now);
  await addToErasureList(db, path);
}

/** Writes into a list what the database knows. */
export async function addToErasureList(db: Tx, path: string): Promise<void> {
  const listed = readErasureList(path);
  const stored = await readEntries(db);
  const merged = mergeEntries(listed, stored);
  const isSame = merged.size === listed.size && [...merged].every(([id, one]) => one.since === listed.get(id)?.since);
  if (!isSame) writeErasureList(path, merged);
}

/** Whether the database does not know what an entry says. An account that was erased stays so, also if its owner has kept a restored one. */
function isUnknown(entry: Entry, stored: Entry | undefined): boolean {
  if (!stored) return true;
  if (isOver(stored)) return false;
  return entry.since > stored.since || (isOver(entry) && stored.status === 'active');
}

/** Does what the database does not know yet: the account is going to be erased, now if it was erased before, or it is kept after all. */
async function replay(db: Tx, entry: Entry, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    const person = await lockErasedPerson(tx, entry.id);
    if (!person || isOver(person) || (entry.status === 'active' && person.status === 'active')) return;
    await endTimers(tx, 'erasure', entry.id);
    if (entry.status === 'active') {
      await saveErasure(tx, { id: entry.id, status: 'active', at: now, dueAt: now });
      await liftErasedRestriction(tx, entry.id, now);
    } else {
      const dueAt = entry.status === 'cooling' ? new Date(entry.dueAt) : now;
      const step = await saveErasure(tx, { id: entry.id, status: 'cooling', at: now, dueAt });
      await startTimers(tx, 'erasure', { id: entry.id, step }, [{ action: 'erase', dueAt }]);
      await restrictErased(tx, { id: newId(), userId: entry.id, at: now });
      await deleteSessionsOf(tx, entry.id);
    }
    await applyScrubVisibility(tx, entry.id);
  });
}

/** Keeps the list in the data directory of this server. Returns false: there is never more to do. */
export async function keepErasureList({ db, now, config }: Pick<Context, 'db' | 'now' | 'config'>): Promise<boolean> {
  await syncErasures(db, join(config.dataDir, ERASURE_LIST), now());
  return false;
}
