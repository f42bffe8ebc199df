import { z } from 'zod';
import { ORDER_SIZES } from '../domain/orders.ts';
import { NEARBY_LIMIT, NEARBY_RADIUS_M, NEARBY_RADIUS_MAX_M } from '../domain/places.ts';
import { fieldsParameter } from './answerFields.ts';
import { anyRole, call } from './call.ts';
import {
  editedText,
  id,
  integerParameter,
  latitude,
  longitude,
  numberInQuery,
  oneOf,
  strict,
  text,
  uuid,
} from './fields.ts';
import { searchedWindows } from './windows.ts';

const ADDRESS_EXAMPLE = { label: 'Home', address: '12 Heron Street, Soapwick', latitude: 24.0123, longitude: 67.0345 };

// spec 3
export const Address = z
  .object({
    id: uuid,
    label: z.string(),
    address: z.string(),
    latitude: z.number(),
    longitude: z.number(),
  })
  .meta({ id: 'Address' });
export type Address = z.output<typeof Address>;

/** An order's copy of an address, as it was when the order was placed. */
export const AddressSnapshotShape = Address.meta({ id: 'KeptAddress' });

const ADDRESS_TEXT = { required: 'Address is required', name: 'Address', max: 300 };
const LABEL = { required: 'Label is required', name: 'Label', max: 50 };
const addressText = text(ADDRESS_TEXT);
const label = text(LABEL);
/** The texts that `updateAddress` checks when they change. */
export const newAddressTexts = z.object({ label, address: addressText });

/** The address in a sign-up, with its properties in the order of spec 7.1. */
export const addressBody = z.strictObject({ address: addressText, label, latitude, longitude }, 'Address is required');

export const createAddress = call({
  method: 'POST',
  path: '/profile/create-address',
  who: ['Bud'],
  body: strict({ label, address: addressText, latitude, longitude }),
  answer: Address,
  status: 201,
  failures: ['tooManyAddresses'],
  summary: "Add an address to the caller's profile, 20 at most",
  spec: '7.2',
  example: { body: ADDRESS_EXAMPLE },
});

export const updateAddress = call({
  method: 'POST',
  path: '/profile/update-address',
  who: anyRole,
  body: strict({
    label: editedText(LABEL),
    address: editedText(ADDRESS_TEXT),
    latitude,
    longitude,
    id: id('id'),
  }),
  answer: Address,
  status: 200,
  failures: ['notFound'],
  summary: "Change one of the caller's addresses. A Duber's may move by more than 50 km three times in 30 days",
  spec: '7.2',
  example: { body: { ...ADDRESS_EXAMPLE, id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab' } },
});

export const deleteAddress = call({
  method: 'POST',
  path: '/profile/delete-address',
  who: ['Bud'],
  body: strict({ id: id('id') }),
  answer: z.undefined(),
  status: 204,
  failures: ['notFound', 'addressInUse', 'lastAddress'],
  summary: "Delete one of the caller's addresses that no open order uses. Orders keep their copies",
  spec: '7.2',
  example: { body: { id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab' } },
});

const RADIUS_MESSAGE = `maxDistanceMeters must be a number from 1 to ${NEARBY_RADIUS_MAX_M}`;
export const maxDistanceMeters = numberInQuery(
  z.number().min(1, RADIUS_MESSAGE).max(NEARBY_RADIUS_MAX_M, RADIUS_MESSAGE),
  RADIUS_MESSAGE,
).default(NEARBY_RADIUS_M);

/** How many places a search finds at most. */
export const nearbyLimit = (name: string) => integerParameter(name, 1, NEARBY_LIMIT, NEARBY_LIMIT);

export const Person = z.object({ id: uuid, fullname: z.string() }).meta({ id: 'Person' });

const NearbyScrub = z
  .object({
    scrub: Person,
    distanceMeters: z.int(),
    address: z.object({ address: z.string(), latitude: z.number(), longitude: z.number() }),
    rating: z.number().describe('the average rating to one decimal, 0 without reviews'),
    free: z
      .object({ day: z.string(), pounds: z.int() })
      .optional()
      .describe(
        'how many pounds they still take on the day of the pickup; only of Scrubs with a limit, when `fields` names it',
      ),
    ratingCount: z.int().optional().describe('how many ratings there are; only when `fields` names it'),
  })
  .meta({ id: 'NearbyScrub' });
export type NearbyScrub = z.output<typeof NearbyScrub>;
export { NearbyScrub as NearbyScrubShape };

export const findScrubsNearby = call({
  method: 'GET',
  path: '/users/find-scrubs-nearby',
  who: ['Bud'],
  query: strict({
    addressId: id('addressId'),
    maxDistanceMeters,
    loadSize: oneOf(ORDER_SIZES, 'loadSize must be a size').optional(),
    ...searchedWindows,
    fields: fieldsParameter(NearbyScrub),
  }),
  answer: z.array(NearbyScrub),
  status: 200,
  failures: ['notFound'],
  summary:
    "Visible Scrubs around one of the caller's addresses who can do it then, as soon as possible without windows; nearest first, 50 at most",
  spec: '7.4',
  example: { query: { addressId: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab', maxDistanceMeters: '5000' } },
});
