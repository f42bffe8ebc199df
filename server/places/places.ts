import { bandOf } from '../../domain/places.ts';
import type { Deps } from '../context.ts';
import { transact } from '../db/database.ts';
import { found } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import {
  changeAddress,
  firstAddress,
  insertAddress,
  putDuberPlace,
  putScrubPlace,
  scrubsNearby,
} from './places.sql.ts';

export function placeHandlers({
  db,
  now,
  newId,
}: Deps): Pick<Handlers, 'createAddress' | 'updateAddress' | 'findScrubsNearby'> {
  return {
    createAddress: ({ caller, body }) => insertAddress(db, caller.id, { ...body, id: newId() }, now()),
    updateAddress: ({ caller, body }) =>
      transact(db, async (tx) => {
        const address = found(await changeAddress(tx, caller.id, body));
        const first = await firstAddress(tx, caller.id);
        if (caller.role === 'Scrub' && first?.id === address.id) {
          await putScrubPlace(tx, caller.id, { ...address, band: bandOf(address.latitude) }, true);
        }
        if (caller.role === 'Duber' && first?.id === address.id) await putDuberPlace(tx, caller.id, address);
        return address;
      }),
    findScrubsNearby: ({ caller, query }) => scrubsNearby(caller.id, query.addressId, query.maxDistanceMeters),
  };
}
