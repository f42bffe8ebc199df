import { fieldTree } from '../../contract/answerFields.ts';
import { budDashboard, duberDashboard, scrubDashboard } from '../../contract/dashboards.ts';
import { NearbyDeliveryShape } from '../../contract/deliveries.ts';
import { ITEM_FIELDS, type ListQuery, type Position } from '../../contract/lists.ts';
import { ORDER_LIST } from '../../contract/orders.ts';
import { NearbyScrubShape } from '../../contract/places.ts';
import {
  BUD_DASHBOARD_FIELDS,
  BUD_ORDER_FIELDS,
  DUBER_DASHBOARD_FIELDS,
  FIRST_OFFERS,
  NEARBY_DELIVERY_FIELDS,
  NEARBY_SCRUB_FIELDS,
  SCRUB_DASHBOARD_FIELDS,
} from '../../contract/screenFields.ts';
import type { Caller } from '../../domain/accounts.ts';
import { readSessionJson } from '../../server/accounts/accounts.sql.ts';
import {
  readBudDashboardJson,
  readDuberDashboardJson,
  readScrubDashboardJson,
} from '../../server/dashboards/dashboards.sql.ts';
import type { Tx } from '../../server/db/database.ts';
import { findDeliveriesNearby } from '../../server/deliveries/deliveries.sql.ts';
import { listOrders, readOrderJson } from '../../server/orders/orders.sql.ts';
import { findScrubsNearby } from '../../server/places/places.sql.ts';
import { type MeasuredCall, type QuerySamples, SAMPLES, type Sample } from './call.ts';
import { LIGHT_PEOPLE } from './fill.sql.ts';
import { PLACEHOLDERS } from './pgbench.ts';
import { createAcceptCall, createPlaceOrderCall } from './writes.ts';

/** The calls to measure, with inputs that `query` reads from the test data. */
export async function createCalls(query: QuerySamples): Promise<MeasuredCall[]> {
  const [reads, accept, place] = [
    await createReadCalls(query),
    await createAcceptCall(query),
    await createPlaceOrderCall(query),
  ];
  // A delivery can be accepted only once, so some of them are reserved for the mix, which comes last.
  const [separateSamples, mixSamples] = [accept.samples.slice(0, -MIX_ACCEPTS), accept.samples.slice(-MIX_ACCEPTS)];
  const evening = mixCalls([...reads, { ...accept, samples: mixSamples }, place]);
  return [...reads, { ...accept, samples: separateSamples }, place, evening];
}

/** The percentage of each call on an evening, when people check on their laundry and Dubers are on the road. */
const TRAFFIC_MIX: Readonly<Record<string, number>> = {
  'session check': 8,
  'nearby scrubs': 4,
  'nearby deliveries': 10,
  'list of orders': 14,
  'order detail': 33,
  'Bud dashboard': 13,
  'Scrub dashboard': 8,
  'Duber dashboard': 7,
  'accept a delivery': 2,
  'place an order': 1,
};
const MIX_REQUESTS = 4_000;
const MIX_ACCEPTS = MIX_REQUESTS / 50;

/** All calls in the proportions of an evening. Each step makes several people reload, so there are few steps. */
function mixCalls(calls: readonly MeasuredCall[]): MeasuredCall {
  const hundred = calls.flatMap((call) => Array.from({ length: TRAFFIC_MIX[call.name] ?? 0 }, () => call));
  const used = new Map<MeasuredCall, number>();
  const samples = Array.from({ length: MIX_REQUESTS }, (_, index): Sample | undefined => {
    const call = hundred[(index * 37) % hundred.length];
    if (!call) return undefined;
    const count = used.get(call) ?? 0;
    used.set(call, count + 1);
    const sample = call.samples[count % call.samples.length];
    return sample && { ...sample, call };
  });
  return {
    name: 'an evening, mixed',
    status: 200,
    samples: samples.filter((sample) => sample !== undefined),
    singleUse: true,
    toRequest: () => {
      throw new Error('each sample of the mix has its own call');
    },
    reset: calls.flatMap(({ reset = [] }) => reset),
  };
}

