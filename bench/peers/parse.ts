import type { Peer, Question } from './peer.ts';
import { newPhone } from './peer.ts';

const RADIUS_M = 5_000;
const METERS_PER_DEGREE = 111_195;

/** The corners of the square around a place, south-west and north-east. */
export function boxAround({ latitude, longitude }: Pick<Question, 'latitude' | 'longitude'>, radius: number) {
  const high = radius / METERS_PER_DEGREE;
  const wide = high / Math.cos((latitude * Math.PI) / 180);
  const point = (side: -1 | 1) => ({
    __type: 'GeoPoint',
    latitude: latitude + side * high,
    longitude: longitude + side * wide,
  });
  return [point(-1), point(1)] as const;
}

function find(className: string, where: object, options: Readonly<Record<string, string>>) {
  return { path: `/classes/${className}?${new URLSearchParams({ where: JSON.stringify(where), ...options })}` };
}

const WHOLE_ORDER = 'bud,scrub,deliveries,deliveries.duber';

const listOfOrders = (options: Readonly<Record<string, string>>) => ({
  toRequest: ({ person }: Question) => {
    const bud = { __type: 'Pointer', className: '_User', objectId: `p${person}` };
    return find('Order', { bud }, { order: '-createdAt', limit: '10', count: '1', ...options });
  },
  answerPath: 'results',
});

const ids = (...numbers: string[]) => `array[${numbers.map((n) => `'p' || ${n}`).join(', ')}]`;
const PEOPLE_OF_ORDER = `join bench.people b on b.id = o.bud_id join bench.people s on s.id = o.scrub_id
  join bench.people d on d.id = o.duber_id`;
const history = (statuses: readonly string[]) =>
  `jsonb_build_array(${statuses.map((status, i) => `jsonb_build_object('status', '${status}', 'at', o.at + interval '${i * 6} hours')`).join(', ')})`;

const FILL = [
  'create index on bench.deliveries (id)',
  `insert into "_User" ("objectId", "createdAt", "updatedAt", username, email, _hashed_password, fullname, phone, role, rating,
      "ratingCount", _rperm, _wperm)
    select 'p' || n, now(), now(), 'p' || n || '@bench.test', 'p' || n || '@bench.test', 'none', role || ' number ' || i, '+12025550123',
      role, 4, 7, array['*'], array['p' || n] from bench.people`,
  `insert into "_Session" ("objectId", "createdAt", "updatedAt", "user", "sessionToken", "expiresAt", "createdWith")
    select 's' || n, now(), now(), 'p' || n, 'bench-' || n, now() + interval '1 year', '{"action": "login"}' from bench.people`,
  `insert into "Address" ("objectId", "createdAt", "updatedAt", "user", label, address, location, _rperm, _wperm)
    select 'a' || n, now(), now(), 'p' || n, 'Default', i || ' Heron Street, City ' || city, point(longitude, latitude),
      array['p' || n], array['p' || n] from bench.people`,
  `insert into "Place" ("objectId", "createdAt", "updatedAt", scrub, active, address, location, _rperm, _wperm)
    select 'l' || n, now(), now(), 'p' || n, bench.chance(n, 3) < 0.8, i || ' Heron Street, City ' || city, point(longitude, latitude),
      array['*'], array['p' || n] from bench.people where role = 'Scrub'`,
  `insert into "Order" ("objectId", "createdAt", "updatedAt", number, status, "loadSize", "selfDelivery", "selfPickup", "orderInstructions",
      price, "budAddress", "scrubAddress", "distanceInMeters", "statusHistory", bud, scrub, deliveries, _rperm, _wperm)
    select 'o' || o.n, o.at, o.at, o.n, o.status, o.size, o.self_delivery, o.self_pickup, 'Cold wash, please.',
      jsonb_build_object('loadPrice', o.load, 'pickupPrice', o.pickup, 'deliveryPrice', o.delivery, 'platformFee', o.fee,
        'taxes', o.taxes, 'totalPrice', o.load + o.pickup + o.delivery + o.fee + o.taxes),
      o.bud_address, o.scrub_address, 1234, ${history(['Requested', 'Accepted', 'In_Progress', 'Completed'])},
      'p' || b.n, 'p' || s.n, (select coalesce(jsonb_agg(jsonb_build_object('__type', 'Pointer', 'className', 'Delivery',
        'objectId', l.delivery_id::text)), '[]') from bench.deliveries l where l.id = o.id), ${ids('b.n', 's.n', 'd.n')}, '{}'
    from bench.orders o ${PEOPLE_OF_ORDER}`,
  `insert into "Delivery" ("objectId", "createdAt", "updatedAt", "deliveryType", status, price, "distanceInMeters", "statusHistory", "order",
      bud, scrub, duber, _rperm, _wperm)
    select o.delivery_id::text, o.delivery_at, o.delivery_at, o.type, o.delivery_status, o.delivery_price, 1234,
      ${history(['Pending', 'Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Delivered'])},
      'o' || o.n, 'p' || b.n, 'p' || s.n, 'p' || d.n, ${ids('b.n', 's.n', 'd.n')}, '{}' from bench.deliveries o ${PEOPLE_OF_ORDER}`,
  'create index on "_Session" ("sessionToken")',
  'create index on "Address" ("user")',
  'create index on "Place" using gist (location)',
  'create index on "Order" (bud, "createdAt" desc)',
  'create index on "Order" (scrub, "createdAt" desc)',
];

export const PARSE: Peer = {
  name: 'Parse',
  packages: { 'parse-server': '9.10.0' },
  server: 'parseServer.ts',
  connection: {
    base: '/api',
    headersOf: (token) => ({ 'x-parse-application-id': 'bench', 'x-parse-session-token': token }),
  },
  fill: FILL,
  lines: {
    me: { toRequest: () => ({ path: '/users/me' }), answerPath: 'username' },
    'order detail': {
      toRequest: ({ order }) => ({ path: `/classes/Order/o${order}?include=${WHOLE_ORDER}` }),
      answerPath: 'objectId',
    },
    'list of orders': listOfOrders({ keys: 'status,loadSize,price,number,scrub.fullname', include: 'scrub' }),
    'list, other fields': listOfOrders({
      keys: 'status,loadSize,price,orderInstructions,budAddress,scrub.fullname,deliveries.status,deliveries.deliveryType',
      include: 'scrub,deliveries',
    }),
    'list, whole': listOfOrders({ include: WHOLE_ORDER }),
    // Parse's query by distance needs PostGIS and reads all rows. A box has an index.
    'nearby scrubs': {
      toRequest: (question) => {
        const where = { active: true, location: { $within: { $box: boxAround(question, RADIUS_M) } } };
        const keys = 'address,location,scrub.fullname,scrub.rating,scrub.ratingCount';
        return find('Place', where, { include: 'scrub', keys, limit: '1000' });
      },
      answerPath: 'results',
    },
    'update of a profile': {
      toRequest: ({ person }) => ({ method: 'PUT', path: `/users/p${person}`, body: { phone: newPhone() } }),
      answerPath: 'updatedAt',
    },
  },
};
