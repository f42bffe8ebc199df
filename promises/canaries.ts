import type { Role } from '../domain/accounts.ts';
import { advanceDelivery, createOrderInStatus, findLegId } from '../testing/orderSteps.ts';
import { pointAt, type TestUser } from '../testing/testServer.ts';
import type { ServerPair } from './serverPair.ts';

/** Whom something private may be shown to, besides its owner. */
type Audience = 'nobody' | 'parties' | 'partiesAndTakers' | 'buds' | 'never';

/** A value that stands in one private field and nowhere else in the world. */
export type Canary = {
  readonly value: string;
  readonly field: string;
  readonly owner: TestUser | undefined;
  /** The roles of its own story that may read it. */
  readonly parties: readonly Role[];
  readonly audience: Audience;
};

/** The people of one order that was brought to one state, and what is private about them. */
export type OrderScenario = {
  readonly state: string;
  readonly bud: TestUser;
  readonly scrub: TestUser;
  readonly duber: TestUser;
  readonly orderId: string;
  readonly legId: string | undefined;
  /** Whether the Duber has the delivery. */
  readonly isCarried: boolean;
  /** Whether a delivery of it waits for anybody. */
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

/** Signs three people up whose private fields are canaries, and brings an order of theirs to a state. */
export async function createOrderScenario(pair: ServerPair, state: string): Promise<OrderScenario> {
  const { order: status, steps, reviewed } = SCENARIO_STATES[state] as ScenarioState;
  const [bud, scrub, duber] = await Promise.all(
    (['Bud', 'Scrub', 'Duber'] as const).map((role) => createUserWithCanaries(pair, role)),
  );
  if (!bud || !scrub || !duber) throw new Error('somebody is missing');
  const words = { instructions: createCanaryValue('instructions'), review: createCanaryValue('review') };
  const order = await createOrderInStatus({ bud, scrub }, status, { orderInstructions: words.instructions });
  const legId = order.deliveries.find(({ deliveryType }) => deliveryType === 'Bud_To_Scrub')?.id;
  if (legId && steps > 0) await advanceDelivery(duber, findLegId(order, 'Bud_To_Scrub'), steps);
  const review = { message: words.review, rating: 5, scrubId: scrub.user.id };
  if (reviewed) await bud.api.reviewToScrub({ params: { id: order.id }, body: review });
  const isCarried = steps > 0;
  const waits = status === 'Completed' || (status === 'Accepted' && steps === 0);
  const canaries = canariesOf({ bud, scrub, duber, isCarried, words });
  return { state, bud, scrub, duber, orderId: order.id, legId, isCarried, isWaitingForDuber: waits, canaries };
}

async function createUserWithCanaries(pair: ServerPair, role: Role): Promise<TestUser> {
  const email = `${createCanaryValue(`${role}-mail`)}@rubadub.test`.toLowerCase();
  const someone = await pair.createUser(role, { email });
  count += 1;
  // No two people here share a number, and nobody else has one like it.
  const phone = `+1212555${String(count).padStart(4, '0')}`;
  await someone.api.updateProfile({ body: { phone } });
  const [first] = someone.user.addresses;
  const point = pointAt(role === 'Scrub' ? 1_200 : 300, count);
  const place = { label: createCanaryValue(`${role}-label`), address: createCanaryValue(`${role}-place`), ...point };
  await someone.api.updateAddress({ body: { ...place, id: first?.id ?? '' } });
  const other = { ...place, label: createCanaryValue(`${role}-label`), address: createCanaryValue(`${role}-other`) };
  if (role === 'Bud') await someone.api.createAddress({ body: other });
  return { ...someone, user: (await someone.api.session()).user };
}

type CanaryInput = Pick<OrderScenario, 'bud' | 'scrub' | 'duber' | 'isCarried'> & {
  words: { instructions: string; review: string };
};

// Decisions: who sees whose contacts, places and words, and from when on.
function canariesOf({ bud, scrub, duber, isCarried, words }: CanaryInput): Canary[] {
  const carrier: Role[] = isCarried ? ['Duber'] : [];
  const of = (
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
    of(owner, 'e-mail', owner.user.email, parties),
    of(owner, 'phone', owner.user.phone, parties),
  ];
  const place = ({ user }: TestUser, at = 0) => user.addresses[at]?.address ?? '';
  const label = ({ user }: TestUser, at = 0) => user.addresses[at]?.label ?? '';
  return [
    ...contacts(bud, ['Scrub', ...carrier]),
    ...contacts(scrub, carrier),
    ...contacts(duber, isCarried ? ['Bud', 'Scrub'] : []),
    of(bud, 'place', place(bud), ['Scrub', ...carrier], 'partiesAndTakers'),
    of(bud, 'label', label(bud), ['Scrub', ...carrier], 'partiesAndTakers'),
    of(bud, 'other place', place(bud, 1), [], 'nobody'),
    of(bud, 'other label', label(bud, 1), [], 'nobody'),
    of(scrub, 'place', place(scrub), ['Bud', ...carrier], 'buds'),
    of(duber, 'place', place(duber), [], 'nobody'),
    of(duber, 'label', label(duber), [], 'nobody'),
    of(bud, 'instructions', words.instructions, ['Scrub', ...carrier]),
    of(bud, 'review', words.review, ['Scrub']),
    ...[bud, scrub, duber].map((someone) => of(someone, 'token', someone.token, [], 'never')),
  ];
}

/** The canaries of a story that a caller reads in a text and must not. */
export function findLeaks(text: string, story: OrderScenario, caller: TestUser | undefined): string[] {
  const found = story.canaries.filter(({ value }) => value !== '' && text.includes(value));
  return found.filter((canary) => !mayRead(canary, story, caller)).map(({ field }) => `${field} (${story.state})`);
}

function mayRead({ owner, parties, audience }: Canary, story: OrderScenario, caller: TestUser | undefined): boolean {
  if (audience === 'never' || !caller) return false;
  if (caller.user.id === owner?.user.id) return true;
  const isParty = [story.bud, story.scrub, story.duber].some(({ user }) => user.id === caller.user.id);
  const { role } = caller.user;
  if (isParty && parties.includes(role)) return true;
  // Whoever could take a waiting delivery sees where it goes; whoever looks for a Scrub sees where they are.
  if (audience === 'partiesAndTakers') return role === 'Duber' && story.isWaitingForDuber;
  return audience === 'buds' && (role === 'Bud' || (role === 'Duber' && story.isWaitingForDuber));
}
