import { createTestUser, type TestUser } from './accounts.ts';
import type { ProductServer } from './productServer.ts';

// Far away from the users of the other journeys, so that their orders do not show up there.
export const SCENARIO_LOCATION = { latitude: 24.45, longitude: 67.45 };

export type OrderScenario = {
  readonly bud: TestUser;
  readonly scrub: TestUser;
  readonly duber: TestUser;
  readonly orderId: string;
  readonly deliveryId: string;
};

export async function createParticipants(
  server: ProductServer,
  name: string,
): Promise<Pick<OrderScenario, 'bud' | 'scrub' | 'duber'>> {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: `${name} Bud`, at: SCENARIO_LOCATION }),
    createTestUser(server, {
      role: 'Scrub',
      fullname: `${name} Scrub`,
      at: { ...SCENARIO_LOCATION, latitude: SCENARIO_LOCATION.latitude + 0.002 },
    }),
    createTestUser(server, { role: 'Duber', fullname: `${name} Duber`, at: SCENARIO_LOCATION }),
  ]);
  return { bud, scrub, duber };
}

/** Creates a completed order with a delivered delivery, instructions and every review. */
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
  const deliveryId = (await bud.api.readOrder({ params })).deliveries[0]?.id ?? '';
  for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
    await duber.api[step]({ params: { id: deliveryId } });
  }
  await scrub.api['start-order']({ params });
  await scrub.api['complete-order']({ params });
  const review = { message: text ?? 'Everything came back fresh.', rating: 4 };
  await bud.api.reviewToScrub({ params, body: { ...review, scrubId: scrub.id } });
  await scrub.api.reviewToBud({ params, body: { ...review, budId: bud.id } });
  await bud.api.reviewToDuber({ params: { id: deliveryId }, body: { ...review, duberId: duber.id } });
  await scrub.api.reviewToDuber({ params: { id: deliveryId }, body: { ...review, duberId: duber.id } });
  return { bud, scrub, duber, orderId: id, deliveryId };
}

/** The paths of the order and its delivery for each role. */
export const detailPathsOf = ({ orderId, deliveryId }: OrderScenario) => ({
  Bud: [`/bud/orders/${orderId}`, `/bud/orders/${orderId}/receipt`, `/bud/deliveries/${deliveryId}`],
  Scrub: [`/scrub/jobs/${orderId}`, `/scrub/deliveries/${deliveryId}`],
  Duber: [`/duber/deliveries/${deliveryId}`],
});

/** The paths of all other screens for each role. */
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
  '/help',
  '/terms',
  '/verify',
  '/privacy',
];
