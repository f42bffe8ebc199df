import type { CallName } from '../contract/api.ts';
import { ROLES, type Role } from '../domain/accounts.ts';
import type { OrderStatus } from '../domain/orders.ts';
import { makeKeys } from '../sandbox/push/decrypt.ts';
import { type Cast, carry, firstAddress, legOf, orderAt, orderBody, WORDS } from './orderSteps.ts';
import { PASSWORD, pointAt, type Someone, type World } from './testServer.ts';

export type Input = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
};
type Prepared = {
  readonly input: Input;
  /** The rightful people, where they are not those of the cast. */
  readonly as?: Partial<Record<Role, Someone>>;
  /** Makes the rightful request differ for each role that may. */
  readonly perRole?: (role: Role) => Input;
};
export type Rightful = {
  /** A request that the rightful person may make now. */
  readonly prepare: (stage: Stage) => Promise<Prepared>;
  /** What the same request is to a stranger of the right role: refused with a status, or about the stranger's own things. */
  readonly stranger: 404 | 409 | 'own' | 'nobody';
};
export type Stage = { readonly world: World; readonly cast: Cast };

const own = (input: Input = {}): Rightful => ({ prepare: async () => ({ input }), stranger: 'own' });

const anOrder = (status: OrderStatus): Rightful => ({
  prepare: async ({ cast }) => ({ input: { params: { id: (await orderAt(cast, status)).id } } }),
  stranger: 404,
});

/** A delivery that a Duber of its own has brought `steps` steps far. */
export async function aDelivery({ world, cast }: Stage, steps: number) {
  const order = await orderAt(cast, 'Accepted');
  const id = legOf(order, 'Bud_To_Scrub');
  const duber = await world.join('Duber', { east: 400 });
  await carry(duber, id, steps);
  return { id, duber };
}

const aStep = (before: number, stranger: 404 | 409): Rightful => ({
  prepare: async (stage) => {
    const { id, duber } = await aDelivery(stage, before);
    return { input: { params: { id } }, as: { Duber: duber } };
  },
  stranger,
});

/** A push subscription as a browser would make it there. */
function subscriptionAt(endpoint: string) {
  const { p256dh, auth } = makeKeys();
  return { endpoint, keys: { p256dh, auth }, agent: 'Chrome on Android' };
}

const anAddress = (label: string) => ({ label, address: '7 Otter Lane, Soapwick', ...pointAt(10, 10) });

async function codeFor(world: World, email: string): Promise<string> {
  await world.api().sendOtpForEmail({ body: { email } });
  return /\d{6}/.exec((await world.mailTo(email)).text)?.[0] ?? '';
}

/** The token of the unsubscribe link in a receipt. */
async function leaveToken({ world, cast }: Stage): Promise<string> {
  await orderAt(cast, 'Requested');
  const { text } = await world.mailTo(cast.bud.user.email, 'is placed');
  return /unsubscribe\?token=(\S+)/.exec(text)?.[1] ?? '';
}

