import { type RawBuilder, sql } from 'kysely';
import { closuresIn, findClosed, type Hours, type Opening, type Pause } from '../../domain/hours.ts';
import { SETTING_DEFAULTS } from '../../domain/settings.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { pauseSql, settingSql } from './settings.sql.ts';

/** Everything that decides when orders are taken, as JSON. Null without hours, closures and a pause. */
export type StoredOpening = {
  readonly hours: Hours | null;
  readonly timeZone: string | null;
  readonly pause: Pause | null;
  readonly closures: readonly StoredClosure[] | null;
};

type StoredClosure = {
  readonly from: string;
  readonly until: string;
  readonly words: string;
  readonly zoneId: string | null;
};

/** A part of other statements: placing an order and the configuration read it in their one round trip. */
export const openingSql = (now: RawBuilder<unknown>): RawBuilder<StoredOpening> =>
  sql<StoredOpening>`json_build_object('hours', ${settingSql('hours', now)}, 'timeZone', ${settingSql('timeZone', now)},
    'pause', ${pauseSql(now)}, 'closures', (
      select json_agg(json_build_object('from', c.from_at, 'until', c.until_at, 'words', c.words, 'zoneId', c.zone_id) order by c.from_at, c.id)
        from closures c where c.until_at > ${now}::timestamptz and c.taken_back_at is null))`;

/** Until when no orders are taken in a zone, and what people read; null while they are taken. */
export const closedOf = (stored: StoredOpening, zoneId: string | null, now: Date): Pause | null =>
  findClosed(toOpening(stored, zoneId), now);

/** What decides when orders are taken in a zone; null for outside of all zones, and for the town as a whole. */
export function toOpening({ hours, timeZone, pause, closures }: StoredOpening, zoneId: string | null): Opening {
  return {
    hours: hours ?? SETTING_DEFAULTS.hours,
    timeZone: timeZone ?? SETTING_DEFAULTS.timeZone,
    pause,
    closures: closuresIn(closures ?? [], zoneId).map(({ from, until, words }) => ({
      from: new Date(from),
      until: new Date(until),
      words,
    })),
  };
}

/** When the town as a whole takes orders. */
export async function readOpening(tx: Tx, now: Date): Promise<Opening> {
  const row = await queryRow<{ opening: StoredOpening }>(tx, sql`select ${openingSql(sql`${now}`)} as opening`);
  if (!row) throw new Error('a select without a from clause returned no row');
  return toOpening(row.opening, null);
}
