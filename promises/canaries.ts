import type { Role } from '../domain/accounts.ts';
import { advanceDelivery, createOrderInStatus, findLegId } from '../testing/orderSteps.ts';
import { pointAt, type TestUser } from '../testing/testServer.ts';
import type { ServerPair } from './serverPair.ts';

/** Who may see a private value, besides its owner. */
type Audience = 'nobody' | 'parties' | 'partiesAndTakers' | 'buds' | 'never';

/** A unique value in one private field: finding it in an answer proves a leak. */
export type Canary = {
  readonly value: string;
  readonly field: string;
  readonly owner: TestUser | undefined;
  /** The roles in its own scenario that may read it. */
  readonly parties: readonly Role[];
  readonly audience: Audience;
};

/** An order in one state, its participants and their private values. */
export type OrderScenario = {
  readonly state: string;
  readonly bud: TestUser;
  readonly scrub: TestUser;
  readonly duber: TestUser;
  readonly orderId: string;
  readonly legId: string | undefined;
  /** Whether the Duber has accepted the delivery. */
  readonly isCarried: boolean;
  /** Whether one of its deliveries is pending. */
  readonly isWaitingForDuber: boolean;
  readonly canaries: readonly Canary[];
};

type ScenarioState = {
  readonly order: Parameters<typeof createOrderInStatus>[1];
  readonly steps: number;
  readonly reviewed?: true;
};

export const SCENARIO_STATES: Readonly<Record<string, ScenarioState>> = {
  Requested: { order: 'Requested', steps: 0 },
  Cancelled: { order: 'Cancelled', steps: 0 },
  Rejected: { order: 'Rejected', steps: 0 },
  'Accepted, Pending': { order: 'Accepted', steps: 0 },
  'Accepted, Accepted': { order: 'Accepted', steps: 1 },
  'Accepted, Way_To_Pick': { order: 'Accepted', steps: 2 },
  'Accepted, Collected': { order: 'Accepted', steps: 3 },
  'Accepted, Way_To_Drop': { order: 'Accepted', steps: 4 },
  'Accepted, Delivered': { order: 'Accepted', steps: 5 },
  In_Progress: { order: 'In_Progress', steps: 5 },
  Completed: { order: 'Completed', steps: 5 },
  'Completed, reviewed': { order: 'Completed', steps: 5, reviewed: true },
};

let count = 0;
const createCanaryValue = (field: string) => {
  count += 1;
  return `canary-${field}-${count}-${Math.random().toString(36).slice(2, 10)}`;
};

/** Signs up three people whose private fields are canaries and brings an order of theirs to a state. */
export async function createOrderScenario(pair: ServerPair, state: string): Promise<OrderScenario> {
  const { order: status, steps, reviewed } = SCENARIO_STATES[state] as ScenarioState;
  const [bud, scrub, duber] = await Promise.all(
    (['Bud', 'Scrub', 'Duber'] as const).map((role) => createUserWithCanaries(pair, role)),
  );
  if (!bud || !scrub || !duber) throw new Error('a participant is missing');
  const texts = { instructions: createCanaryValue('instructions'), review: createCanaryValue('review') };
  const order = await createOrderInStatus({ bud, scrub }, status, { orderInstructions: texts.instructions });
  const legId = order.deliveries.find(({ deliveryType }) => deliveryType === 'Bud_To_Scrub')?.id;
  if (legId && steps > 0) await advanceDelivery(duber, findLegId(order, 'Bud_To_Scrub'), steps);
  const review = { message: texts.review, rating: 5, scrubId: scrub.user.id };
  if (reviewed) await bud.api.reviewToScrub({ params: { id: order.id }, body: review });
  const isCarried = steps > 0;
  const isWaitingForDuber = status === 'Completed' || (status === 'Accepted' && steps === 0);
  const canaries = canariesOf({ bud, scrub, duber, isCarried, texts });
  return { state, bud, scrub, duber, orderId: order.id, legId, isCarried, isWaitingForDuber, canaries };
}

