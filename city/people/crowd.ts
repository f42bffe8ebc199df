import { createClient } from '../../contract/client.ts';
import { ROLES, type Role } from '../../domain/accounts.ts';
import { createRandom, type Random } from '../../testing/random.ts';
import { createTestUser, PASSWORD, pointAt, waitForMail } from '../../testing/testServer.ts';
import type { Diary } from '../findings.ts';
import type { Installation } from '../installation.ts';
import { createMemory } from '../judge/memory.ts';
import type { CityOptions } from '../options.ts';
import type { Figures } from '../report/figures.ts';
import { answerOffers, lookAsBud } from './bud.ts';
import { lookAsDuber } from './duber.ts';
import { inviteOperators, joinAsOperator, lookAsOperator, type Operator } from './operator.ts';
import type { Pace } from './pace.ts';
import type { Person } from './person.ts';
import { createPhone, type PhoneParts } from './phone.ts';
import { lookAsScrub } from './scrub.ts';
import { drawTraits } from './traits.ts';
import { collectAddresses, spy } from './tricks.ts';
import { createWhispers, type Whispers } from './whispers.ts';

/** What everybody shares. */
export type CityContext = {
  readonly options: CityOptions;
  readonly installation: Installation;
  readonly pace: Pace;
  readonly diary: Diary;
  readonly figures: Figures;
};

export type Crowd = { readonly people: readonly Person[]; readonly operators: readonly Operator[] };

const SIGN_UPS_AT_ONCE = 4;
/** Everybody lives so near that every Scrub and every Duber is in reach. */
const TOWN_RADIUS_M = 1_500;
const OPERATOR_LOOKS_EVERY = 6;

/** A stream of random numbers that nobody else uses. */
const streamOf = (seed: number, name: string): Random => {
  let hash = seed >>> 0;
  for (const letter of name) hash = (Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) + 0x9e3779b9) >>> 0;
  return createRandom(hash);
};

/** Signs everybody up, by mail, as people do. */
export async function gatherCrowd(context: CityContext): Promise<Crowd> {
  const { options } = context;
  const counts: Record<Role, number> = { Bud: options.buds, Scrub: options.scrubs, Duber: options.dubers };
  const wanted = ROLES.flatMap((role) => Array.from({ length: counts[role] }, (_, n) => ({ role, n: n + 1 })));
  const people: Person[] = [];
  const queue = [...wanted];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) people.push(await signUp(context, next.role, next.n));
  };
  const [operators] = await Promise.all([gatherOperators(context), ...Array.from({ length: SIGN_UPS_AT_ONCE }, work)]);
  return { people, operators };
}

function phoneParts(context: CityContext, owner: string, random: Random): PhoneParts {
  const { installation, diary, figures } = context;
  const { badNetwork, clumsiness } = drawTraits(random);
  return { owner, hosts: installation.hosts, random, badNetwork, clumsiness, diary, figures };
}

async function signUp(context: CityContext, role: Role, n: number): Promise<Person> {
  const { options, installation, diary, pace } = context;
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
  const traits = drawTraits(random);
  // Some people are signed in on two devices, and go on with the other one.
  const { authToken } = await api.login({ body: { email: user.email, password: PASSWORD } });
  const device = { token };
  const changeDevice = () => {
    device.token = random() < traits.otherDevice ? authToken : token;
  };
  return {
    ...{ name, role, random, traits, pace, token, id: user.id, email: user.email, place: pointAt(north, east) },
    addressId: user.addresses[0]?.id ?? '',
    policy: options.policy,
    phone: createPhone({ ...parts, ...traits }, (send) => createClient('', () => device.token, send)),
    changeDevice,
    memory: createMemory(name, diary, {
      isWeighed: options.policy === 'careful',
      hasDefaultPrices: installation.own !== undefined && Object.keys(options.prices).length === 0,
    }),
    finished: 0,
    report: diary.report,
  };
}

async function gatherOperators(context: CityContext): Promise<Operator[]> {
  const { options, installation, pace } = context;
  const { own } = installation;
  if (!own) return [];
  const names = Array.from({ length: options.operators }, (_, n) => `Operator ${n + 1}`);
  const emails = names.map((name) => `${name.toLowerCase().replace(' ', '-')}@rubadub.test`);
  const tokens = await inviteOperators(emails, { ...own.env });
  return Promise.all(
    names.map((name, n) => {
      const parts = phoneParts(context, name, streamOf(options.seed, name));
      return joinAsOperator({ email: emails[n] ?? '', token: tokens[n] ?? '', pace }, parts);
    }),
  );
}

/** Lets everybody live until the evening. */
export async function liveADay({ people, operators }: Crowd): Promise<void> {
  const whispers = createWhispers(() => people);
  const lives = people.map((person) => live(person, () => lookAt(person, whispers, people), person.traits.looksEvery));
  const shifts = operators.map((operator) => live(operator, () => lookAsOperator(operator), OPERATOR_LOOKS_EVERY));
  await Promise.all([...lives, ...shifts]);
}

async function live(
  { pace, random }: { pace: Pace; random: Random },
  look: () => Promise<void>,
  looksEvery: number,
): Promise<void> {
  await pace.wait(random() * looksEvery);
  while (!pace.isEvening) {
    await look();
    await pace.wait(looksEvery * (0.5 + random()));
  }
}

async function lookAt(person: Person, whispers: Whispers, people: readonly Person[]): Promise<void> {
  person.changeDevice();
  if (person.role === 'Scrub') await lookAsScrub(person);
  else if (person.role === 'Duber') await lookAsDuber(person, whispers);
  else {
    await lookAsBud(person);
    if (person.random() < 0.2) await answerOffers(person);
    if (person.random() < person.traits.mischief) await spy(person, people);
    if (person.random() < person.traits.mischief / 4) await collectAddresses(person);
  }
}