// As the screens ask.
const fieldsOf = (paths: readonly string[]) => `fields=${paths.join(',')}`;
const LIST_PATH = `/scrub-orders?pageNumber=1&pageSize=10&${fieldsOf(BUD_ORDER_FIELDS)}`;
const DEEP_PAGE = 2_500;
/** Not what a screen asks for. */
const OTHER_ORDER_FIELDS: readonly string[] = [
  'status',
  'loadSize',
  'price.totalPrice',
  'createdAt',
  'orderInstructions',
  'budAddress.address',
  'scrub.fullname',
  'deliveries.status',
  'deliveries.deliveryType',
];
const listQuery = (pageNumber: number, fields: readonly string[] = BUD_ORDER_FIELDS): ListQuery => ({
  pageNumber,
  pageSize: 10,
  sortField: 'createdAt',
  sortDirection: 'desc',
  filters: [],
  sumFields: [],
  fields: fieldTree(ORDER_LIST.item, fields, ITEM_FIELDS),
});

const FIELDS = {
  scrubs: fieldTree(NearbyScrubShape, NEARBY_SCRUB_FIELDS),
  deliveries: fieldTree(NearbyDeliveryShape, NEARBY_DELIVERY_FIELDS),
  bud: fieldTree(budDashboard.answer, BUD_DASHBOARD_FIELDS),
  scrub: fieldTree(scrubDashboard.answer, SCRUB_DASHBOARD_FIELDS),
  duber: fieldTree(duberDashboard.answer, DUBER_DASHBOARD_FIELDS),
};

const now = new Date();
const bud = { role: 'Bud', id: PLACEHOLDERS.caller } as Extract<Caller, { role: 'Bud' }>;
const scrub = { role: 'Scrub', id: PLACEHOLDERS.caller } as Extract<Caller, { role: 'Scrub' }>;
const duber = { role: 'Duber', id: PLACEHOLDERS.caller } as Extract<Caller, { role: 'Duber' }>;