async function createUserWithCanaries(pair: ServerPair, role: Role): Promise<TestUser> {
  const email = `${createCanaryValue(`${role}-mail`)}@rubadub.test`.toLowerCase();
  const user = await pair.createUser(role, { email });
  count += 1;
  // A phone number that nobody else has.
  const phone = `+1212555${String(count).padStart(4, '0')}`;
  await user.api.updateProfile({ body: { phone } });
  const [first] = user.user.addresses;
  const point = pointAt(role === 'Scrub' ? 1_200 : 300, count);
  const place = { label: createCanaryValue(`${role}-label`), address: createCanaryValue(`${role}-place`), ...point };
  await user.api.updateAddress({ body: { ...place, id: first?.id ?? '' } });
  const other = { ...place, label: createCanaryValue(`${role}-label`), address: createCanaryValue(`${role}-other`) };
  if (role === 'Bud') await user.api.createAddress({ body: other });
  return { ...user, user: (await user.api.session()).user };
}

type CanaryInput = Pick<OrderScenario, 'bud' | 'scrub' | 'duber' | 'isCarried'> & {
  texts: { instructions: string; review: string };
};

// Who sees whose contacts, addresses and texts, and from which status on.
function canariesOf({ bud, scrub, duber, isCarried, texts }: CanaryInput): Canary[] {
  const carrier: Role[] = isCarried ? ['Duber'] : [];
  const canary = (
    owner: TestUser,
    field: string,
    value: string | null,
    parties: Role[],
    audience: Audience = 'parties',
  ) => ({
    owner,
    field: `${field} of a ${owner.user.role}`,
    value: value ?? '',
    parties,
    audience,
  });
  const contacts = (owner: TestUser, parties: Role[]) => [
    canary(owner, 'e-mail', owner.user.email, parties),
    canary(owner, 'phone', owner.user.phone, parties),
  ];
  const place = ({ user }: TestUser, at = 0) => user.addresses[at]?.address ?? '';
  const label = ({ user }: TestUser, at = 0) => user.addresses[at]?.label ?? '';
  return [
    ...contacts(bud, ['Scrub', ...carrier]),
    ...contacts(scrub, carrier),
    ...contacts(duber, isCarried ? ['Bud', 'Scrub'] : []),
    canary(bud, 'place', place(bud), ['Scrub', ...carrier], 'partiesAndTakers'),
    canary(bud, 'label', label(bud), ['Scrub', ...carrier], 'partiesAndTakers'),
    canary(bud, 'other place', place(bud, 1), [], 'nobody'),
    canary(bud, 'other label', label(bud, 1), [], 'nobody'),
    canary(scrub, 'place', place(scrub), ['Bud', ...carrier], 'buds'),
    canary(duber, 'place', place(duber), [], 'nobody'),
    canary(duber, 'label', label(duber), [], 'nobody'),
    canary(bud, 'instructions', texts.instructions, ['Scrub', ...carrier]),
    canary(bud, 'review', texts.review, ['Scrub']),
    ...[bud, scrub, duber].map((someone) => canary(someone, 'token', someone.token, [], 'never')),
  ];
}

/** The canaries in a text that its reader must not see. */
export function findLeaks(text: string, scenario: OrderScenario, caller: TestUser | undefined): string[] {
  const found = scenario.canaries.filter(({ value }) => value !== '' && text.includes(value));
  return found
    .filter((canary) => !mayRead(canary, scenario, caller))
    .map(({ field }) => `${field} (${scenario.state})`);
}

function mayRead({ owner, parties, audience }: Canary, scenario: OrderScenario, caller: TestUser | undefined): boolean {
  if (audience === 'never' || !caller) return false;
  if (caller.user.id === owner?.user.id) return true;
  const isParty = [scenario.bud, scenario.scrub, scenario.duber].some(({ user }) => user.id === caller.user.id);
  const { role } = caller.user;
  if (isParty && parties.includes(role)) return true;
  // Dubers see the addresses of a pending delivery; Buds see where Scrubs are.
  if (audience === 'partiesAndTakers') return role === 'Duber' && scenario.isWaitingForDuber;
  return audience === 'buds' && (role === 'Bud' || (role === 'Duber' && scenario.isWaitingForDuber));
}
