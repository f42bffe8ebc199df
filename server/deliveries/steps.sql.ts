import { type RawBuilder, sql } from 'kysely';
import { bandOf } from '../../domain/places.ts';
import type { DeliveryColumns } from '../../domain/process/delivery.ts';
import { cacheByKey } from '../db/caches.ts';
import type { Tx } from '../db/database.ts';
import { type Placeholders, prepare } from '../db/prepared.ts';
import { publishMovedDeliverySql } from '../events/publish.ts';
import { attachFiles } from '../files/files.ts';
import { createPinShift, replacePinsSql } from '../handovers/pins.ts';
import { insertStepSql } from '../process/steps.sql.ts';
import { countsFrom, isFailureProven } from './evidence.ts';
import { believedTime, type DeliveryStepTaken, photosOf, type TakenDeliveryStep, takenOf } from './facts.ts';

const TYPES = {
  duber_id: sql`uuid`,
  has_laundry: sql`boolean`,
  carrier_id: sql`uuid`,
  left_by: sql`uuid`,
  left_at: sql`timestamptz`,
  delivered_at: sql`timestamptz`,
  stopped_at: sql`timestamptz`,
  lost_at: sql`timestamptz`,
  price: sql`integer`,
  distance_m: sql`integer`,
  pickup_latitude: sql`float8`,
  pickup_longitude: sql`float8`,
  pickup_band: sql`integer`,
  due_from: sql`timestamptz`,
  due_until: sql`timestamptz`,
} as const;
type Column = keyof typeof TYPES;

/** The columns that a row sets, as the table has them. */
const NAMES: Record<Exclude<keyof DeliveryColumns, 'pickup'>, Column> = {
  duberId: 'duber_id',
  hasLaundry: 'has_laundry',
  carrierId: 'carrier_id',
  leftBy: 'left_by',
  leftAt: 'left_at',
  deliveredAt: 'delivered_at',
  stoppedAt: 'stopped_at',
  lostAt: 'lost_at',
  price: 'price',
  distanceM: 'distance_m',
  dueFrom: 'due_from',
  dueUntil: 'due_until',
};
function columnsOf({ pickup, ...columns }: Partial<DeliveryColumns>): [Column, unknown][] {
  const plain = Object.entries(columns).map(([name, value]) => [NAMES[name as keyof typeof NAMES], value] as const);
  const place = pickup && {
    ...{ pickup_latitude: pickup.latitude, pickup_longitude: pickup.longitude, pickup_band: bandOf(pickup.latitude) },
  };
  return [...plain, ...Object.entries(place ?? {})] as [Column, unknown][];
}

type Step = [
  ...[id: string, from: string, to: string, attempt: number, attempts: number, formerDuber: string | null],
  ...[action: string, actor: string | null, role: string, reason: string | null, words: string | null],
  ...[at: Date, takenAt: Date | null, fileIds: readonly string[]],
  ...[countsFrom: Date | null, isProven: boolean | null],
];
const STEP_PARAMETERS = 16;
type Parts = { readonly columns: readonly Column[]; readonly hasPins: boolean };

// Raw SQL, prepared: the change, its history, its events and the position of a Duber who no longer has it are one statement.
function changeSql({ columns, hasPins }: Parts, all: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const [id, from, to, attempt, attempts, formerDuber, ...step] = all as unknown as Placeholders<Step>;
  const [action, actor, role, reason, words, at, takenAt, fileIds, countsFromTime, isProven] = step;
  const set = columns.map((name, index) => sql`, ${sql.ref(name)} = ${all[STEP_PARAMETERS + index]}::${TYPES[name]}`);
  const [Bud = sql``, Scrub = sql``] = all.slice(STEP_PARAMETERS + columns.length);
  return sql`with moved as (
      update deliveries d set status = ${to}::text, attempt = d.attempt + ${attempts}::int ${sql.join(set, sql``)}
        where d.id = ${id} and d.status = ${from}::text and d.attempt = ${attempt}::int
        returning d.*),
    step as (${insertStepSql('delivery', sql`moved`, {
      attempt: sql`${attempt}::int`,
      action: sql`${action}::text`,
      status: sql`${to}::text`,
      actor_id: sql`${actor}::uuid`,
      actor_role: sql`${role}::text`,
      reason: sql`${reason}::text`,
      words: sql`${words}::text`,
      at: sql`${at}::timestamptz`,
      taken_at: sql`${takenAt}::timestamptz`,
      file_ids: sql`${fileIds}::uuid[]`,
      counts_from: sql`${countsFromTime}::timestamptz`,
      is_proven: sql`${isProven}::boolean`,
    })}),
    forgotten as (
      delete from delivery_positions p using moved m where p.delivery_id = m.id and ${formerDuber}::uuid is not null),
    ${publishMovedDeliverySql({ from, to, now: at, formerDuber })}
    ${hasPins ? sql`, replaced as (${replacePinsSql({ Bud, Scrub }, at)})` : sql``}
    select m.id from moved m`;
}

const statementOf = cacheByKey((key) => {
  const { columns, hasPins } = JSON.parse(key) as Parts;
  const count = STEP_PARAMETERS + columns.length + (hasPins ? 2 : 0);
  return prepare<unknown[], unknown>((...all) => changeSql({ columns, hasPins }, all), count);
});

/** Changes the delivery, and writes the step, its photos and what shows that it is true. The caller has locked the delivery. */
export async function writeStep(tx: Tx, taken: DeliveryStepTaken): Promise<TakenDeliveryStep> {
  const { actor, request, row, facts, at } = taken;
  const { id, action, reason = null, words = null } = request;
  const fileIds = photosOf(actor, request);
  if (actor.id !== null && fileIds.length > 0)
    await attachFiles(tx, { owner: actor.id, fileIds, aboutKind: 'delivery', aboutId: id });
  const takenAt = believedTime(request, facts);
  const isArrival = action === 'arrived-at-pickup' || action === 'arrived-at-drop';
  const isFailure = action === 'pickup-failed' || action === 'drop-failed';
  const attempt = facts.attempt + (row.startsOver ? 1 : 0);
  const sets = row.sets?.(takenOf(taken)) ?? {};
  const columns = columnsOf({ stoppedAt: null, lostAt: null, ...sets });
  const step: Step = [
    ...([id, facts.status, row.to, facts.attempt, attempt - facts.attempt] as const),
    sets.duberId === undefined || sets.duberId === facts.duberId ? null : facts.duberId,
    ...([action, actor.id, actor.role, reason, words, at, takenAt] as const),
    // Every photo that the request names, also of a step whose photos belong to its hand-over.
    [...new Set(request.fileIds)],
    isArrival ? await countsFrom(tx, facts, takenAt ?? at) : null,
    isFailure ? isFailureProven(facts, fileIds.length) : null,
  ];
  const hasPins = row.changesPins === true;
  const statement = statementOf(JSON.stringify({ columns: columns.map(([name]) => name), hasPins }));
  const shifts = hasPins ? [createPinShift(), createPinShift()] : [];
  const changed = await statement.one(tx, ...step, ...columns.map(([, value]) => value), ...shifts);
  if (!changed) throw new Error(`delivery ${id} changed although it was locked`);
  return {
    ...{ status: row.to, createdAt: at.toISOString(), takenAt: takenAt?.toISOString() ?? null },
    ...{ deliveryId: id, attempt },
  };
}
