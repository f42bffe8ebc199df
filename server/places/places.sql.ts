import { sql } from 'kysely';
import type { Address, NearbyScrub } from '../../contract/places.ts';
import type { BudId, UserId } from '../../domain/accounts.ts';
import { bandOf, type Point } from '../../domain/places.ts';
import { columnsOf } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { type Json, list, object, quoted, raw, text } from '../db/json.sql.ts';
import { nearestTo } from '../db/nearby.sql.ts';
import { prepareJsonQuery } from '../db/query.sql.ts';
import { ratingJson } from '../visibility.sql.ts';

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

/** Saves the point around which a Duber searches for deliveries and is notified of new ones. */
export async function saveDuberPlace(tx: Tx, duberId: string, { latitude, longitude }: Point): Promise<void> {
  const columns = { latitude, longitude, band: bandOf(latitude) };
  await tx
    .insertInto('duber_places')
    .values({ duber_id: duberId, ...columns })
    .onConflict((conflict) => conflict.column('duber_id').doUpdateSet(columns))
    .execute();
}

const user = columnsOf('users', 'u');
const place = columnsOf('scrub_places', 'p');

const nearbyScrubJson: Json<NearbyScrub> = object({
  scrub: object({ id: quoted(user('id')), fullname: text(user('fullname')) }),
  distanceMeters: raw(sql<number>`found.distance`),
  address: object({
    address: text(place('address')),
    latitude: raw(place('latitude')),
    longitude: raw(place('longitude')),
  }),
  rating: ratingJson,
});

/** Visible Scrubs within `radius` metres of an address, nearest first. No row when the address is not the Bud's. */
export const findScrubsNearby = prepareJsonQuery<[bud: BudId, addressId: string, radius: number], NearbyScrub[]>(
  (bud, addressId, radius) => ({
    with: sql`origin as materialized (
        select a.latitude, a.longitude from addresses a where a.id = ${addressId} and a.user_id = ${bud}),
      ${nearestTo(
        {
          table: sql`scrub_places p`,
          id: place('scrub_id'),
          band: place('band'),
          latitude: place('latitude'),
          longitude: place('longitude'),
          where: place('active'),
        },
        radius,
      )}`,
    json: list(
      nearbyScrubJson,
      sql`found.distance, found.id`,
      sql`found cross join lateral (select * from users u where u.id = found.id offset 0) u
        cross join lateral (select * from scrub_places p where p.scrub_id = found.id offset 0) p`,
    ),
    from: sql`origin`,
  }),
);
