import { createTestUser, type TestUser } from './accounts.ts';
import type { ProductServer } from './productServer.ts';

// A quarter of their own: what they leave behind is in nobody else's way.
export const SCENARIO_LOCATION = { latitude: 24.45, longitude: 67.45 };

export type OrderScenario = {
  readonly bud: TestUser;
  readonly scrub: TestUser;
  readonly duber: TestUser;
  readonly orderId: string;
  readonly deliveryId: string;
};

export async function createParticipants(
  house: ProductServer,
  name: string,
): Promise<Pick<OrderScenario, 'bud' | 'scrub' | 'duber'>> {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(house, { role: 'Bud', fullname: `${name} Bud`, at: SCENARIO_LOCATION }),
    createTestUser(house, {
      role: 'Scrub',
      fullname: `${name} Scrub`,
      at: { ...SCENARIO_LOCATION, latitude: SCENARIO_LOCATION.latitude + 0.002 },
    }),
    createTestUser(house, { role: 'Duber', fullname: `${name} Duber`, at: SCENARIO_LOCATION }),
  ]);
  return { bud, scrub, duber };
}

/** An order that has all there is to show: a delivery that was delivered, instructions and every review. */
export async function createOrderScenario(
  { bud, scrub, duber }: Pick<OrderScenario, 'bud' | 'scrub' | 'duber'>,
  text?: string,
): Promise<OrderScenario> {
  const { id } = await bud.api.placeOrder({
    body: {
      budAddressId: bud.addressId,
      scrubId: scrub.id,
      loadSize: 'Small',
      paymentSourceId: 'cnon:card-nonce-ok',
      ...(text ? { orderInstructions: text } : {}),
    },
  });
  const params = { id };
  await scrub.api['accept-order']({ params });
  const leg = (await bud.api.readOrder({ params })).deliveries[0]?.id ?? '';
  for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
    await duber.api[step]({ params: { id: leg } });
  }
  await scrub.api['start-order']({ params });
  await scrub.api['complete-order']({ params });
  const words = { message: text ?? 'Everything came back fresh.', rating: 4 };
  await bud.api.reviewToScrub({ params, body: { ...words, scrubId: scrub.id } });
  await scrub.api.reviewToBud({ params, body: { ...words, budId: bud.id } });
  await bud.api.reviewToDuber({ params: { id: leg }, body: { ...words, duberId: duber.id } });
  await scrub.api.reviewToDuber({ params: { id: leg }, body: { ...words, duberId: duber.id } });
  return { bud, scrub, duber, orderId: id, deliveryId: leg };
}

/** Where the order and its delivery stand for each role. */
export const detailPathsOf = ({ orderId, deliveryId }: OrderScenario) => ({
  Bud: [`/bud/orders/${orderId}`, `/bud/deliveries/${deliveryId}`],
  Scrub: [`/scrub/jobs/${orderId}`, `/scrub/deliveries/${deliveryId}`],
  Duber: [`/duber/deliveries/${deliveryId}`],
});

/** The other screens of each role, and of nobody in particular. */
export const ROLE_PATHS = {
  Bud: ['/bud/dashboard', '/bud/place-order', '/bud/orders', '/bud/deliveries', '/profile', '/faq'],
  Scrub: ['/scrub/dashboard', '/scrub/jobs', '/scrub/deliveries', '/scrub/earnings', '/profile', '/faq'],
  Duber: ['/duber/dashboard', '/duber/deliveries', '/duber/earnings', '/profile', '/faq'],
} as const;

export const SIGNED_OUT_PATHS = [
  '/',
  '/login',
  '/signup',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/auth/reset-password?token=x',
  '/unsubscribe?token=x',
  '/terms',
  '/privacy',
];
