import { type RawBuilder, sql } from 'kysely';
import { type Address, type NearbyScrub, NearbyScrubShape } from '../../contract/places.ts';
import type { BudId, UserId } from '../../domain/accounts.ts';
import { isOpenStatus, ORDER_STATUSES } from '../../domain/orders.ts';
import { bandOf, DUBER_MOVE_LIMIT, DUBER_SEARCH_RADIUS_M, type Point } from '../../domain/places.ts';
import { knownFields, prepareByFields } from '../db/answerFields.ts';
import { approximatePointSql, roundToFourDigits, streetOf } from '../db/approximate.sql.ts';
import { columnsOf, literals } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { ifPresent, type Json, list, object, quoted, raw, text, wholeOrParts } from '../db/json.sql.ts';
import { metersBetween, nearestTo } from '../db/nearby.sql.ts';
import { prepareByPrivacy } from '../db/query.sql.ts';
import { isPrivacy } from '../town/policies.sql.ts';
import { timeZoneSql } from '../town/settings.sql.ts';
import { foundDistanceJson, ratingJson } from '../visibility/visibility.sql.ts';

const OPEN_STATUSES = literals(ORDER_STATUSES.filter(isOpenStatus));

const ADDRESS_COLUMNS = ['id', 'label', 'address', 'latitude', 'longitude'] as const;

