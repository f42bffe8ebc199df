import { expect } from '@playwright/test';
import { type Client, createClient } from '../contract/client.ts';
import type { Order } from '../contract/orders.ts';
import type { Role } from '../domain/accounts.ts';
import type { LoadSize } from '../domain/orders.ts';
import type { Point } from '../domain/places.ts';
import { DELIVERY_STEPS } from '../testing/orderSteps.ts';
import { readSignUpCode } from './inbox.ts';
import type { Visitor } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { PASSWORD } from './screens/accounts.ts';

/** A user who has signed up through the API instead of the browser. */
export type TestUser = {
  readonly role: Role;
  readonly fullname: string;
  readonly email: string;
  readonly id: string;
  readonly addressId: string;
  readonly token: string;
  readonly api: Client;
};

type NewTestUser = { readonly role: Role; readonly fullname: string; readonly at: Point };

let createdUsers = 0;

export async function createTestUser(server: ProductServer, { role, fullname, at }: NewTestUser): Promise<TestUser> {
  const apiUrl = `${server.url}/api`;
  // Journeys of a worker share its server, so people of the same name need addresses of their own.
  createdUsers += 1;
  const email = `${fullname.toLowerCase().replaceAll(/\W+/g, '.').slice(0, 45)}.${createdUsers}@journeys.test`;
  const signedOut = createClient(apiUrl);
  await signedOut.sendOtpForEmail({ body: { email } });
  const emailOtp = await readSignUpCode(server, email);
  const address = { address: `The house of ${fullname}`, label: 'Default', ...at };
  const { authToken, user } = await signedOut.signUp({
    body: { email, emailOtp, fullname, password: PASSWORD, role, address },
  });
  const addressId = user.addresses[0]?.id ?? '';
  const api = createClient(apiUrl, () => authToken);
  return { role, fullname, email, id: user.id, addressId, token: authToken, api };
}

/** Signs a user in and opens their dashboard. */
export async function openDashboard(
  { context, page }: Visitor,
  server: ProductServer,
  { token, role }: TestUser,
): Promise<void> {
  await context.addCookies([{ name: 'auth-token', value: token, url: server.url }]);
  await page.goto(`/#/${role.toLowerCase()}/dashboard`);
}

/** Places an order that its Scrub has not accepted or rejected yet. */
export function placeOrder(
  bud: TestUser,
  scrub: TestUser,
  choices: {
    selfDelivery?: boolean;
    selfPickup?: boolean;
    orderInstructions?: string;
    pickupFrom?: string;
    returnFrom?: string;
  } = {},
): Promise<Order> {
  return bud.api.placeOrder({
    body: {
      budAddressId: bud.addressId,
      loadSize: 'Small',
      scrubId: scrub.id,
      ...{ selfDelivery: false, selfPickup: false, ...choices },
      paymentSourceId: 'cnon:card-nonce-ok',
    },
  });
}

/** The kinds of movements on the receipt of an order. */
export const kindsOf = async (bud: TestUser, id: string) =>
  (await bud.api.readReceipt({ params: { id } })).movements.map(({ kind }) => kind);

/** Places an order that its Scrub accepts, and waits until its card is charged. */
export async function placeChargedOrder(bud: TestUser, scrub: TestUser, loadSize: LoadSize): Promise<Order> {
  const body = { budAddressId: bud.addressId, scrubId: scrub.id, loadSize, paymentSourceId: 'cnon:card-nonce-ok' };
  const { id } = await bud.api.placeOrder({ body });
  await scrub.api['accept-order']({ params: { id } });
  await expect.poll(() => kindsOf(bud, id)).toContain('charged');
  return bud.api.readOrder({ params: { id } });
}

/** The Scrub does an order, and the Duber carries it both ways. */
export async function washAndCarry(id: string, scrub: TestUser, duber: TestUser): Promise<void> {
  await scrub.api['start-order']({ params: { id } });
  await scrub.api['complete-order']({ params: { id } });
  for (const delivery of (await scrub.api.readOrder({ params: { id } })).deliveries)
    for (const step of DELIVERY_STEPS) await duber.api[step]({ params: { id: delivery.id } });
}

/** Stops live updates for a visitor, so that their pages become stale. */
export async function blockEventStream({ page }: Visitor): Promise<void> {
  await page.route('**/api/events*', () => new Promise(() => {}));
}
