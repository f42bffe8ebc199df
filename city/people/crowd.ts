import { type Client, createClient } from '../../contract/client.ts';
import { ROLES, type Role } from '../../domain/accounts.ts';
import { createRandom, type Random } from '../../testing/random.ts';
import { createTestUser, PASSWORD, pointAt, waitForMail } from '../../testing/testServer.ts';
import { createKnowledge } from '../checks/knowledge.ts';
import type { RunLog } from '../findings.ts';
import type { Installation } from '../installation.ts';
import type { CityOptions } from '../options.ts';
import type { Figures } from '../report/figures.ts';
import { actAsBud, answerOffers } from './bud.ts';
import type { CityClock } from './cityClock.ts';
import { actAsDuber } from './duber.ts';
import { addTooManyAddresses, readForeignOrder } from './forbidden.ts';
import { inviteOperators, joinAsOperator, type Operator } from './operator.ts';
import { actAsOperator } from './operatorActs.ts';
import type { Person } from './person.ts';
import { createPhone, type PhoneParts } from './phone.ts';
import { createPinExchange, type PinExchange } from './pinExchange.ts';
import type { PromoBoard } from './promoBoard.ts';
import { createSubscription, type PushDevice } from './pushDevice.ts';
import { actAsScrub } from './scrub.ts';
import { setWeek } from './scrubWeek.ts';
import type { TouchedBoard } from './touchedBoard.ts';
import { createTraits, TROUBLEMAKER } from './traits.ts';

/** What everybody shares. */
export type CityContext = {
  readonly options: CityOptions;
  readonly installation: Installation;
  readonly clock: CityClock;
  readonly log: RunLog;
  readonly figures: Figures;
  readonly promos: PromoBoard;
  readonly touched: TouchedBoard;
};

export type Crowd = { readonly people: readonly Person[]; readonly operators: readonly Operator[] };

const SIGN_UPS_AT_ONCE = 4;
/** So small that every Scrub and every Duber is within reach. */
const TOWN_RADIUS_M = 1_500;
const OPERATOR_ACTS_EVERY = 6;

/** A stream of random numbers that nobody else uses. */
const streamOf = (seed: number, name: string): Random => {
  let hash = seed >>> 0;
  for (const letter of name) hash = (Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) + 0x9e3779b9) >>> 0;
  return createRandom(hash);
};

/** Signs everybody up, by mail, as people do. */
export async function createCrowd(context: CityContext): Promise<Crowd> {
  const { options } = context;
  const counts: Record<Role, number> = { Bud: options.buds, Scrub: options.scrubs, Duber: options.dubers };
  const wanted = ROLES.flatMap((role) => Array.from({ length: counts[role] }, (_, n) => ({ role, n: n + 1 })));
  const people: Person[] = [];
  const queue = [...wanted];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) people.push(await signUp(context, next.role, next.n));
  };
  const [operators] = await Promise.all([createOperators(context), ...Array.from({ length: SIGN_UPS_AT_ONCE }, work)]);
  return { people, operators };
}

function phoneParts(context: CityContext, owner: string, random: Random): PhoneParts {
  const { installation, log, figures } = context;
  const { badNetwork, clumsiness } = createTraits(random);
  return { owner, hosts: installation.hosts, random, badNetwork, clumsiness, log, figures };
}

