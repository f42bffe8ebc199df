import { type Address, newAddressTexts } from '../../contract/places.ts';
import type { BudId, Role, UserId } from '../../domain/accounts.ts';
import { type OrderSize, SIZE_POUNDS } from '../../domain/orders.ts';
import { DUBER_SEARCH_RADIUS_M, MAX_ADDRESSES } from '../../domain/places.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { checkEditedTexts } from '../http/editedTexts.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import {
  countAddresses,
  deleteAddress,
  findAddress,
  findFirstAddressId,
  findScrubsNearby,
  insertAddress,
  isAddressInUse,
  lockAddress,
  lockAddresses,
  saveDuberPlace,
  saveScrubPlace,
  updateAddress,
} from './places.sql.ts';

type AddressOwner = { readonly id: UserId; readonly role: Role };

type PlaceCalls = Pick<Handlers, 'createAddress' | 'updateAddress' | 'deleteAddress' | 'findScrubsNearby'>;

export function placeHandlers({ db, now, newId }: Context): PlaceCalls {
  return {
    createAddress: ({ caller, body }) =>
      transact(db, async (tx) => {
        await lockAddresses(tx, caller.id);
        if ((await countAddresses(tx, caller.id)) >= MAX_ADDRESSES) refuse('tooManyAddresses');
        return insertAddress(tx, caller.id, { ...body, id: newId() }, now());
      }),
    updateAddress: ({ caller, body }) =>
      transact(db, async (tx) => {
        const { label, address: text } = body;
        const readStored = () => findAddress(tx, caller.id, body.id);
        const texts = await checkEditedTexts(newAddressTexts, { label, address: text }, readStored);
        const address = orNotFound(await updateAddress(tx, caller.id, { ...body, ...texts }));
        const isFirst = address.id === (await findFirstAddressId(tx, caller.id));
        if (isFirst) await savePlace(tx, caller, address, now());
        return address;
      }),
    deleteAddress: ({ caller, body }) => transact(db, (tx) => deleteUnusedAddress(tx, caller.id, body.id)),
    findScrubsNearby: ({ caller, query }) =>
      findScrubsNearby(query.fields, caller.id, query.addressId, query.maxDistanceMeters, now(), askedOf(query, now())),
  };
}

type Searched = {
  readonly loadSize?: OrderSize | undefined;
  readonly pickupFrom?: string | undefined;
  readonly pickupUntil?: string | undefined;
  readonly returnFrom?: string | undefined;
  readonly returnUntil?: string | undefined;
};

/**
 * What is asked of a Scrub who is looked for: at least the smallest load. The database adds the time and the time zone. An order whose
 * pickup window has begun is for as soon as possible.
 */
function askedOf({ loadSize, pickupFrom, pickupUntil, returnFrom, returnUntil }: Searched, now: Date): string {
  const times = { pickupFrom, pickupUntil, returnFrom, returnUntil };
  const given = Object.values(times).filter((time) => time !== undefined).length;
  if (given !== 0 && given !== 4)
    refuseProperty('pickupFrom', 'isWhole', 'Send all four times of the windows, or none');
  const isAhead = pickupFrom !== undefined && new Date(pickupFrom) > now;
  const pounds = SIZE_POUNDS[loadSize ?? 'Small'].from;
  return JSON.stringify({ size: loadSize ?? null, pounds, ...(isAhead ? times : {}) });
}

/** Deletes an address that no open order uses. Placing an order locks its address, so it happens before or after this. */
async function deleteUnusedAddress(tx: Tx, bud: BudId, id: string): Promise<undefined> {
  await lockAddresses(tx, bud);
  orNotFound(await lockAddress(tx, bud, id));
  if ((await countAddresses(tx, bud)) === 1) refuse('lastAddress');
  if (await isAddressInUse(tx, bud, id)) refuse('addressInUse');
  await deleteAddress(tx, bud, id);
}

/** Stores the address of a sign-up. */
export async function addFirstAddress(tx: Tx, owner: AddressOwner, address: Address, now: Date): Promise<void> {
  await insertAddress(tx, owner.id, address, now);
  await savePlace(tx, owner, address, now);
}

/** The first address is where others find a Scrub, and where a Duber searches. */
async function savePlace(tx: Tx, { id, role }: AddressOwner, address: Address, now: Date): Promise<void> {
  if (role === 'Scrub') await saveScrubPlace(tx, id, address);
  if (role !== 'Duber') return;
  const blockedUntil = await saveDuberPlace(tx, id, address, now);
  if (!blockedUntil) return;
  const date = blockedUntil.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });
  refuse('tooMany', {
    message: `You have moved your address by more than ${DUBER_SEARCH_RADIUS_M / 1000} km three times. You can move it again from ${date}.`,
    retryAfter: (blockedUntil.getTime() - now.getTime()) / 1000,
  });
}
