import type { CallName } from '../contract/api.ts';
import { ROLES, type Role } from '../domain/accounts.ts';
import type { OrderStatus } from '../domain/orders.ts';
import { createPushKeys } from '../sandbox/push/decrypt.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  findLegId,
  firstAddressId,
  orderBody,
  type Participants,
  REVIEW,
} from './orderSteps.ts';
import { PASSWORD, pointAt, type TestServer, type TestUser } from './testServer.ts';

export type RequestInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
};
type PreparedCall = {
  readonly input: RequestInput;
  /** The rightful people, where they are not those of the cast. */
  readonly callers?: Partial<Record<Role, TestUser>>;
  /** Makes the rightful request differ for each role that may. */
  readonly inputFor?: (role: Role) => RequestInput;
};
export type ValidCall = {
  /** A request that the rightful person may make now. */
  readonly prepare: (stage: Scenario) => Promise<PreparedCall>;
  /** What the same request is to a stranger of the right role: refused with a status, or about the stranger's own things. */
  readonly strangerResult: 404 | 409 | 'own' | 'nobody';
};
export type Scenario = { readonly testServer: TestServer; readonly participants: Participants };

const ownDataCall = (input: RequestInput = {}): ValidCall => ({
  prepare: async () => ({ input }),
  strangerResult: 'own',
});

const orderCall = (status: OrderStatus): ValidCall => ({
  prepare: async ({ participants: cast }) => ({
    input: { params: { id: (await createOrderInStatus(cast, status)).id } },
  }),
  strangerResult: 404,
});

/** A delivery that a Duber of its own has brought `steps` steps far. */
export async function createDelivery({ testServer: world, participants: cast }: Scenario, steps: number) {
  const order = await createOrderInStatus(cast, 'Accepted');
  const id = findLegId(order, 'Bud_To_Scrub');
  const duber = await world.createUser('Duber', { east: 400 });
  await advanceDelivery(duber, id, steps);
  return { id, duber };
}

const deliveryStepCall = (before: number, stranger: 404 | 409): ValidCall => ({
  prepare: async (stage) => {
    const { id, duber } = await createDelivery(stage, before);
    return { input: { params: { id } }, callers: { Duber: duber } };
  },
  strangerResult: stranger,
});

/** A push subscription as a browser would make it there. */
function createPushSubscription(endpoint: string) {
  const { p256dh, auth } = createPushKeys();
  return { endpoint, keys: { p256dh, auth }, agent: 'Chrome on Android' };
}

const addressBody = (label: string) => ({ label, address: '7 Otter Lane, Soapwick', ...pointAt(10, 10) });

async function requestOtp(world: TestServer, email: string): Promise<string> {
  await world.api().sendOtpForEmail({ body: { email } });
  return /\d{6}/.exec((await world.waitForMail(email)).text)?.[0] ?? '';
}

/** The token of the unsubscribe link in a receipt. */
async function requestUnsubscribeToken({ testServer: world, participants: cast }: Scenario): Promise<string> {
  await createOrderInStatus(cast, 'Requested');
  const { text } = await world.waitForMail(cast.bud.user.email, 'is placed');
  return /unsubscribe\?token=(\S+)/.exec(text)?.[1] ?? '';
}