// Every call of the contract: the compiler asks for the ones that are missing.
export const RIGHTFUL = {
  readConfig: { prepare: async () => ({ input: {} }), stranger: 'nobody' },
  login: {
    prepare: async ({ cast }) => ({ input: { body: { email: cast.bud.user.email, password: PASSWORD } } }),
    stranger: 'nobody',
  },
  signUp: {
    prepare: async ({ world }) => {
      const email = `new-${world.now().getTime()}@rubadub.test`;
      const body = { email, emailOtp: await codeFor(world, email), fullname: 'New Bud', password: PASSWORD };
      return { input: { body: { ...body, role: 'Bud', phone: '+12025550123', address: anAddress('Default') } } };
    },
    stranger: 'nobody',
  },
  sendOtpForEmail: {
    prepare: async ({ world }) => ({ input: { body: { email: `code-${world.now().getTime()}@rubadub.test` } } }),
    stranger: 'nobody',
  },
  forgotPassword: {
    prepare: async ({ cast }) => ({ input: { body: { email: cast.bud.user.email } } }),
    stranger: 'nobody',
  },
  resetPassword: {
    prepare: async ({ world }) => {
      const { user } = await world.join('Bud');
      await world.api().forgotPassword({ body: { email: user.email } });
      const [, token] = /token=([\w-]+)/.exec((await world.mailTo(user.email, 'Set a new')).text) ?? [];
      return { input: { body: { token, newPassword: 'Rubadub2!' } } };
    },
    stranger: 'nobody',
  },
  session: own(),
  logout: {
    prepare: async ({ world, cast }) => {
      const again = async (someone: Someone): Promise<Someone> => {
        const body = { email: someone.user.email, password: PASSWORD };
        return { ...someone, token: (await world.api().login({ body })).authToken };
      };
      const as = { Bud: await again(cast.bud), Scrub: await again(cast.scrub), Duber: await again(cast.duber) };
      return { input: {}, as };
    },
    stranger: 'nobody',
  },
  profile: own(),
  updateProfile: own({ body: { fullname: 'A New Name', phone: '+12025550124' } }),
  changeVisibility: own({ body: { isActive: true } }),
  createAddress: own({ body: anAddress('Work') }),
  updateAddress: {
    prepare: async ({ cast }) => ({
      input: {},
      perRole: (role) => ({ body: { ...anAddress('Moved'), id: firstAddress(byRole(cast, role)) } }),
    }),
    stranger: 404,
  },
  findScrubsNearby: {
    prepare: async ({ cast }) => ({ input: { query: { addressId: firstAddress(cast.bud) } } }),
    stranger: 404,
  },
  listOrders: own({ query: { sumFields: 'price,scrubEarning', pageSize: 2 } }),
  placeOrder: { prepare: async ({ cast }) => ({ input: { body: orderBody(cast) } }), stranger: 404 },
  calculatePrice: own({ body: { loadSize: 'Large', selfDelivery: false, selfPickup: true } }),
  totalSpending: own(),
  readOrder: anOrder('Completed'),
  'cancel-order': anOrder('Requested'),
  'accept-order': anOrder('Requested'),
  'reject-order': anOrder('Requested'),
  'start-order': anOrder('Accepted'),
  'complete-order': anOrder('In_Progress'),
  reviewToScrub: {
    prepare: async ({ cast }) => {
      const { id } = await orderAt(cast, 'Completed');
      return { input: { params: { id }, body: { ...WORDS, scrubId: cast.scrub.user.id } } };
    },
    stranger: 404,
  },
  reviewToBud: {
    prepare: async ({ cast }) => {
      const { id } = await orderAt(cast, 'Completed');
      return { input: { params: { id }, body: { ...WORDS, budId: cast.bud.user.id } } };
    },
    stranger: 404,
  },
  listDeliveries: own({ query: { sumFields: 'price,distanceInMeters', pageSize: 2 } }),
  findDeliveriesNearby: {
    prepare: async (stage) => {
      await aDelivery(stage, 0);
      return { input: { query: { addressId: firstAddress(stage.cast.duber), maxDistanceMeters: 2000 } } };
    },
    stranger: 404,
  },
  readDelivery: aStep(2, 404),
  'accept-delivery': {
    // Any Duber may take a pending one: the first to come is the rightful one, the stranger is the one who comes later.
    prepare: async (stage) => {
      const { id, duber } = await aDelivery(stage, 0);
      return { input: { params: { id } }, as: { Duber: duber } };
    },
    stranger: 409,
  },
  'way-to-pickup': aStep(1, 404),
  collected: aStep(2, 404),
  'way-to-drop': aStep(3, 404),
  delivered: aStep(4, 404),
  readPosition: aStep(2, 404),
  sharePosition: {
    prepare: async (stage) => {
      const { id, duber } = await aDelivery(stage, 2);
      return { input: { params: { id }, body: { latitude: 24.00123, longitude: 67.00345 } }, as: { Duber: duber } };
    },
    stranger: 404,
  },
  forgetPosition: aStep(2, 404),
  reviewToDuber: {
    prepare: async (stage) => {
      const { id, duber } = await aDelivery(stage, 5);
      return { input: { params: { id }, body: { ...WORDS, duberId: duber.user.id } } };
    },
    stranger: 404,
  },
  earnings: own(),
  earningLines: own(),
  notifications: own(),
  chooseNotifications: {
    prepare: async () => ({
      input: {},
      perRole: (role) => ({ body: { kind: role === 'Duber' ? 'payout' : 'expired', push: false } }),
    }),
    stranger: 'own',
  },
  subscribePush: {
    prepare: async () => ({
      input: {},
      perRole: (role) => ({ body: subscriptionAt(`https://push.example.org/send/${role}`) }),
    }),
    stranger: 'own',
  },
  unsubscribePush: {
    prepare: async ({ cast }) => {
      const ids = new Map<Role, string>();
      for (const role of ROLES) {
        const body = subscriptionAt(`https://push.example.org/send/${role}-to-go`);
        ids.set(role, (await byRole(cast, role).api.subscribePush({ body })).id);
      }
      return { input: {}, perRole: (role) => ({ params: { id: ids.get(role) } }) };
    },
    stranger: 404,
  },
  readUnsubscribe: {
    prepare: async (stage) => ({ input: { query: { token: await leaveToken(stage) } } }),
    stranger: 'nobody',
  },
  unsubscribe: {
    prepare: async (stage) => ({ input: { body: { token: await leaveToken(stage), mail: true } } }),
    stranger: 'nobody',
  },
  budDashboard: own(),
  scrubDashboard: own(),
  duberDashboard: own(),
} satisfies Record<CallName, Rightful>;

export function byRole(cast: Cast, role: Role): Someone {
  return { Bud: cast.bud, Scrub: cast.scrub, Duber: cast.duber }[role];
}
