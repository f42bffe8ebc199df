import type { ListQuery } from '../../contract/lists.ts';
import type { Caller } from '../../domain/accounts.ts';
import { showSession } from '../../server/accounts/accounts.sql.ts';
import { showBudBoard, showDuberBoard, showScrubBoard } from '../../server/dashboards/dashboards.sql.ts';
import type { Tx } from '../../server/db/database.ts';
import { deliveriesNearby } from '../../server/deliveries/deliveries.sql.ts';
import { listOrders, showOrder } from '../../server/orders/orders.sql.ts';
import { scrubsNearby } from '../../server/places/places.sql.ts';
import { type Ask, type Measured, SAMPLES, type Sample } from './call.ts';
import { LIGHT_PEOPLE } from './fill.sql.ts';
import { INPUTS } from './pgbench.ts';
import { accepting, placing } from './writes.ts';

/** The calls that are measured, with inputs drawn from a made-up world by `ask`. */
export async function callsOf(ask: Ask): Promise<Measured[]> {
  const [readings, accept, place] = [await reads(ask), await accepting(ask), await placing(ask)];
  // A delivery can be accepted once: some are kept for the evening, which comes last.
  const [alone, mixed] = [accept.samples.slice(0, -EVENING_ACCEPTS), accept.samples.slice(-EVENING_ACCEPTS)];
  const evening = mixEvening([...readings, { ...accept, samples: mixed }, place]);
  return [...readings, { ...accept, samples: alone }, place, evening];
}

