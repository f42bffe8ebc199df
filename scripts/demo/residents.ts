import { setTimeout as pause } from 'node:timers/promises';
import type { User } from '../../contract/accounts.ts';
import { CallFailed, type Client } from '../../contract/client.ts';
import { drawCity, pickHomes } from '../../sandbox/city.ts';
import { CAST, PASSWORD, type Person } from './people.ts';
import { patientClient } from './retryUntilDone.ts';

export type Resident = { readonly id: string; readonly addressId: string; readonly api: Client };

export type Place = {
  /** The API's base address and that of the inbox, without a slash at their end. */
  readonly host: string;
  readonly inbox: string;
  /** Nobody has an account yet, so nobody needs to try to sign in. */
  readonly isEmpty: boolean;
};

const SEED = 12;
const AT_ONCE = 4;
const CODE_WITHIN_MS = 90_000;
const REACH_DEGREES = 0.016;

/** Everybody of the demo, signed in: with the account that is there, or with a new one. By the name in the e-mail. */
export async function settle(place: Place): Promise<Map<string, Resident>> {
  const homes = homesNearTheMiddle(CAST.length);
  const waiting = CAST.map((person, i) => ({ person, home: homes[i] as Home }));
  const residents = new Map<string, Resident>();
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const name = next.person.email.split('@')[0] ?? '';
      residents.set(name, await moveIn(place, next.person, next.home));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return residents;
}

type Home = ReturnType<typeof pickHomes>[number];

// Everybody must be within the search radius of everybody else.
function homesNearTheMiddle(count: number): Home[] {
  const city = drawCity();
  const [longitude, latitude] = city.centre;
  const near = pickHomes(city, count * 10, SEED).filter(
    (home) => Math.hypot(home.latitude - latitude, home.longitude - longitude) < REACH_DEGREES,
  );
  if (near.length < count) throw new Error(`the made-up city has ${near.length} homes near its middle, not ${count}`);
  return near.slice(0, count);
}

async function moveIn(place: Place, person: Person, home: Home): Promise<Resident> {
  const { authToken, user } =
    (place.isEmpty ? undefined : await signIn(place, person)) ?? (await signUp(place, person, home));
  const addressId = user.addresses[0]?.id;
  if (!addressId) throw new Error(`${person.email} has no address`);
  return { id: user.id, addressId, api: patientClient(place.host, authToken) };
}

type Session = { authToken: string; user: User };

async function signIn({ host }: Place, { email }: Person): Promise<Session | undefined> {
  return patientClient(host)
    .login({ body: { email, password: PASSWORD } })
    .catch((error: unknown) => {
      if (error instanceof CallFailed && error.statusCode === 401) return undefined;
      throw error;
    });
}

async function signUp(place: Place, person: Person, home: Home): Promise<Session> {
  const { email, fullname, role, label } = person;
  const emailOtp = await askForCode(place, email);
  const phone = `+1202555${String(100 + CAST.findIndex((one) => one.email === email)).padStart(4, '0')}`;
  return patientClient(place.host).signUp({
    body: { email, emailOtp, fullname, password: PASSWORD, role, phone, address: { label, ...home } },
  });
}

async function askForCode({ host, inbox }: Place, email: string): Promise<string> {
  const before = await newestMail(inbox, email);
  const sent = await patientClient(host)
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
  const until = Date.now() + CODE_WITHIN_MS;
  while (Date.now() < until) {
    const mail = await newestMail(inbox, email);
    const code = mail && (!sent || mail.id !== before?.id) ? /\d{6}/.exec(mail.text)?.[0] : undefined;
    if (code) return code;
    await pause(25);
  }
  throw new Error(`no sign-up code arrived for ${email}`);
}

async function newestMail(inbox: string, email: string): Promise<{ id: string; text: string } | undefined> {
  const response = await fetch(`${inbox}?to=${encodeURIComponent(email)}`);
  if (!response.ok) throw new Error(`the inbox answered ${response.status}`);
  return ((await response.json()) as { id: string; text: string }[])[0];
}
