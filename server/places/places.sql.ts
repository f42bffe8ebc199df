import { sql } from 'kysely';
import type { Address, NearbyScrub } from '../../contract/places.ts';
import type { BudId, UserId } from '../../domain/accounts.ts';
import { bandOf, type Point } from '../../domain/places.ts';
import { columnsOf } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { type Json, list, object, quoted, raw, text } from '../db/json.sql.ts';
import { nearestTo } from '../db/nearby.sql.ts';
import { prepareJsonQuery } from '../db/query.sql.ts';
import { ratingJson } from '../visibility.sql.ts';

const ADDRESS = sql`id, label, address, latitude, longitude`;

export async function insertAddress(tx: Tx, owner: UserId, address: Address, now: Date): Promise<Address> {
  const { id, label, address: text, latitude, longitude } = address;
  await queryRows(
    tx,
    sql`insert into addresses (id, user_id, label, address, latitude, longitude, created_at)
      values (${id}, ${owner}, ${label}, ${text}, ${latitude}, ${longitude}, ${now})`,
  );
  return { id, label, address: text, latitude, longitude };
}

/** Changes one of the owner's addresses; undefined when it is not theirs. */
export function updateAddress(tx: Tx, owner: UserId, address: Address): Promise<Address | undefined> {
  const { id, label, address: text, latitude, longitude } = address;
  return queryRow(
    tx,
    sql`update addresses set label = ${label}, address = ${text}, latitude = ${latitude}, longitude = ${longitude}
      where id = ${id} and user_id = ${owner} returning ${ADDRESS}`,
  );
}

/** A person's first address: a Scrub's place, and where a Duber looks for deliveries. */
export function findFirstAddress(tx: Tx, owner: string): Promise<Address | undefined> {
  return queryRow(tx, sql`select ${ADDRESS} from addresses where user_id = ${owner} order by created_at, id limit 1`);
}

type ScrubPlace = Point & { readonly address: string; readonly band: number };

/** Writes where a Scrub is found. `active` is only for a new one: afterwards visibility has its own call. */
export async function saveScrubPlace(tx: Tx, scrubId: string, place: ScrubPlace, active: boolean): Promise<void> {
  await queryRows(
    tx,
    sql`insert into scrub_places (scrub_id, address, latitude, longitude, band, active)
      values (${scrubId}, ${place.address}, ${place.latitude}, ${place.longitude}, ${place.band}, ${active})
      on conflict (scrub_id) do update set address = excluded.address, latitude = excluded.latitude,
        longitude = excluded.longitude, band = excluded.band`,
  );
}

/** Writes where a Duber looks for deliveries, and hears of new ones. */
export async function saveDuberPlace(tx: Tx, duberId: string, { latitude, longitude }: Point): Promise<void> {
  await queryRows(
    tx,
    sql`insert into duber_places (duber_id, latitude, longitude, band)
      values (${duberId}, ${latitude}, ${longitude}, ${bandOf(latitude)})
      on conflict (duber_id) do update set latitude = excluded.latitude, longitude = excluded.longitude,
        band = excluded.band`,
  );
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
