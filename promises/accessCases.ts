import { API, type CallName } from '../contract/api.ts';
import type { Call } from '../contract/call.ts';
import { buildUrl } from '../contract/callClient.ts';
import type { Role } from '../domain/accounts.ts';
import type { TestUser } from '../testing/testServer.ts';
import type { OrderScenario } from './canaries.ts';

/** The ids to put into a request, by kind. */
export type RequestIds = {
  readonly order: string;
  readonly delivery: string;
  readonly case: string;
  readonly address: string;
  readonly bud: string;
  readonly scrub: string;
  readonly duber: string;
};

export type AccessRequest = {
  readonly path: string;
  readonly body: string | undefined;
  /** The ids that decide whether the request is refused. */
  readonly ids: readonly string[];
};

export const requestIdsOf = (
  { bud, scrub, duber, orderId, deliveryId, caseId }: OrderScenario,
  address = bud,
): RequestIds => ({
  order: orderId,
  delivery: deliveryId ?? orderId,
  case: caseId,
  address: address.user.addresses[0]?.id ?? '',
  bud: bud.user.id,
  scrub: scrub.user.id,
  duber: duber.user.id,
});

/** The calls that need a token. */
export const AUTHENTICATED_CALLS = (Object.entries(API) as [CallName, Call][]).filter(
  // Without `logout`, which would end the session for the cases that follow.
  ([name, { who }]) => who !== 'anyone' && name !== 'logout',
);

/** Builds a request from the example in the call's contract, with the given ids. */
export function buildRequest(call: Call, requestIds: RequestIds): AccessRequest {
  const ids: string[] = [];
  const use = (id: string) => {
    ids.push(id);
    return id;
  };
  const replace = (key: string, value: unknown): unknown => {
    if (key === 'id') return use(idInPath(call, requestIds));
    if (key === 'addressId' || key === 'budAddressId') return use(requestIds.address);
    if (key === 'orderId') return use(requestIds.order);
    if (key === 'budId') return requestIds.bud;
    if (key === 'scrubId') return requestIds.scrub;
    return key === 'duberId' ? requestIds.duber : value;
  };
  const fill = (part: object | undefined) =>
    part && Object.fromEntries(Object.entries(part).map(([key, value]) => [key, replace(key, value)]));
  const { params, query, body } = call.example ?? {};
  const [filledParams, filledQuery, filledBody] = [fill(params), fill(query), fill(body)];
  const path = buildUrl(call, {
    ...(filledParams ? { params: filledParams as Record<string, unknown> } : {}),
    ...(filledQuery ? { query: filledQuery as Record<string, unknown> } : {}),
  });
  return { path, body: call.method === 'POST' && filledBody ? JSON.stringify(filledBody) : undefined, ids };
}

function idInPath({ path }: Call, { delivery, order, address, case: caseId }: RequestIds): string {
  if (path.startsWith('/cases')) return caseId;
  if (path.startsWith('/deliveries')) return delivery;
  return path.startsWith('/scrub-orders') ? order : address;
}

/** Whether a caller without a part in the order may take this step now. */
export const canTakeStep = (name: CallName, { state }: OrderScenario, role: Role | undefined) =>
  name === 'accept-delivery' && state === 'Accepted, Pending' && role === 'Duber';

export const isParticipant = ({ bud, scrub, duber, isCarried }: OrderScenario, { user }: TestUser) =>
  [bud, scrub, ...(isCarried ? [duber] : [])].some((one) => one.user.id === user.id);

const OPEN_TO_DUBERS: readonly CallName[] = ['readDelivery', 'readRoute', 'accept-delivery'];

/** The statuses allowed for a caller who has no part in the order; undefined when the call is not refused. */
export function expectedRefusalStatuses(
  name: CallName,
  call: Call,
  scenario: OrderScenario,
  role: Role | undefined,
): readonly number[] | undefined {
  if (role === undefined) return [401];
  if (!(call.who as readonly Role[]).includes(role)) return [403];
  // The example is a claim, which only a Bud makes.
  if (name === 'createCase' && role !== 'Bud') return [403];
  const isOpen = scenario.state === 'Accepted, Pending' && role === 'Duber';
  // Any Duber may read a pending delivery and its way, and accept it.
  if (isOpen && OPEN_TO_DUBERS.includes(name)) return undefined;
  if (isOpen && call.path.startsWith('/deliveries/:id/')) return [404, 409];
  // A Duber who accepts too late gets 409.
  return name === 'accept-delivery' && scenario.deliveryId ? [409] : [404];
}
