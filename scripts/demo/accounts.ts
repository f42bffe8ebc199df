import { setTimeout as pause } from 'node:timers/promises';
import type { User } from '../../contract/accounts.ts';
import { CallFailed, type Client } from '../../contract/client.ts';
import { generateCity, pickHomes } from '../../sandbox/city.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE, type DemoPerson } from './people.ts';
import { createRetryingClient } from './retryingClient.ts';

export type DemoUser = { readonly id: string; readonly addressId: string; readonly api: Client };

export type SeedTarget = {
  /** The API's base address and that of the inbox, without a slash at their end. */
  readonly apiUrl: string;
  readonly inboxUrl: string;
  /** Nobody has an account yet, so nobody needs to try to sign in. */
  readonly isEmpty: boolean;
};

const CITY_SEED = 12;
const CONCURRENCY = 4;
const CODE_TIMEOUT_MS = 90_000;
const MAX_DISTANCE_DEGREES = 0.016;

/** Everybody of the demo, signed in: with the account that is there, or with a new one. By the name in the e-mail. */
export async function signInEveryone(place: SeedTarget): Promise<Map<string, DemoUser>> {
  const homes = pickCentralHomes(DEMO_PEOPLE.length);
  const waiting = DEMO_PEOPLE.map((person, i) => ({ person, home: homes[i] as Home }));
  const residents = new Map<string, DemoUser>();
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const name = next.person.email.split('@')[0] ?? '';
      residents.set(name, await signInOrSignUp(place, next.person, next.home));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return residents;
}

type Home = ReturnType<typeof pickHomes>[number];

// Everybody must be within the search radius of everybody else.
function pickCentralHomes(count: number): Home[] {
  const city = generateCity();
  const [longitude, latitude] = city.centre;
  const near = pickHomes(city, count * 10, CITY_SEED).filter(
    (home) => Math.hypot(home.latitude - latitude, home.longitude - longitude) < MAX_DISTANCE_DEGREES,
  );
  if (near.length < count) throw new Error(`the made-up city has ${near.length} homes near its middle, not ${count}`);
  return near.slice(0, count);
}

async function signInOrSignUp(place: SeedTarget, person: DemoPerson, home: Home): Promise<DemoUser> {
  const { authToken, user } =
    (place.isEmpty ? undefined : await signIn(place, person)) ?? (await signUp(place, person, home));
  const addressId = user.addresses[0]?.id;
  if (!addressId) throw new Error(`${person.email} has no address`);
  return { id: user.id, addressId, api: createRetryingClient(place.apiUrl, authToken) };
}

type Session = { authToken: string; user: User };

async function signIn({ apiUrl: host }: SeedTarget, { email }: DemoPerson): Promise<Session | undefined> {
  return createRetryingClient(host)
    .login({ body: { email, password: DEMO_PASSWORD } })
    .catch((error: unknown) => {
      if (error instanceof CallFailed && error.statusCode === 401) return undefined;
      throw error;
    });
}

async function signUp(place: SeedTarget, person: DemoPerson, home: Home): Promise<Session> {
  const { email, fullname, role, label } = person;
  const emailOtp = await requestCode(place, email);
  const phone = `+1202555${String(100 + DEMO_PEOPLE.findIndex((one) => one.email === email)).padStart(4, '0')}`;
  return createRetryingClient(place.apiUrl).signUp({
    body: { email, emailOtp, fullname, password: DEMO_PASSWORD, role, phone, address: { label, ...home } },
  });
}

async function requestCode({ apiUrl: host, inboxUrl: inbox }: SeedTarget, email: string): Promise<string> {
  const before = await fetchNewestMail(inbox, email);
  const sent = await createRetryingClient(host)
    .sendOtpForEmail({ body: { email } })
    .then(
      () => true,
      (error: unknown) => {
        // A run that was cut short asked a moment ago: its code has arrived, or leaves now.
        if (error instanceof CallFailed && error.statusCode === 429) return false;
        throw error;
      },
    );
  // A mail that a killed server had just taken in hand leaves when that server's hold on it has run out.
  const until = Date.now() + CODE_TIMEOUT_MS;
  while (Date.now() < until) {
    const mail = await fetchNewestMail(inbox, email);
    const code = mail && (!sent || mail.id !== before?.id) ? /\d{6}/.exec(mail.text)?.[0] : undefined;
    if (code) return code;
    await pause(25);
  }
  throw new Error(`no sign-up code arrived for ${email}`);
}

async function fetchNewestMail(inbox: string, email: string): Promise<{ id: string; text: string } | undefined> {
  const response = await fetch(`${inbox}?to=${encodeURIComponent(email)}`);
  if (!response.ok) throw new Error(`the inbox answered ${response.status}`);
  return ((await response.json()) as { id: string; text: string }[])[0];
}
