import { type Client, createClient } from '../contract/client.ts';
import type { Order } from '../contract/orders.ts';
import type { Role } from '../domain/accounts.ts';
import type { Point } from '../domain/places.ts';
import { readSignUpCode } from './inbox.ts';
import type { Visitor } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { PASSWORD } from './screens/accounts.ts';

/** Someone with an account that was made without a browser, for journeys that are about what comes after. */
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

export async function createTestUser(house: ProductServer, { role, fullname, at }: NewTestUser): Promise<TestUser> {
  const host = `${house.url}/api`;
  const email = `${fullname.toLowerCase().replaceAll(/\W+/g, '.')}@journeys.test`;
  const stranger = createClient(host);
  await stranger.sendOtpForEmail({ body: { email } });
  const emailOtp = await readSignUpCode(house, email);
  const address = { address: `The house of ${fullname}`, label: 'Default', ...at };
  const { authToken, user } = await stranger.signUp({
    body: { email, emailOtp, fullname, password: PASSWORD, role, address },
  });
  const addressId = user.addresses[0]?.id ?? '';
  return { role, fullname, email, id: user.id, addressId, token: authToken, api: createClient(host, () => authToken) };
}

/** Brings a person to their dashboard, signed in. */
export async function openDashboard(
  { context, page }: Visitor,
  house: ProductServer,
  { token, role }: TestUser,
): Promise<void> {
  await context.addCookies([{ name: 'auth-token', value: token, url: house.url }]);
  await page.goto(`/#/${role.toLowerCase()}/dashboard`);
}

/** An order that waits for its Scrub's answer. */
export function placeOrder(bud: TestUser, scrub: TestUser): Promise<Order> {
  return bud.api.placeOrder({
    body: {
      budAddressId: bud.addressId,
      loadSize: 'Small',
      scrubId: scrub.id,
      selfDelivery: false,
      selfPickup: false,
      paymentSourceId: 'cnon:card-nonce-ok',
    },
  });
}

/** From here on no live news reaches a visitor, as with a bad connection: their pages grow old. */
export async function blockEventStream({ page }: Visitor): Promise<void> {
  await page.route('**/api/events*', () => new Promise(() => {}));
}
