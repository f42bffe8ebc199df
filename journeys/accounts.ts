import { type Client, client } from '../contract/client.ts';
import type { Order } from '../contract/orders.ts';
import type { Role } from '../domain/accounts.ts';
import type { Point } from '../domain/places.ts';
import { readCode } from './inbox.ts';
import type { Visitor } from './journey.ts';
import type { House } from './productServer.ts';
import { PASSWORD } from './screens/accounts.ts';

/** Someone with an account that was made without a browser, for journeys that are about what comes after. */
export type Person = {
  readonly role: Role;
  readonly fullname: string;
  readonly email: string;
  readonly id: string;
  readonly addressId: string;
  readonly token: string;
  readonly api: Client;
};

type Named = { readonly role: Role; readonly fullname: string; readonly at: Point };

export async function makePerson(house: House, { role, fullname, at }: Named): Promise<Person> {
  const host = `${house.url}/api`;
  const email = `${fullname.toLowerCase().replaceAll(/\W+/g, '.')}@journeys.test`;
  const stranger = client(host);
  await stranger.sendOtpForEmail({ body: { email } });
  const emailOtp = await readCode(house, email);
  const address = { address: `The house of ${fullname}`, label: 'Default', ...at };
  const { authToken, user } = await stranger.signUp({
    body: { email, emailOtp, fullname, password: PASSWORD, role, address },
  });
  const addressId = user.addresses[0]?.id ?? '';
  return { role, fullname, email, id: user.id, addressId, token: authToken, api: client(host, () => authToken) };
}

/** Brings a person to their dashboard, signed in. */
export async function enter({ context, page }: Visitor, house: House, { token, role }: Person): Promise<void> {
  await context.addCookies([{ name: 'auth-token', value: token, url: house.url }]);
  await page.goto(`/#/${role.toLowerCase()}/dashboard`);
}

/** An order that waits for its Scrub's answer. */
export function order(bud: Person, scrub: Person): Promise<Order> {
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
export async function hearNoNews({ page }: Visitor): Promise<void> {
  await page.route('**/api/events*', () => new Promise(() => {}));
}
