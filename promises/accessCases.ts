import { API, type CallName } from '../contract/api.ts';
import type { Call } from '../contract/call.ts';
import { buildUrl } from '../contract/client.ts';
import type { Role } from '../domain/accounts.ts';
import type { TestUser } from '../testing/testServer.ts';
import type { OrderScenario } from './canaries.ts';

/** Ids to be named in a request, by the names of the properties that take them. */
export type RequestIds = {
  readonly order: string;
  readonly delivery: string;
  readonly address: string;
  readonly bud: string;
  readonly scrub: string;
  readonly duber: string;
};

export type AccessRequest = {
  readonly path: string;
  readonly body: string | undefined;
  readonly ids: readonly RequestIds[keyof RequestIds][];
};

export const requestIdsOf = ({ bud, scrub, duber, orderId, legId }: OrderScenario, address = bud): RequestIds => ({
  order: orderId,
  delivery: legId ?? orderId,
  address: address.user.addresses[0]?.id ?? '',
  bud: bud.user.id,
  scrub: scrub.user.id,
  duber: duber.user.id,
});

/** The calls that are about somebody; those that anyone may make are about nobody. */
export const AUTHENTICATED_CALLS = (Object.entries(API) as [CallName, Call][]).filter(
  // Whoever signs out is of no use to the cells that follow.
  ([name, { who }]) => who !== 'anyone' && name !== 'logout',
);

/** A call's own example, about the things of `naming`; `names` are the ids that it is refused or answered for. */
export function buildRequest(call: Call, naming: RequestIds): AccessRequest {
  const names: string[] = [];
  const name = (id: string) => {
    names.push(id);
    return id;
  };
  const replace = (key: string, value: unknown): unknown => {
    if (key === 'id')
      return name(call.path.startsWith('/deliveries') ? naming.delivery : orderOrAddressId(call, naming));
    if (key === 'addressId' || key === 'budAddressId') return name(naming.address);
    if (key === 'budId') return naming.bud;
    if (key === 'scrubId') return naming.scrub;
    return key === 'duberId' ? naming.duber : value;
  };
  const fill = (part: object | undefined) =>
    part && Object.fromEntries(Object.entries(part).map(([key, value]) => [key, replace(key, value)]));
  const { params, query, body } = call.example ?? {};
  const [filledParams, filledQuery, filledBody] = [fill(params), fill(query), fill(body)];
  const path = buildUrl(call, {
    ...(filledParams ? { params: filledParams as Record<string, unknown> } : {}),
    ...(filledQuery ? { query: filledQuery as Record<string, unknown> } : {}),
  });
  return { path, body: call.method === 'POST' && filledBody ? JSON.stringify(filledBody) : undefined, ids: names };
}

function orderOrAddressId(call: Call, naming: RequestIds): string {
  return call.path.startsWith('/scrub-orders') ? naming.order : naming.address;
}

/** Whether a call only reads. */
export const isReadOnly = (call: Call) => call.method === 'GET' && !call.changesState;

/** Whether a caller may take this step now, and would change the state by it. */
export const canTakeStep = (name: CallName, { state }: OrderScenario, role: Role | undefined) =>
  name === 'accept-delivery' && state === 'Accepted, Pending' && role === 'Duber';

export const isParticipant = ({ bud, scrub, duber, isCarried }: OrderScenario, { user }: TestUser) =>
  [bud, scrub, ...(isCarried ? [duber] : [])].some((one) => one.user.id === user.id);

/** What must come of a request that is about a story, when the caller has no part in it. */
export function expectedRefusalStatuses(
  name: CallName,
  call: Call,
  story: OrderScenario,
  role: Role | undefined,
): readonly number[] | undefined {
  if (role === undefined) return [401];
  if (!(call.who as readonly Role[]).includes(role)) return [403];
  const isOpen = story.state === 'Accepted, Pending' && role === 'Duber';
  // Anybody may read and take a delivery that waits.
  if (isOpen && (name === 'readDelivery' || name === 'accept-delivery')) return undefined;
  if (isOpen && call.path.startsWith('/deliveries/:id/')) return [404, 409];
  // And whoever comes too late for it is told so.
  return name === 'accept-delivery' && story.legId ? [409] : [404];
}
