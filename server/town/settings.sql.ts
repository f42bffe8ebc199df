import { type RawBuilder, sql } from 'kysely';
import type { Pause } from '../../domain/hours.ts';
import { SETTING_DEFAULTS, type SettingName, type StoredSettings, type TownSettings } from '../../domain/settings.ts';
import type { Tx } from '../db/database.ts';

/** The value of a setting at a time, as JSON; null without a row. Statements ask for it themselves. */
export const settingSql = (name: SettingName, now: RawBuilder<unknown>) =>
  sql`(select s.value from settings s where s.name = ${sql.lit(name)} and s.valid_from <= ${now}::timestamptz
    order by s.valid_from desc, s.id desc limit 1)`;

/** The time zone of the town. */
export const timeZoneSql = (now: RawBuilder<unknown>): RawBuilder<string> =>
  sql`coalesce(${settingSql('timeZone', now)} #>> '{}', ${sql.lit(SETTING_DEFAULTS.timeZone)})`;

/** What the town promised to pay for a missed promise when the order `o` was placed, as JSON: what it sets later is for later orders. */
export const promisedCredit: RawBuilder<unknown> = settingSql('promiseCredit', sql`o.created_at`);

/** Until when no orders are taken, and what people read, as JSON; null while they are taken. */
export const pauseSql = (now: RawBuilder<unknown>): RawBuilder<Pause | null> =>
  sql<Pause | null>`(select p.value from (select ${settingSql('pause', now)} as value) p
    where (p.value ->> 'until')::timestamptz > ${now}::timestamptz)`;

/** All settings at a time, besides the logo. A pause that is over is none. */
export async function readSettings(tx: Tx, now: Date): Promise<TownSettings> {
  const rows = await tx
    .selectFrom('settings')
    .distinctOn('name')
    .select(['name', 'value'])
    .where('valid_from', '<=', now)
    .where('name', '<>', 'logo')
    .orderBy('name')
    .orderBy('valid_from', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const settings = { ...SETTING_DEFAULTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
  const { pause } = settings as TownSettings;
  return { ...(settings as TownSettings), pause: pause && new Date(pause.until) > now ? pause : null };
}

/** By whom a setting was set, and since when it holds; undefined while nobody has. */
export const readSettingRow = (tx: Tx, name: SettingName, now: Date) =>
  tx
    .selectFrom('settings')
    .select(['valid_from as validFrom', 'set_by as setBy'])
    .where('name', '=', name)
    .where('valid_from', '<=', now)
    .orderBy('valid_from', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Sets a setting from a time on. Earlier rows stay as its history. */
export async function writeSetting<N extends SettingName>(
  tx: Tx,
  { name, value, setBy, from }: { name: N; value: StoredSettings[N]; setBy: string; from: Date },
): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value: JSON.stringify(value), valid_from: from, set_by: setBy })
    .execute();
}