async function createReadCalls(query: QuerySamples): Promise<MeasuredCall[]> {
  const people = (role: string, where: string) =>
    query(`select n, id as caller, bench.thing(1, n) as a, id as b from bench.people where role = '${role}' and ${where}
      order by bench.chance(n, 21) limit ${SAMPLES}`);
  const some = (role: string) => people(role, `i > ${LIGHT_PEOPLE + 1}`);
  const heavy = (role: string) => people(role, 'i = 1');
  const light = (role: string) => people(role, `i between 2 and ${LIGHT_PEOPLE + 1}`);
  const middle = await people('Bud', 'city = 1 and bench.chance(n, 1) < 0.2');
  const orders = await query(`select b.n, o.bud_id as caller, o.id as a, o.id as b from bench.orders o
    join bench.people b on b.id = o.bud_id where b.i > ${LIGHT_PEOPLE + 1} order by bench.chance(o.n, 22) limit ${SAMPLES}`);
  const near = (path: string, query: string) => (sample: Sample) => ({
    path: `${path}?addressId=${sample.a}&maxDistanceMeters=5000&${query}`,
  });
  const get = (path: string) => () => ({ path });
  const scrubs = {
    toRequest: near('/users/find-scrubs-nearby', fieldsOf(NEARBY_SCRUB_FIELDS)),
    sql: (tx: Tx) => findScrubsNearby(FIELDS.scrubs, bud.id, PLACEHOLDERS.a, 5000, now, '{}').run(tx),
    reach: 0.12,
  };
  const deliveries = {
    toRequest: near('/deliveries/find-deliveries-nearby', `limit=${FIRST_OFFERS}&${fieldsOf(NEARBY_DELIVERY_FIELDS)}`),
    sql: (tx: Tx) =>
      findDeliveriesNearby(
        duber.id,
        { addressId: PLACEHOLDERS.a, point: undefined, radius: 5000, limit: FIRST_OFFERS, fields: FIELDS.deliveries },
        now,
      ).run(tx),
    reach: 0.07,
  };
  const list = {
    toRequest: get(LIST_PATH),
    sql: (tx: Tx) => listOrders(bud, listQuery(1), now).run(tx),
    reach: 0.12,
  };
  const listWithOthers = {
    toRequest: get(`/scrub-orders?pageNumber=1&pageSize=10&${fieldsOf(OTHER_ORDER_FIELDS)}`),
    sql: (tx: Tx) => listOrders(bud, listQuery(1, OTHER_ORDER_FIELDS), now).run(tx),
    reach: 0.08,
  };
  const wholeList = {
    toRequest: get('/scrub-orders?pageNumber=1&pageSize=10'),
    sql: (tx: Tx) => listOrders(bud, listQuery(1, []), now).run(tx),
    reach: 0.05,
  };
  const deep = {
    toRequest: get(`/scrub-orders?pageNumber=${DEEP_PAGE}&pageSize=10&${fieldsOf(BUD_ORDER_FIELDS)}`),
    sql: (tx: Tx) => listOrders(bud, listQuery(DEEP_PAGE), now).run(tx),
  };
  const [middleOrder] = await query(`select b.n, o.bud_id as caller, o.id as b,
      to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as a from bench.people b join orders o on o.bud_id = b.id where b.role = 'Bud' and b.i = 1
    order by o.created_at desc, o.id desc limit 1 offset ${DEEP_PAGE * 10 - 1}`);
  if (!middleOrder) throw new Error('nobody has so many orders');
  const position: Position = { createdAt: middleOrder.a, id: middleOrder.b };
  const afterMiddle = {
    toRequest: get(`${LIST_PATH.replace('pageNumber=1', `after=${position.createdAt}_${position.id}`)}`),
    sql: (tx: Tx) => listOrders(bud, { ...listQuery(1), after: position }, now).run(tx),
  };
  const detail = {
    toRequest: ({ a }: Sample) => ({ path: `/scrub-orders/${a}` }),
    sql: (tx: Tx) => readOrderJson(bud, PLACEHOLDERS.a, now).run(tx),
    reach: 0.2,
  };
  const budBoard = {
    toRequest: get(`/dashboards/bud?${fieldsOf(BUD_DASHBOARD_FIELDS)}`),
    sql: (tx: Tx) => readBudDashboardJson(FIELDS.bud, bud.id, now).run(tx),
    reach: 0.22,
  };
  const scrubBoard = {
    toRequest: get(`/dashboards/scrub?${fieldsOf(SCRUB_DASHBOARD_FIELDS)}`),
    sql: (tx: Tx) => readScrubDashboardJson(FIELDS.scrub, scrub.id, now, now).run(tx),
    reach: 0.25,
  };
  const duberBoard = {
    toRequest: get(`/dashboards/duber?pendingLimit=${FIRST_OFFERS}&${fieldsOf(DUBER_DASHBOARD_FIELDS)}`),
    sql: (tx: Tx) => readDuberDashboardJson(FIELDS.duber, duber.id, now, FIRST_OFFERS).run(tx),
    reach: 0.05,
  };
  const session = {
    toRequest: get('/auth/session'),
    sql: (tx: Tx) => readSessionJson(bud.id).run(tx),
    reach: 0.35,
  };
  const status = 200;
  return [
    { name: 'session check', status, samples: await some('Bud'), ...session },
    { name: 'nearby scrubs', status, samples: await some('Bud'), ...scrubs },
    { name: 'nearby scrubs, densest', status, samples: middle, ...scrubs },
    { name: 'nearby scrubs, densest, alone', status, samples: middle, toRequest: scrubs.toRequest, singleClient: true },
    { name: 'nearby deliveries', status, samples: await some('Duber'), ...deliveries },
    { name: 'list of orders', status, samples: await light('Bud'), ...list },
    { name: 'list, other fields', status, samples: await light('Bud'), ...listWithOthers },
    { name: 'list, whole', status, samples: await light('Bud'), ...wholeList },
    { name: 'list, 50,000', status, samples: await heavy('Bud'), ...list },
    { name: 'list, 50,000, page 2,500', status, samples: await heavy('Bud'), ...deep },
    { name: 'list, 50,000, after the middle', status, samples: await heavy('Bud'), ...afterMiddle },
    { name: 'order detail', status, samples: orders, ...detail },
    { name: 'Bud dashboard', status, samples: await light('Bud'), ...budBoard },
    { name: 'Bud dashboard, 50,000', status, samples: await heavy('Bud'), ...budBoard },
    { name: 'Scrub dashboard', status, samples: await light('Scrub'), ...scrubBoard },
    { name: 'Scrub dashboard, 50,000', status, samples: await heavy('Scrub'), ...scrubBoard },
    { name: 'Duber dashboard', status, samples: await light('Duber'), ...duberBoard },
    { name: 'Duber dashboard, 50,000', status, samples: await heavy('Duber'), ...duberBoard },
  ];
}
