import type { Role } from '../domain/accounts.ts';
import type { OrderStatus } from '../domain/orders.ts';
import type { PolicyValue } from '../domain/policies.ts';
import { advanceDelivery, createOrderInStatus, findDeliveryId } from '../testing/orderSteps.ts';
import { PASSWORD, pointAt, type TestUser } from '../testing/testServer.ts';
import type { ServerPair } from './serverPair.ts';

/** Who may see a private value, besides its owner. */
type Audience = 'nobody' | 'parties' | 'partiesAndTakers' | 'buds' | 'budsAndTakers' | 'never';

export type Privacy = PolicyValue<'privacy'>;

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
  readonly deliveryId: string | undefined;
  /** A question of the Bud about the order. */
  readonly caseId: string;
  /** Whether the Duber has accepted the delivery. */
  readonly isCarried: boolean;
  /** Whether one of its deliveries is pending. */
  readonly isWaitingForDuber: boolean;
  readonly canaries: Readonly<Record<Privacy, readonly Canary[]>>;
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
  const texts = {
    instructions: createCanaryValue('instructions'),
    review: createCanaryValue('review'),
    question: createCanaryValue('question'),
  };
  const order = await createOrderInStatus({ bud, scrub }, status, { orderInstructions: texts.instructions });
  const deliveryId = order.deliveries.find(({ deliveryType }) => deliveryType === 'Bud_To_Scrub')?.id;
  if (deliveryId && steps > 0) await advanceDelivery(duber, findDeliveryId(order, 'Bud_To_Scrub'), steps);
  const review = { message: texts.review, rating: 5, scrubId: scrub.user.id };
  if (reviewed) await bud.api.reviewToScrub({ params: { id: order.id }, body: review });
  const question = { kind: 'question' as const, orderId: order.id, words: texts.question };
  const { id: caseId } = await bud.api.createCase({ body: question });
  const taxIds = [await enterTaxId(scrub), await enterTaxId(duber)];
  const isCarried = steps > 0;
  const isWaitingForDuber = status === 'Completed' || (status === 'Accepted' && steps === 0);
  const input = { bud, scrub, duber, isCarried, status, texts, taxIds };
  const canaries = { open: canariesOf(input, 'open'), careful: canariesOf(input, 'careful') };
  return { state, bud, scrub, duber, orderId: order.id, deliveryId, caseId, isCarried, isWaitingForDuber, canaries };
}

