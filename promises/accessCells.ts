import { API, type CallName } from '../contract/api.ts';
import type { Call } from '../contract/call.ts';
import { addressOf } from '../contract/client.ts';
import type { Role } from '../domain/accounts.ts';
import type { Someone } from '../testing/testServer.ts';
import type { Story } from './canaries.ts';

/** Ids to be named in a request, by the names of the properties that take them. */
export type Naming = {
  readonly order: string;
  readonly delivery: string;
  readonly address: string;
  readonly bud: string;
  readonly scrub: string;
  readonly duber: string;
};

export type Asking = {
  readonly path: string;
  readonly body: string | undefined;
  readonly names: readonly Naming[keyof Naming][];
};

export const namingOf = ({ bud, scrub, duber, orderId, legId }: Story, address = bud): Naming => ({
  order: orderId,
  delivery: legId ?? orderId,
  address: address.user.addresses[0]?.id ?? '',
  bud: bud.user.id,
  scrub: scrub.user.id,
  duber: duber.user.id,
});

/** The calls that are about somebody; those that anyone may make are about nobody. */
export const CALLS = (Object.entries(API) as [CallName, Call][]).filter(
  // Whoever signs out is of no use to the cells that follow.
  ([name, { who }]) => who !== 'anyone' && name !== 'logout',
);

/** A call's own example, about the things of `naming`; `names` are the ids that it is refused or answered for. */
export function askAbout(call: Call, naming: Naming): Asking {
  const names: string[] = [];
  const name = (id: string) => {
    names.push(id);
    return id;
  };
  const replace = (key: string, value: unknown): unknown => {
    if (key === 'id') return name(call.path.startsWith('/deliveries') ? naming.delivery : ownId(call, naming));
    if (key === 'addressId' || key === 'budAddressId') return name(naming.address);
    if (key === 'budId') return naming.bud;
    if (key === 'scrubId') return naming.scrub;
    return key === 'duberId' ? naming.duber : value;
  };
  const fill = (part: object | undefined) =>
    part && Object.fromEntries(Object.entries(part).map(([key, value]) => [key, replace(key, value)]));
  const { params, query, body } = call.example ?? {};
  const [filledParams, filledQuery, filledBody] = [fill(params), fill(query), fill(body)];
  const path = addressOf(call, {
    ...(filledParams ? { params: filledParams as Record<string, unknown> } : {}),
    ...(filledQuery ? { query: filledQuery as Record<string, unknown> } : {}),
  });
  return { path, body: call.method === 'POST' && filledBody ? JSON.stringify(filledBody) : undefined, names };
}

function ownId(call: Call, naming: Naming): string {
  return call.path.startsWith('/scrub-orders') ? naming.order : naming.address;
}

/** Whether a call only reads. */
export const isRead = (call: Call) => call.method === 'GET' && !call.acts;

/** Whether a caller may take this step now, and would change the state by it. */
export const isOpenTo = (name: CallName, { state }: Story, role: Role | undefined) =>
  name === 'accept-delivery' && state === 'Accepted, Pending' && role === 'Duber';

export const isParty = ({ bud, scrub, duber, isCarried }: Story, { user }: Someone) =>
  [bud, scrub, ...(isCarried ? [duber] : [])].some((one) => one.user.id === user.id);

/** What must come of a request that is about a story, when the caller has no part in it. */
export function mustRefuse(
  name: CallName,
  call: Call,
  story: Story,
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