export function insertAddress(tx: Tx, owner: UserId, address: Address, now: Date): Promise<Address> {
  const { id, label, address: text, latitude, longitude } = address;
  return tx
    .insertInto('addresses')
    .values({ id, user_id: owner, label, address: text, latitude, longitude, created_at: now })
    .returning(ADDRESS_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Changes one of the owner's addresses. Returns undefined when the owner has no such address. */
export function updateAddress(tx: Tx, owner: UserId, { id, ...address }: Address): Promise<Address | undefined> {
  return tx
    .updateTable('addresses')
    .set(address)
    .where('id', '=', id)
    .where('user_id', '=', owner)
    .returning(ADDRESS_COLUMNS)
    .executeTakeFirst();
}

/** One of the owner's addresses. */
export function findAddress(tx: Tx, owner: UserId, id: string): Promise<Address | undefined> {
  return tx
    .selectFrom('addresses')
    .select(ADDRESS_COLUMNS)
    .where('id', '=', id)
    .where('user_id', '=', owner)
    .executeTakeFirst();
}

/** Locks a person's list of addresses until the transaction ends. Statements that only refer to the person do not wait. */
export async function lockAddresses(tx: Tx, owner: UserId): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', owner).forNoKeyUpdate().execute();
}

/** How many addresses a person has. Stays true while the list is locked. */
export async function countAddresses(tx: Tx, owner: UserId): Promise<number> {
  const { count } = await tx
    .selectFrom('addresses')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', owner)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Locks one of the owner's addresses, so that no order can be placed with it. Returns undefined without one. */
export function lockAddress(tx: Tx, owner: UserId, id: string): Promise<{ id: string } | undefined> {
  return tx
    .selectFrom('addresses')
    .select('id')
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function deleteAddress(tx: Tx, owner: UserId, id: string): Promise<void> {
  await tx.deleteFrom('addresses').where('id', '=', id).where('user_id', '=', owner).execute();
}

/** The id of a user's first address: where a Scrub works, and around which a Duber searches for deliveries. */
export async function findFirstAddressId(tx: Tx, owner: string): Promise<string | undefined> {
  const first = await tx
    .selectFrom('addresses')
    .select('id')
    .where('user_id', '=', owner)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return first?.id;
}

/** Saves where Buds find a Scrub. A new Scrub is visible; a move keeps the visibility. */
export async function saveScrubPlace(tx: Tx, scrubId: string, place: Point & { address: string }): Promise<void> {
  const { address, latitude, longitude } = place;
  const columns = { address, latitude, longitude, band: bandOf(latitude) };
  await tx
    .insertInto('scrub_places')
    .values({ scrub_id: scrubId, active: true, ...columns })
    .onConflict((conflict) => conflict.column('scrub_id').doUpdateSet(columns))
    .execute();
}

/**
 * Saves the point around which a Duber searches for deliveries and is notified of new ones. A point more than
 * DUBER_SEARCH_RADIUS_M from where the Duber was at sign-up or after the last such move is a move. Returns until when the Duber
 * cannot move again and saves nothing if there were DUBER_MOVE_LIMIT.max already.
 */
export async function saveDuberPlace(
  tx: Tx,
  duberId: string,
  { latitude, longitude }: Point,
  now: Date,
): Promise<Date | undefined> {
  const home = {
    latitude: sql`coalesce(p.home_latitude, p.latitude)`,
    longitude: sql`coalesce(p.home_longitude, p.longitude)`,
  };
  const next = { latitude: sql`excluded.latitude`, longitude: sql`excluded.longitude` };
  const isMove = sql`${metersBetween(home, next)} > ${sql.lit(DUBER_SEARCH_RADIUS_M)}`;
  const isNewPeriod = sql`coalesce(p.moves_since <= ${new Date(now.getTime() - DUBER_MOVE_LIMIT.periodMs)}, true)`;
  // Raw SQL: one upsert measures, counts and moves, so that parallel requests cannot exceed the limit.
  const saved = await queryRow(
    tx,
    sql`insert into duber_places as p (duber_id, latitude, longitude, band, home_latitude, home_longitude)
      values (${duberId}, ${latitude}, ${longitude}, ${bandOf(latitude)}, ${latitude}, ${longitude})
      on conflict (duber_id) do update set latitude = excluded.latitude, longitude = excluded.longitude,
        band = excluded.band,
        home_latitude = case when ${isMove} then excluded.latitude else ${home.latitude} end,
        home_longitude = case when ${isMove} then excluded.longitude else ${home.longitude} end,
        moves = case when not ${isMove} then p.moves when ${isNewPeriod} then 1 else p.moves + 1 end,
        moves_since = case when ${isMove} and ${isNewPeriod} then ${now}::timestamptz else p.moves_since end
      where not ${isMove} or ${isNewPeriod} or p.moves < ${sql.lit(DUBER_MOVE_LIMIT.max)}
      returning duber_id`,
  );
  return saved ? undefined : nextMoveAt(tx, duberId, now);
}

async function nextMoveAt(tx: Tx, duberId: string, now: Date): Promise<Date> {
  const place = await tx
    .selectFrom('duber_places')
    .select('moves_since')
    .where('duber_id', '=', duberId)
    .executeTakeFirst();
  return new Date((place?.moves_since ?? now).getTime() + DUBER_MOVE_LIMIT.periodMs);
}

const user = columnsOf('users', 'u');
const place = columnsOf('scrub_places', 'p');
const found = columnsOf('scrub_places', 'found');

const exactPlace: Json<NearbyScrub['address']> = object({
  address: text(found('address')),
  latitude: raw(found('latitude')),
  longitude: raw(found('longitude')),
});
const approximatePoint = approximatePointSql({ latitude: found('latitude'), longitude: found('longitude') });
const approximatePlace: Json<NearbyScrub['address']> = object({
  address: text(streetOf(found('address'))),
  latitude: raw(roundToFourDigits(approximatePoint.latitude)),
  longitude: raw(roundToFourDigits(approximatePoint.longitude)),
});

type Free = NonNullable<NearbyScrub['free']>;

/** The pounds that a Scrub with a limit still takes on the day that is `asked`. */
const FREE = sql<Free | null>`(select json_build_object('day', a.day, 'pounds',
    greatest(0, w.pounds_a_day - coalesce(d.pounds, 0)))
  from scrub_weeks w cross join (select to_char(coalesce((asked.work ->> 'pickupFrom')::timestamptz, (asked.work ->> 'at')::timestamptz)
      at time zone (asked.work ->> 'zone'), 'YYYY-MM-DD') as day) a
    left join scrub_days d on d.scrub_id = w.scrub_id and d.day = a.day
  where w.scrub_id = found.id and w.pounds_a_day is not null)`;

/** In a town where no Scrub has limited anything, nobody is asked. */
const CAN_TAKE = sql<boolean>`((select not exists (select from scrub_weeks) and not exists (select from scrub_days_off))
  or can_take(${place('scrub_id')}, (select work from asked)))`;

const nearbyScrubJson = (isCareful: boolean): Json<NearbyScrub> =>
  object({
    scrub: object({ id: quoted(user('id')), fullname: text(user('fullname')) }),
    distanceMeters: foundDistanceJson(sql`found.distance`, isCareful),
    address: isCareful ? approximatePlace : exactPlace,
    rating: ratingJson,
    ratingCount: raw(user('rating_count')),
    free: ifPresent(
      (free: RawBuilder<Free>) =>
        wholeOrParts(raw(free), {
          day: quoted(sql<string>`${free} ->> 'day'`),
          pounds: raw(sql<number>`${free} ->> 'pounds'`),
        }),
      FREE,
    ),
  });

/**
 * Visible Scrubs within `radius` metres of an address, nearest first. No row when the address is not the Bud's. The screen
 * asks for everything there is.
 */
export const findScrubsNearby = prepareByFields<
  [bud: BudId, addressId: string, radius: number, now: Date, asked: string],
  NearbyScrub[]
>(knownFields(NearbyScrubShape, []), (part) =>
  prepareByPrivacy(
    (isCareful) => (bud, addressId, radius, now, asked) => ({
      applies: isPrivacy(isCareful, now),
      with: sql`origin as materialized (
        select a.latitude, a.longitude from addresses a where a.id = ${addressId} and a.user_id = ${bud}),
      asked as materialized (select ${asked}::jsonb || jsonb_build_object('at', ${now}::timestamptz, 'zone',
        ${timeZoneSql(now)}) as work),
      ${nearestTo(
        {
          table: sql`scrub_places p`,
          columns: sql`p.scrub_id as id, p.address, p.latitude, p.longitude`,
          band: place('band'),
          latitude: place('latitude'),
          longitude: place('longitude'),
          where: sql`${place('active')} and ${CAN_TAKE}`,
          isApproximate: isCareful,
        },
        radius,
      )}`,
      json: list(
        nearbyScrubJson(isCareful),
        sql`found.distance, found.id`,
        sql`asked, found cross join lateral (select * from users u where u.id = found.id offset 0) u`,
      ),
      from: sql`origin`,
    }),
    part,
  ),
);

/** Whether an open order of the Bud, or one that is being placed, uses an address. */
export async function isAddressInUse(tx: Tx, bud: BudId, addressId: string): Promise<boolean> {
  // One statement, so that an intent is seen as the intent or as the order that it became.
  const use = await queryRow(
    tx,
    sql`select 1 as one from orders o where o.bud_id = ${bud} and o.status collate "C" in (${OPEN_STATUSES})
          and o.bud_address ->> 'id' = ${addressId}
      union all select 1 from payments p where p.bud_id = ${bud} and p.state = 'holding' and p.due_at is not null
          and p.draft #>> '{budAddress,id}' = ${addressId} limit 1`,
  );
  return use !== undefined;
}
