import type { Address } from '../../contract/places.ts';
import type { Role, UserId } from '../../domain/accounts.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import {
  findFirstAddressId,
  findScrubsNearby,
  insertAddress,
  saveDuberPlace,
  saveScrubPlace,
  updateAddress,
} from './places.sql.ts';

type AddressOwner = { readonly id: UserId; readonly role: Role };

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
        const isFirst = address.id === (await findFirstAddressId(tx, caller.id));
        if (isFirst) await savePlace(tx, caller, address);
        return address;
      }),
    findScrubsNearby: ({ caller, query }) => findScrubsNearby(caller.id, query.addressId, query.maxDistanceMeters),
  };
}

/** Stores the address of a sign-up. */
export async function addFirstAddress(tx: Tx, owner: AddressOwner, address: Address, now: Date): Promise<void> {
  await insertAddress(tx, owner.id, address, now);
  await savePlace(tx, owner, address);
}

/** The first address is where others find a Scrub, and where a Duber searches. */
async function savePlace(tx: Tx, { id, role }: AddressOwner, address: Address): Promise<void> {
  if (role === 'Scrub') await saveScrubPlace(tx, id, address);
  if (role === 'Duber') await saveDuberPlace(tx, id, address);
}