async function createUserWithCanaries(pair: ServerPair, role: Role): Promise<TestUser> {
  const email = `${createCanaryValue(`${role}-mail`)}@rubadub.test`.toLowerCase();
  const user = await pair.createUser(role, { email, fullname: `Ada ${createCanaryValue('name')}` });
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

type EnteredTaxId = { readonly owner: TestUser; readonly name: string; readonly number: string };

async function enterTaxId(owner: TestUser): Promise<EnteredTaxId> {
  const name = createCanaryValue('tax-name');
  // Like other canaries, but of the letters and digits of a number.
  const end = Math.random().toString(36).slice(2, 10).toUpperCase();
  const number = `TAX${String(count).padStart(6, '0')}${end}`;
  await owner.api.changeTaxId({ body: { password: PASSWORD, taxId: { kind: 'tin', country: 'PT', name, number } } });
  return { owner, name, number };
}

type CanaryInput = Pick<OrderScenario, 'bud' | 'scrub' | 'duber' | 'isCarried'> & {
  status: OrderStatus;
  texts: { instructions: string; review: string; question: string };
  taxIds: readonly EnteredTaxId[];
};

// Who sees whose contacts, addresses and texts, and from which status on.
function canariesOf(input: CanaryInput, privacy: Privacy): Canary[] {
  const { bud, scrub, duber, isCarried, status, texts, taxIds } = input;
  const isOpen = privacy === 'open';
  const carrier: Role[] = isCarried ? ['Duber'] : [];
  const isCalledOff = status === 'Cancelled' || status === 'Rejected';
  const isAgreed = !isCalledOff && status !== 'Requested';
  const unless = (condition: boolean, role: Role): Role[] => (condition ? [] : [role]);
  const scrubInTouch = unless(isOpen ? isCalledOff : !isAgreed, 'Scrub');
  const scrubWhoAccepted = unless(!isOpen && !isAgreed, 'Scrub');
  const budInTouch = unless(!isOpen && !isAgreed, 'Bud');
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
  const longitude = ({ user }: TestUser) => String(user.addresses[0]?.longitude);
  const familyName = ({ user }: TestUser) => user.fullname.split(' ')[1] ?? '';
  const label = ({ user }: TestUser, at = 0) => user.addresses[at]?.label ?? '';
  const ofBud = isOpen ? 'partiesAndTakers' : 'parties';
  const ofScrub = isOpen ? 'budsAndTakers' : 'parties';
  return [
    ...contacts(bud, [...scrubInTouch, ...carrier]),
    ...contacts(scrub, carrier),
    ...contacts(duber, isCarried ? ['Bud', 'Scrub'] : []),
    canary(bud, 'name', familyName(bud), [...scrubWhoAccepted, ...carrier], ofBud),
    canary(scrub, 'name', familyName(scrub), ['Bud', ...carrier], isOpen ? 'budsAndTakers' : 'buds'),
    canary(duber, 'name', familyName(duber), isCarried ? ['Bud', 'Scrub'] : []),
    canary(bud, 'place', place(bud), [...scrubInTouch, ...carrier], ofBud),
    canary(bud, 'point', longitude(bud), [...scrubInTouch, ...carrier], ofBud),
    canary(bud, 'label', label(bud), [...scrubInTouch, ...carrier], ofBud),
    canary(bud, 'other place', place(bud, 1), [], 'nobody'),
    canary(bud, 'other label', label(bud, 1), [], 'nobody'),
    canary(scrub, 'place', place(scrub), [...budInTouch, ...carrier], ofScrub),
    canary(scrub, 'point', longitude(scrub), [...budInTouch, ...carrier], ofScrub),
    canary(duber, 'place', place(duber), [], 'nobody'),
    canary(duber, 'label', label(duber), [], 'nobody'),
    canary(duber, 'point', longitude(duber), [], 'nobody'),
    canary(bud, 'instructions', texts.instructions, [...unless(isCalledOff, 'Scrub'), ...carrier]),
    canary(bud, 'review', texts.review, ['Scrub']),
    canary(bud, 'question', texts.question, []),
    ...[bud, scrub, duber].map((someone) => canary(someone, 'token', someone.token, [], 'never')),
    ...taxIds.map(({ owner, number }) => canary(owner, 'tax number', number, [], 'never')),
    ...taxIds.map(({ owner, name }) => canary(owner, 'name on the tax return', name, [], 'never')),
  ];
}

/** The canaries in a text that its reader must not see under a policy. */
export function findLeaks(
  text: string,
  scenario: OrderScenario,
  caller: TestUser | undefined,
  privacy: Privacy,
): string[] {
  const found = scenario.canaries[privacy].filter(({ value }) => value !== '' && text.includes(value));
  return found
    .filter((canary) => !mayRead(canary, scenario, caller))
    .map(({ field }) => `${field} (${scenario.state}, ${privacy})`);
}

function mayRead({ owner, parties, audience }: Canary, scenario: OrderScenario, caller: TestUser | undefined): boolean {
  if (audience === 'never' || !caller) return false;
  if (caller.user.id === owner?.user.id) return true;
  const isParty = [scenario.bud, scenario.scrub, scenario.duber].some(({ user }) => user.id === caller.user.id);
  const { role } = caller.user;
  if (isParty && parties.includes(role)) return true;
  // Dubers see the people and addresses of a pending delivery; Buds see where Scrubs are.
  const isTaker = role === 'Duber' && scenario.isWaitingForDuber;
  if (audience === 'partiesAndTakers') return isTaker;
  return (role === 'Bud' && audience.startsWith('buds')) || (isTaker && audience === 'budsAndTakers');
}
