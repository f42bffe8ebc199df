import type { MailContext } from '../server/admissions/admissionMails.ts';
import type { Context } from '../server/context.ts';
import { sendDocument } from './documentCalls.ts';
import { firstAddressId } from './orderSteps.ts';
import { PASSWORD, type TestServer, type TestUser } from './testServer.ts';

const DAY_MS = 24 * 60 * 60_000;

/** What the server's workers of admission need, to run them at a time of the test. */
export function contextOf({ server: { db }, now }: TestServer): MailContext & Pick<Context, 'log'> {
  const config = { publicUrl: 'http://127.0.0.1', supportEmail: 'support@rubadub.test' } as Context['config'];
  const log = { error: () => {}, warn: () => {}, info: () => {} };
  return { db, now, newId: () => crypto.randomUUID(), config, log, wake: () => {} };
}

/** The same person with a new session: theirs has ended. */
export async function signInAgain(testServer: TestServer, person: TestUser): Promise<TestUser> {
  const { authToken } = await testServer.api().login({ body: { email: person.user.email, password: PASSWORD } });
  return { ...person, token: authToken, api: testServer.api(authToken) };
}

/** A date some days from now. */
export const dayIn = ({ now }: TestServer, days: number): string =>
  new Date(now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Sends all that a Duber needs. `days` is how long the insurance is valid. */
export async function sendDuberDocuments(testServer: TestServer, duber: TestUser, days = 300) {
  await sendDocument(duber, 'identity');
  await sendDocument(duber, 'licence', dayIn(testServer, 1_000));
  return sendDocument(duber, 'insurance', dayIn(testServer, days));
}

export async function sendScrubDocuments(testServer: TestServer, scrub: TestUser) {
  await sendDocument(scrub, 'identity');
  return sendDocument(scrub, 'detergent-safety', dayIn(testServer, 300));
}

/** The ids of the Scrubs that a Bud finds. */
export async function searchAs(bud: TestUser): Promise<string[]> {
  const query = { addressId: firstAddressId(bud), maxDistanceMeters: '3000' };
  return (await bud.api.findScrubsNearby({ query })).map(({ scrub }) => scrub.id);
}

/** The ids of the deliveries that a Duber is offered. */
export async function offersTo(duber: TestUser): Promise<string[]> {
  const query = { addressId: firstAddressId(duber), maxDistanceMeters: '3000' };
  return (await duber.api.findDeliveriesNearby({ query })).map(({ delivery }) => delivery.id);
}
