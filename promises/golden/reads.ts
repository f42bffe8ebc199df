// Everything that the people of an order and an operator may read.

import { API } from '../../contract/api.ts';
import { type Call, isReadOnly } from '../../contract/call.ts';
import { OPERATOR_API } from '../../contract/operator/api.ts';
import { firstAddressId } from '../../testing/orderSteps.ts';
import { captureOutcome } from '../callOutcome.ts';
import { PEOPLE } from '../lifeWorld.ts';
import type { Life, Person } from '../orderLife.ts';
import type { GoldenWorld } from './world.ts';

/** The ids that a life has, by what they are of. */
export type Ids = {
  readonly orders: readonly string[];
  readonly deliveries: readonly string[];
  readonly cases: readonly string[];
  readonly people: readonly string[];
  readonly bags: readonly string[];
};

type Input = { readonly params?: object; readonly query?: object };
type Calls = Record<string, (input: Input) => Promise<unknown>>;

/** Which ids a path takes. A call with other parameters has an entry in QUERIES or is left out. */
const PATHS: readonly [RegExp, keyof Ids][] = [
  [/\/(?:scrub-)?orders\/:id/, 'orders'],
  [/\/deliveries\/:id/, 'deliveries'],
  [/\/cases\/:id/, 'cases'],
  [/\/people\/:id/, 'people'],
  [/\/bags\/:code/, 'bags'],
];

/** They take what a life does not have, or answer with bytes or a key of the town, or with what every life answers. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['readConfig', 'readFile', 'readUnsubscribe', 'readProposal', 'readOtherWindows', 'listSessions'],
  ...['readTownFile', 'readDocumentPhoto', 'readPayoutFile', 'readReconciledDay', 'listReconciledDays', 'listPasskeys'],
  ...['readDispute', 'readDisputeEvidence', 'previewZonePrices', 'readOperatorSession', 'listOperators', 'readHours'],
  ...['previewBroadcast', 'listPromoUses', 'readWorkRecord', 'readRecordIssuer'],
  ...[
    'listPastClosures',
    'listTouched',
    'listDaysOffTouched',
    'listZones',
    'previewPrice',
    'listPrices',
    'listPolicies',
    'readTown',
  ],
]);

const YEAR = [{ year: '2026' }];
const queriesOf = (name: string, { people }: GoldenWorld, who: Person): readonly object[] | undefined =>
  ({
    findScrubsNearby: [{ addressId: firstAddressId(people[who]) }],
    findDeliveriesNearby: [{ addressId: firstAddressId(people[who]), maxDistanceMeters: 5_000 }],
    listOrders: [{ sumFields: 'price,scrubEarning' }],
    listDeliveries: [{ sumFields: 'price,distanceInMeters' }],
    previewRefund: [{ amount: '1', liable: 'platform' }],
    listTownCases: [{ state: 'open' }, { state: 'closed' }],
    listTownOrders: [{}],
    listPeople: [{ role: 'Bud' }, { role: 'Scrub' }, { role: 'Duber' }],
    searchTown: [{ q: 'Test' }],
    readSalesTax: YEAR,
    readMissingTaxIds: YEAR,
    readTaxWorkers: YEAR,
  })[name];

async function read(calls: Calls, name: string, path: string, queries: readonly object[] | undefined, ids: Ids) {
  const [, kind] = PATHS.find(([pattern]) => pattern.test(path)) ?? [];
  if (path.includes('/:') && kind === undefined) return;
  const param = path.includes(':code') ? 'code' : 'id';
  const params = kind === undefined ? [{}] : ids[kind].map((id) => ({ params: { [param]: id } }));
  const inputs = params.flatMap((one) => (queries ?? [undefined]).map((query) => (query ? { ...one, query } : one)));
  for (const input of inputs) await captureOutcome(() => calls[name]?.(input) ?? Promise.resolve());
}

/** Reads everything as everybody. Their clients record it. */
export async function readEverything(world: GoldenWorld, ids: Ids): Promise<void> {
  for (const who of PEOPLE) {
    const { user, api } = world.people[who];
    for (const [name, call] of Object.entries(API) as [string, Call][]) {
      const mayCall = call.who === 'anyone' || call.who.includes(user.role);
      if (!isReadOnly(call) || !mayCall || LEFT_OUT.has(name)) continue;
      await read(api as unknown as Calls, name, call.path, queriesOf(name, world, who), ids);
    }
  }
  for (const [name, { method, path }] of Object.entries(OPERATOR_API)) {
    if (method !== 'GET' || LEFT_OUT.has(name)) continue;
    await read(world.reader as unknown as Calls, name, path, queriesOf(name, world, 'bud'), ids);
  }
}

/** The people whom a life concerns now. */
const peopleOf = ({ scrub, deliveries }: Life): readonly Person[] => [
  ...new Set<Person>(['bud', scrub, ...deliveries.flatMap(({ duber }) => duber ?? [])]),
];

/** Reads what may have changed with a step, as those whom it concerns. */
export async function readLife(world: GoldenWorld, life: Life, openCases: readonly string[]): Promise<void> {
  const params = { id: life.id };
  for (const who of peopleOf(life)) {
    const { api, user } = world.people[who];
    const own = life.deliveries.filter(({ duber }) => duber === who);
    const reads = [
      ...(user.role === 'Duber' ? [] : [() => api.readOrder({ params })]),
      () => api.readCustody({ params }),
      // What the others see of a delivery stands in the order.
      ...own.map(
        ({ id }) =>
          () =>
            api.readDelivery({ params: { id } }),
      ),
      ...openCases.map((id) => () => api.readCase({ params: { id } })),
    ];
    for (const send of reads) await captureOutcome<unknown>(send);
  }
  await captureOutcome(() => world.reader.readTownOrder({ params }));
}
