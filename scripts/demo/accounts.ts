import { setTimeout as pause } from 'node:timers/promises';
import type { User } from '../../contract/accounts.ts';
import { CallFailed } from '../../contract/callClient.ts';
import type { Client } from '../../contract/client.ts';
import type { Role } from '../../domain/accounts.ts';
import { DEMO_HOMES } from './homes.ts';
import { ALL_DEMO_PEOPLE, DEMO_PEOPLE, type DemoPerson } from './people.ts';
import { createRetryingClient } from './retryingClient.ts';

export type DemoUser = { readonly id: string; readonly role: Role; readonly addressId: string; readonly api: Client };

export type SeedTarget = {
  /** The base URLs of the API and of the inbox, without a trailing slash. */
  readonly apiUrl: string;
  readonly inboxUrl: string;
  /** The password of every demo person. */
  readonly password: string;
  /** True if there are no accounts yet, so that trying to sign in first can be skipped. */
  readonly isEmpty: boolean;
  /** Sends the API's requests; `fetch` by default. */
  readonly send?: typeof fetch;
};

const CONCURRENCY = 4;
const CODE_TIMEOUT_MS = 90_000;

/** Signs every demo person in, creating missing accounts. The key is the part of the e-mail address before the @. */
export async function signInEveryone(target: SeedTarget): Promise<Map<string, DemoUser>> {
  const queue = DEMO_PEOPLE.map((person, i) => ({ person, home: DEMO_HOMES[i] as Home }));
  const users = new Map<string, DemoUser>();
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const name = next.person.email.split('@')[0] ?? '';
      users.set(name, await signInOrSignUp(target, next.person, next.home));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return users;
}

type Home = (typeof DEMO_HOMES)[number];

/** Creates the accounts of some of the demo people where they are missing. */
export async function addPeople(target: SeedTarget, people: readonly DemoPerson[]): Promise<void> {
  for (const person of people) {
    const home = DEMO_HOMES[ALL_DEMO_PEOPLE.indexOf(person)];
    if (home) await signInOrSignUp(target, person, home);
  }
}

async function signInOrSignUp(target: SeedTarget, person: DemoPerson, home: Home): Promise<DemoUser> {
  const { authToken, user } =
    (target.isEmpty ? undefined : await signIn(target, person)) ?? (await signUp(target, person, home));
  const addressId = user.addresses[0]?.id;
  if (!addressId) throw new Error(`${person.email} has no address`);
  return { id: user.id, role: user.role, addressId, api: openClient(target, authToken) };
}

const openClient = ({ apiUrl, send }: SeedTarget, token?: string) => createRetryingClient(apiUrl, token, send);

type Session = { authToken: string; user: User };

async function signIn(target: SeedTarget, { email }: DemoPerson): Promise<Session | undefined> {
  return openClient(target)
    .login({ body: { email, password: target.password } })
    .catch((error: unknown) => {
      if (error instanceof CallFailed && error.statusCode === 401) return undefined;
      throw error;
    });
}

async function signUp(target: SeedTarget, person: DemoPerson, home: Home): Promise<Session> {
  const { email, fullname, role, label } = person;
  const emailOtp = await requestCode(target, email);
  const phone = `+1202555${String(100 + ALL_DEMO_PEOPLE.findIndex((one) => one.email === email)).padStart(4, '0')}`;
  return openClient(target).signUp({
    body: { email, emailOtp, fullname, password: target.password, role, phone, address: { label, ...home } },
  });
}

async function requestCode(target: SeedTarget, email: string): Promise<string> {
  const { inboxUrl } = target;
  const previousMail = await fetchNewestMail(inboxUrl, email);
  const isSent = await openClient(target)
    .sendOtpForEmail({ body: { email } })
    .then(
      () => true,
      (error: unknown) => {
        // An interrupted run has just requested a code. Its mail has arrived or is on its way.
        if (error instanceof CallFailed && error.statusCode === 429) return false;
        throw error;
      },
    );
  // A mail that a killed server was sending is sent again when that server's lease expires.
  const deadline = Date.now() + CODE_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const mail = await fetchNewestMail(inboxUrl, email);
    const code = mail && (!isSent || mail.id !== previousMail?.id) ? /\d{6}/.exec(mail.text)?.[0] : undefined;
    if (code) return code;
    await pause(25);
  }
  throw new Error(`no sign-up code arrived for ${email}`);
}

async function fetchNewestMail(inboxUrl: string, email: string): Promise<{ id: string; text: string } | undefined> {
  const response = await fetch(`${inboxUrl}?to=${encodeURIComponent(email)}`);
  if (!response.ok) throw new Error(`the inbox answered ${response.status}`);
  return ((await response.json()) as { id: string; text: string }[])[0];
}