// Every call of the contract: the compiler asks for the ones that are missing.
export const VALID_CALLS = {
  readConfig: { prepare: async () => ({ input: {} }), strangerResult: 'nobody' },
  login: {
    prepare: async ({ participants: cast }) => ({
      input: { body: { email: cast.bud.user.email, password: PASSWORD } },
    }),
    strangerResult: 'nobody',
  },
  signUp: {
    prepare: async ({ testServer: world }) => {
      const email = `new-${world.now().getTime()}@rubadub.test`;
      const body = { email, emailOtp: await requestOtp(world, email), fullname: 'New Bud', password: PASSWORD };
      return { input: { body: { ...body, role: 'Bud', phone: '+12025550123', address: addressBody('Default') } } };
    },
    strangerResult: 'nobody',
  },
  sendOtpForEmail: {
    prepare: async ({ testServer: world }) => ({
      input: { body: { email: `code-${world.now().getTime()}@rubadub.test` } },
    }),
    strangerResult: 'nobody',
  },
  forgotPassword: {
    prepare: async ({ participants: cast }) => ({ input: { body: { email: cast.bud.user.email } } }),
    strangerResult: 'nobody',
  },
  resetPassword: {
    prepare: async ({ testServer: world }) => {
      const { user } = await world.createUser('Bud');
      await world.api().forgotPassword({ body: { email: user.email } });
      const [, token] = /token=([\w-]+)/.exec((await world.waitForMail(user.email, 'Set a new')).text) ?? [];
      return { input: { body: { token, newPassword: 'Rubadub2!' } } };
    },
    strangerResult: 'nobody',
  },
  session: ownDataCall(),
  logout: {
    prepare: async ({ testServer: world, participants: cast }) => {
      const again = async (someone: TestUser): Promise<TestUser> => {
        const body = { email: someone.user.email, password: PASSWORD };
        return { ...someone, token: (await world.api().login({ body })).authToken };
      };
      const as = { Bud: await again(cast.bud), Scrub: await again(cast.scrub), Duber: await again(cast.duber) };
      return { input: {}, as };
    },
    strangerResult: 'nobody',
  },
  profile: ownDataCall(),
  updateProfile: ownDataCall({ body: { fullname: 'A New Name', phone: '+12025550124' } }),
  changeVisibility: ownDataCall({ body: { isActive: true } }),
  createAddress: ownDataCall({ body: addressBody('Work') }),
  updateAddress: {
    prepare: async ({ participants: cast }) => ({
      input: {},
      inputFor: (role) => ({ body: { ...addressBody('Moved'), id: firstAddressId(participantWithRole(cast, role)) } }),
    }),
    strangerResult: 404,
  },
  findScrubsNearby: {
    prepare: async ({ participants: cast }) => ({ input: { query: { addressId: firstAddressId(cast.bud) } } }),
    strangerResult: 404,
  },
  listOrders: ownDataCall({ query: { sumFields: 'price,scrubEarning', pageSize: 2 } }),
  placeOrder: {
    prepare: async ({ participants: cast }) => ({ input: { body: orderBody(cast) } }),
    strangerResult: 404,
  },
  calculatePrice: ownDataCall({ body: { loadSize: 'Large', selfDelivery: false, selfPickup: true } }),
  totalSpending: ownDataCall(),
  readOrder: orderCall('Completed'),
  'cancel-order': orderCall('Requested'),
  'accept-order': orderCall('Requested'),
  'reject-order': orderCall('Requested'),
  'start-order': orderCall('Accepted'),
  'complete-order': orderCall('In_Progress'),
  reviewToScrub: {
    prepare: async ({ participants: cast }) => {
      const { id } = await createOrderInStatus(cast, 'Completed');
      return { input: { params: { id }, body: { ...REVIEW, scrubId: cast.scrub.user.id } } };
    },
    strangerResult: 404,
  },
  reviewToBud: {
    prepare: async ({ participants: cast }) => {
      const { id } = await createOrderInStatus(cast, 'Completed');
      return { input: { params: { id }, body: { ...REVIEW, budId: cast.bud.user.id } } };
    },
    strangerResult: 404,
  },
  listDeliveries: ownDataCall({ query: { sumFields: 'price,distanceInMeters', pageSize: 2 } }),
  findDeliveriesNearby: {
    prepare: async (stage) => {
      await createDelivery(stage, 0);
      return { input: { query: { addressId: firstAddressId(stage.participants.duber), maxDistanceMeters: 2000 } } };
    },
    strangerResult: 404,
  },
  readDelivery: deliveryStepCall(2, 404),
  'accept-delivery': {
    // Any Duber may take a pending one: the first to come is the rightful one, the stranger is the one who comes later.
    prepare: async (stage) => {
      const { id, duber } = await createDelivery(stage, 0);
      return { input: { params: { id } }, callers: { Duber: duber } };
    },
    strangerResult: 409,
  },
  'way-to-pickup': deliveryStepCall(1, 404),
  collected: deliveryStepCall(2, 404),
  'way-to-drop': deliveryStepCall(3, 404),
  delivered: deliveryStepCall(4, 404),
  readPosition: deliveryStepCall(2, 404),
  sharePosition: {
    prepare: async (stage) => {
      const { id, duber } = await createDelivery(stage, 2);
      return { input: { params: { id }, body: { latitude: 24.00123, longitude: 67.00345 } }, callers: { Duber: duber } };
    },
    strangerResult: 404,
  },
  forgetPosition: deliveryStepCall(2, 404),
  reviewToDuber: {
    prepare: async (stage) => {
      const { id, duber } = await createDelivery(stage, 5);
      return { input: { params: { id }, body: { ...REVIEW, duberId: duber.user.id } } };
    },
    strangerResult: 404,
  },
  earnings: ownDataCall(),
  earningLines: ownDataCall(),
  notifications: ownDataCall(),
  chooseNotifications: {
    prepare: async () => ({
      input: {},
      inputFor: (role) => ({ body: { kind: role === 'Duber' ? 'payout' : 'expired', push: false } }),
    }),
    strangerResult: 'own',
  },
  subscribePush: {
    prepare: async () => ({
      input: {},
      inputFor: (role) => ({ body: createPushSubscription(`https://push.example.org/send/${role}`) }),
    }),
    strangerResult: 'own',
  },
  unsubscribePush: {
    prepare: async ({ participants: cast }) => {
      const ids = new Map<Role, string>();
      for (const role of ROLES) {
        const body = createPushSubscription(`https://push.example.org/send/${role}-to-go`);
        ids.set(role, (await participantWithRole(cast, role).api.subscribePush({ body })).id);
      }
      return { input: {}, inputFor: (role) => ({ params: { id: ids.get(role) } }) };
    },
    strangerResult: 404,
  },
  readUnsubscribe: {
    prepare: async (stage) => ({ input: { query: { token: await requestUnsubscribeToken(stage) } } }),
    strangerResult: 'nobody',
  },
  unsubscribe: {
    prepare: async (stage) => ({ input: { body: { token: await requestUnsubscribeToken(stage), mail: true } } }),
    strangerResult: 'nobody',
  },
  budDashboard: ownDataCall(),
  scrubDashboard: ownDataCall(),
  duberDashboard: ownDataCall(),
} satisfies Record<CallName, ValidCall>;

export function participantWithRole(cast: Participants, role: Role): TestUser {
  return { Bud: cast.bud, Scrub: cast.scrub, Duber: cast.duber }[role];
}
