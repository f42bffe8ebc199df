import { bandOf } from '../../domain/places.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import {
  findFirstAddress,
  findScrubsNearby,
  insertAddress,
  saveDuberPlace,
  saveScrubPlace,
  updateAddress,
} from './places.sql.ts';

export function placeHandlers({
  db,
  now,
  newId,
}: Context): Pick<Handlers, 'createAddress' | 'updateAddress' | 'findScrubsNearby'> {
  return {
    createAddress: ({ caller, body }) => insertAddress(db, caller.id, { ...body, id: newId() }, now()),
    updateAddress: ({ caller, body }) =>
      transact(db, async (tx) => {
        const address = orNotFound(await updateAddress(tx, caller.id, body));
        const first = await findFirstAddress(tx, caller.id);
        if (caller.role === 'Scrub' && first?.id === address.id) {
          await saveScrubPlace(tx, caller.id, { ...address, band: bandOf(address.latitude) }, true);
        }
        if (caller.role === 'Duber' && first?.id === address.id) await saveDuberPlace(tx, caller.id, address);
        return address;
      }),
    findScrubsNearby: ({ caller, query }) => findScrubsNearby(caller.id, query.addressId, query.maxDistanceMeters),
  };
}