async function signUp(context: CityContext, role: Role, n: number): Promise<Person> {
  const { options, installation, log, clock, promos, touched, figures } = context;
  const name = `${role} ${n}`;
  const random = streamOf(options.seed, name);
  const [north, east] = [0, 0].map(() => (random() - 0.5) * 2 * TOWN_RADIUS_M) as [number, number];
  const [host = ''] = installation.hosts();
  const { user, token, api } = await createTestUser(
    (own) => createClient(host, () => own),
    (email, subject) => waitForMail(installation.standInsUrl, email, subject),
    role,
    { fullname: `${name} of the city`, north, east },
  );
  const parts = phoneParts(context, name, random);
  const traits = { ...createTraits(random), ...(n === 1 ? TROUBLEMAKER : {}) };
  // Some people are signed in on two devices, and go on with the other one.
  const { authToken } = await api.login({ body: { email: user.email, password: PASSWORD } });
  const device = { token };
  const changeDevice = () => {
    device.token = random() < traits.otherDevice ? authToken : token;
  };
  const person: Person = {
    ...{ name, role, random, traits, clock, token, id: user.id, email: user.email, place: pointAt(north, east) },
    addressId: user.addresses[0]?.id ?? '',
    pushDevice: random() < traits.pushes ? await subscribe(api, name, installation.pushUrl) : undefined,
    policy: options.policy,
    phone: createPhone({ ...parts, ...traits }, (send) => createClient('', () => device.token, send)),
    changeDevice,
    knowledge: createKnowledge(name, log, {
      isWeighed: options.policy === 'careful',
      hasDefaultPrices: installation.own !== undefined && Object.keys(options.prices).length === 0,
    }),
    finished: 0,
    wrongCodes: 0,
    promos,
    touched,
    readMails: () => readMails(installation.standInsUrl, user.email),
    count: figures.count,
    report: log.report,
  };
  if (role === 'Scrub' && options.windows > 0) await setWeek(person, options.pounds);
  return person;
}

async function readMails(standInsUrl: string, email: string): Promise<readonly { readonly text: string }[]> {
  const answer = await fetch(`${standInsUrl}/sandbox/mail/messages?to=${encodeURIComponent(email)}`);
  return (await answer.json()) as { text: string }[];
}

async function subscribe(api: Client, name: string, pushUrl: string | undefined): Promise<PushDevice | undefined> {
  if (pushUrl === undefined) return undefined;
  const { endpoint, keys, body } = createSubscription(pushUrl, name);
  const { id } = await api.subscribePush({ body });
  return { id, endpoint, keys, tags: new Map() };
}

async function createOperators(context: CityContext): Promise<Operator[]> {
  const { options, installation, clock, promos: board, touched, figures } = context;
  const { own } = installation;
  if (!own) return [];
  const names = Array.from({ length: options.operators }, (_, n) => `Operator ${n + 1}`);
  const emails = names.map((name) => `${name.toLowerCase().replace(' ', '-')}@rubadub.test`);
  const tokens = await inviteOperators(emails, { ...own.env });
  return Promise.all(
    names.map((name, n) => {
      const parts = phoneParts(context, name, streamOf(options.seed, name));
      const invited = {
        email: emails[n] ?? '',
        token: tokens[n] ?? '',
        number: n + 1,
        clock,
        board,
        touched,
        hasWindows: options.windows > 0,
        count: figures.count,
      };
      return joinAsOperator(invited, parts);
    }),
  );
}

/** Runs all people and operators until the evening. */
export async function simulateDay({ people, operators }: Crowd): Promise<void> {
  const pinExchange = createPinExchange(() => people);
  const days = people.map((person) =>
    actUntilEvening(person, () => act(person, pinExchange, people), person.traits.actsEvery),
  );
  const shifts = operators.map((operator) =>
    actUntilEvening(operator, () => actAsOperator(operator), OPERATOR_ACTS_EVERY),
  );
  await Promise.all([...days, ...shifts]);
}

/** Everybody acts some times, to finish what is open after the day. */
export async function finishWork({ people }: Crowd, times: number): Promise<void> {
  const pinExchange = createPinExchange(() => people);
  const work = async (person: Person) => {
    for (let n = 0; n < times; n += 1) await act(person, pinExchange, people);
  };
  await Promise.all(people.map(work));
}

async function actUntilEvening(
  { clock, random }: { clock: CityClock; random: Random },
  act: () => Promise<void>,
  actsEvery: number,
): Promise<void> {
  await clock.wait(random() * actsEvery);
  while (!clock.isEvening) {
    await act();
    await clock.wait(actsEvery * (0.5 + random()));
  }
}

async function act(person: Person, pinExchange: PinExchange, people: readonly Person[]): Promise<void> {
  person.changeDevice();
  if (person.role === 'Scrub') await actAsScrub(person);
  else if (person.role === 'Duber') await actAsDuber(person, pinExchange);
  else {
    await actAsBud(person);
    if (person.random() < 0.2) await answerOffers(person);
    if (person.random() < person.traits.mischief) await readForeignOrder(person, people);
    if (person.random() < person.traits.mischief / 4) await addTooManyAddresses(person);
  }
}