/** How often each call is made of a hundred, when people look what became of their laundry and Dubers are on the road. */
const EVENING: Readonly<Record<string, number>> = {
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
const EVENING_REQUESTS = 4_000;
const EVENING_ACCEPTS = EVENING_REQUESTS / 50;

/** All calls in the proportions of an evening; each step of somebody makes others look, so steps are few among them. */
function mixEvening(calls: readonly Measured[]): Measured {
  const hundred = calls.flatMap((call) => Array.from({ length: EVENING[call.name] ?? 0 }, () => call));
  const used = new Map<Measured, number>();
  const samples = Array.from({ length: EVENING_REQUESTS }, (_, index): Sample | undefined => {
    const call = hundred[(index * 37) % hundred.length];
    if (!call) return undefined;
    const count = used.get(call) ?? 0;
    used.set(call, count + 1);
    const sample = call.samples[count % call.samples.length];
    return sample && { ...sample, of: call };
  });
  return {
    name: 'an evening, mixed',
    status: 200,
    samples: samples.filter((sample) => sample !== undefined),
    once: true,
    ask: () => {
      throw new Error('each request of the evening is of a call of its own');
    },
    reset: calls.flatMap(({ reset = [] }) => reset),
  };
}

const LIST = '/scrub-orders?pageNumber=1&pageSize=10&sumFields=price,scrubEarning';
const DEEP_PAGE = 2_500;
const query = (pageNumber: number, sumFields: string[]): ListQuery => ({
  pageNumber,
  pageSize: 10,
  sortField: 'createdAt',
  sortDirection: 'desc',
  filters: [],
  sumFields,
  fields: [],
});

const at = new Date();
const bud = { role: 'Bud', id: INPUTS.caller } as Extract<Caller, { role: 'Bud' }>;
const scrub = { role: 'Scrub', id: INPUTS.caller } as Extract<Caller, { role: 'Scrub' }>;
const duber = { role: 'Duber', id: INPUTS.caller } as Extract<Caller, { role: 'Duber' }>;

async function reads(ask: Ask): Promise<Measured[]> {
  const people = (role: string, where: string) =>
    ask(`select n, id as caller, bench.thing(1, n) as a, id as b from bench.people where role = '${role}' and ${where}
      order by bench.chance(n, 21) limit ${SAMPLES}`);
  const some = (role: string) => people(role, `i > ${LIGHT_PEOPLE + 1}`);
  const heavy = (role: string) => people(role, 'i = 1');
  const light = (role: string) => people(role, `i between 2 and ${LIGHT_PEOPLE + 1}`);
  const middle = await people('Bud', 'city = 1 and bench.chance(n, 1) < 0.2');
  const orders = await ask(`select b.n, o.bud_id as caller, o.id as a, o.id as b from bench.orders o
    join bench.people b on b.id = o.bud_id where b.i > ${LIGHT_PEOPLE + 1} order by bench.chance(o.n, 22) limit ${SAMPLES}`);
  const near = (path: string) => (sample: Sample) => ({ path: `${path}?addressId=${sample.a}&maxDistanceMeters=5000` });
  const get = (path: string) => () => ({ path });
  const scrubs = {
    ask: near('/users/find-scrubs-nearby'),
    sql: (tx: Tx) => scrubsNearby(bud.id, INPUTS.a, 5000).ask(tx),
    reach: 0.55,
  };
  const deliveries = {
    ask: near('/deliveries/find-deliveries-nearby'),
    sql: (tx: Tx) => deliveriesNearby(duber.id, { addressId: INPUTS.a, point: undefined, radius: 5000 }, at).ask(tx),
    reach: 0.55,
  };
  const list = {
    ask: get(LIST),
    sql: (tx: Tx) => listOrders(bud, query(1, ['price', 'scrubEarning']), at).ask(tx),
    reach: 0.45,
  };
  const deep = {
    ask: get(`/scrub-orders?pageNumber=${DEEP_PAGE}&pageSize=10`),
    sql: (tx: Tx) => listOrders(bud, query(DEEP_PAGE, []), at).ask(tx),
  };
  const detail = {
    ask: ({ a }: Sample) => ({ path: `/scrub-orders/${a}` }),
    sql: (tx: Tx) => showOrder(bud, INPUTS.a, at).ask(tx),
    reach: 0.45,
  };
  const budBoard = { ask: get('/dashboards/bud'), sql: (tx: Tx) => showBudBoard(bud.id, at).ask(tx), reach: 0.45 };
  const scrubBoard = {
    ask: get('/dashboards/scrub'),
    sql: (tx: Tx) => showScrubBoard(scrub.id, at, at).ask(tx),
    reach: 0.45,
  };
  const duberBoard = {
    ask: get('/dashboards/duber'),
    sql: (tx: Tx) => showDuberBoard(duber.id, at).ask(tx),
    reach: 0.45,
  };
  const session = { ask: get('/auth/session'), sql: (tx: Tx) => showSession(bud.id).ask(tx) };
  const status = 200;
  return [
    { name: 'session check', status, samples: await some('Bud'), ...session },
    { name: 'nearby scrubs', status, samples: await some('Bud'), ...scrubs },
    { name: 'nearby scrubs, densest', status, samples: middle, ...scrubs },
    { name: 'nearby scrubs, densest, alone', status, samples: middle, ask: scrubs.ask, alone: true },
    { name: 'nearby deliveries', status, samples: await some('Duber'), ...deliveries },
    { name: 'list of orders', status, samples: await light('Bud'), ...list },
    { name: 'list, 50,000', status, samples: await heavy('Bud'), ...list },
    { name: 'list, 50,000, page 2,500', status, samples: await heavy('Bud'), ...deep },
    { name: 'order detail', status, samples: orders, ...detail },
    { name: 'Bud dashboard', status, samples: await light('Bud'), ...budBoard },
    { name: 'Bud dashboard, 50,000', status, samples: await heavy('Bud'), ...budBoard },
    { name: 'Scrub dashboard', status, samples: await light('Scrub'), ...scrubBoard },
    { name: 'Scrub dashboard, 50,000', status, samples: await heavy('Scrub'), ...scrubBoard },
    { name: 'Duber dashboard', status, samples: await light('Duber'), ...duberBoard },
    { name: 'Duber dashboard, 50,000', status, samples: await heavy('Duber'), ...duberBoard },
  ];
}
