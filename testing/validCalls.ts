import type { CallName } from '../contract/api.ts';
import { ROLES, type Role } from '../domain/accounts.ts';
import type { OrderStatus } from '../domain/orders.ts';
import { createPushKeys } from '../sandbox/push/decrypt.ts';
import { CASE_CALLS } from './caseCalls.ts';
import { CREDENTIAL_CALLS } from './credentialCalls.ts';
import { createDelivery, DELIVERY_EXCEPTION_CALLS } from './deliveryExceptionCalls.ts';
import { DOCUMENT_CALLS } from './documentCalls.ts';
import { HANDOVER_CALLS } from './handoverCalls.ts';
import { createOrderInStatus, firstAddressId, orderBody, REVIEW } from './orderSteps.ts';
import { asBlob, SMALL_PHOTO } from './photos.ts';
import { createPromo } from './promos.ts';
import { SAVED_CARD_CALLS } from './savedCards.ts';
import { PASSWORD, pointAt, type TestServer, type TestUser } from './testServer.ts';
import { ownDataCall, participantWithRole, type Scenario, type ValidCall } from './validCall.ts';
import { WEEK_CALLS } from './weekCalls.ts';
import { WEIGHING_CALLS } from './weighingCalls.ts';
import { WINDOW_CALLS } from './windowCalls.ts';

const orderCall = (status: OrderStatus, body?: Record<string, unknown>): ValidCall => ({
  prepare: async ({ participants }) => {
    const { id } = await createOrderInStatus(participants, status);
    return { input: { params: { id }, ...(body ? { body } : {}) } };
  },
  strangerResult: 404,
});

const deliveryStepCall = (steps: number, strangerResult: 404 | 409): ValidCall => ({
  prepare: async (scenario) => {
    const { id, duber } = await createDelivery(scenario, steps);
    return { input: { params: { id } }, callers: { Duber: duber } };
  },
  strangerResult,
});

/** A push subscription as a browser creates it. */
function createPushSubscription(endpoint: string) {
  const { p256dh, auth } = createPushKeys();
  return { endpoint, keys: { p256dh, auth }, agent: 'Chrome on Android' };
}

const addressBody = (label: string) => ({ label, address: '7 Otter Lane, Soapwick', ...pointAt(10, 10) });

async function requestOtp(testServer: TestServer, email: string): Promise<string> {
  await testServer.api().sendOtpForEmail({ body: { email } });
  return /\d{6}/.exec((await testServer.waitForMail(email)).text)?.[0] ?? '';
}

/** The token in the unsubscribe link of a receipt. */
async function requestUnsubscribeToken({ testServer, participants }: Scenario): Promise<string> {
  await createOrderInStatus(participants, 'Requested');
  const { text } = await testServer.waitForMail(participants.bud.user.email, 'is placed');
  return /unsubscribe\?token=(\S+)/.exec(text)?.[1] ?? '';
}

// Every call of the contract; the compiler reports missing ones.
export const VALID_CALLS = {
  readConfig: { prepare: async () => ({ input: {} }), strangerResult: 'nobody' },
  login: {
    prepare: async ({ participants }) => ({
      input: { body: { email: participants.bud.user.email, password: PASSWORD } },
    }),
    strangerResult: 'nobody',
  },
  signUp: {
    prepare: async ({ testServer }) => {
      const email = `new-${testServer.now().getTime()}@rubadub.test`;
      const body = { email, emailOtp: await requestOtp(testServer, email), fullname: 'New Bud', password: PASSWORD };
      return { input: { body: { ...body, role: 'Bud', phone: '+12025550123', address: addressBody('Default') } } };
    },
    strangerResult: 'nobody',
  },
  sendOtpForEmail: {
    prepare: async ({ testServer }) => ({
      input: { body: { email: `code-${testServer.now().getTime()}@rubadub.test` } },
    }),
    strangerResult: 'nobody',
  },
  forgotPassword: {
    prepare: async ({ participants }) => ({ input: { body: { email: participants.bud.user.email } } }),
    strangerResult: 'nobody',
  },
  resetPassword: {
    prepare: async ({ testServer }) => {
      const { user } = await testServer.createUser('Bud');
      await testServer.api().forgotPassword({ body: { email: user.email } });
      const [, token] = /token=([\w-]+)/.exec((await testServer.waitForMail(user.email, 'Set a new')).text) ?? [];
      return { input: { body: { token, newPassword: 'Rubadub2!' } } };
    },
    strangerResult: 'nobody',
  },
  session: ownDataCall(),
  logout: {
    prepare: async ({ testServer, participants }) => {
      const withNewToken = async (user: TestUser): Promise<TestUser> => {
        const body = { email: user.user.email, password: PASSWORD };
        return { ...user, token: (await testServer.api().login({ body })).authToken };
      };
      const callers = {
        Bud: await withNewToken(participants.bud),
        Scrub: await withNewToken(participants.scrub),
        Duber: await withNewToken(participants.duber),
      };
      return { input: {}, callers };
    },
    strangerResult: 'nobody',
  },
  profile: ownDataCall(),
  updateProfile: ownDataCall({ body: { fullname: 'A New Name', phone: '+12025550124' } }),
  changeVisibility: ownDataCall({ body: { isActive: true } }),
  ...CREDENTIAL_CALLS,
  ...SAVED_CARD_CALLS,
  ...DOCUMENT_CALLS,
  createAddress: ownDataCall({ body: addressBody('Work') }),
  updateAddress: {
    prepare: async ({ participants }) => ({
      input: {},
      inputFor: (role) => ({
        body: { ...addressBody('Moved'), id: firstAddressId(participantWithRole(participants, role)) },
      }),
    }),
    strangerResult: 404,
  },
  deleteAddress: {
    prepare: async ({ participants }) => {
      const { id } = await participants.bud.api.createAddress({ body: addressBody('Old') });
      return { input: { body: { id } } };
    },
    strangerResult: 404,
  },
  findScrubsNearby: {
    prepare: async ({ participants }) => ({ input: { query: { addressId: firstAddressId(participants.bud) } } }),
    strangerResult: 404,
  },
  listWindows: {
    prepare: async ({ participants }) => ({ input: { query: { budAddressId: firstAddressId(participants.bud) } } }),
    strangerResult: 404,
  },
  listOrders: ownDataCall({ query: { sumFields: 'price,scrubEarning', pageSize: 2 } }),
  placeOrder: {
    prepare: async ({ participants }) => ({ input: { body: orderBody(participants) } }),
    strangerResult: 404,
  },
  calculatePrice: ownDataCall({ body: { loadSize: 'Large', selfDelivery: false, selfPickup: true } }),
  checkPromo: {
    prepare: async ({ testServer }) => {
      const { code } = await createPromo(testServer, { kind: 'amount', value: 500 });
      return { input: { body: { code, loadSize: 'Medium', selfDelivery: false, selfPickup: false } } };
    },
    strangerResult: 'own',
  },
  totalSpending: ownDataCall(),
  readOrder: orderCall('Completed'),
  readReceipt: orderCall('Completed'),
  'cancel-order': orderCall('Requested'),
  'accept-order': orderCall('Requested'),
  'reject-order': orderCall('Requested'),
  'start-order': orderCall('Accepted'),
  'complete-order': orderCall('In_Progress'),
  readCancellation: orderCall('Accepted'),
  'cancel-accepted': orderCall('Accepted', { reason: 'changed-mind' }),
  'give-back': orderCall('Accepted', { reason: 'ill' }),
  'choose-scrub': {
    prepare: async ({ testServer, participants }) => {
      const { id } = await createOrderInStatus(participants, 'Accepted');
      await participants.scrub.api['give-back']({ params: { id }, body: { reason: 'ill' } });
      const { user } = await testServer.createUser('Scrub', { north: 600 });
      return { input: { params: { id }, body: { scrubId: user.id } } };
    },
    strangerResult: 404,
  },
  reviewToScrub: {
    prepare: async ({ participants }) => {
      const { id } = await createOrderInStatus(participants, 'Completed');
      return { input: { params: { id }, body: { ...REVIEW, scrubId: participants.scrub.user.id } } };
    },
    strangerResult: 404,
  },
  reviewToBud: {
    prepare: async ({ participants }) => {
      const { id } = await createOrderInStatus(participants, 'Completed');
      return { input: { params: { id }, body: { ...REVIEW, budId: participants.bud.user.id } } };
    },
    strangerResult: 404,
  },
  listDeliveries: ownDataCall({ query: { sumFields: 'price,distanceInMeters', pageSize: 2 } }),
  findDeliveriesNearby: {
    prepare: async (scenario) => {
      await createDelivery(scenario, 0);
      return { input: { query: { addressId: firstAddressId(scenario.participants.duber), maxDistanceMeters: 2000 } } };
    },
    strangerResult: 404,
  },
  readDelivery: deliveryStepCall(2, 404),
  'accept-delivery': {
    // Any Duber may accept a pending delivery; the stranger comes second and is refused.
    prepare: async (scenario) => {
      const { id, duber } = await createDelivery(scenario, 0);
      return { input: { params: { id } }, callers: { Duber: duber } };
    },
    strangerResult: 409,
  },
  'way-to-pickup': deliveryStepCall(1, 404),
  collected: deliveryStepCall(2, 404),
  'way-to-drop': deliveryStepCall(3, 404),
  delivered: deliveryStepCall(4, 404),
  ...DELIVERY_EXCEPTION_CALLS,
  ...HANDOVER_CALLS,
  ...WEIGHING_CALLS,
  ...WEEK_CALLS,
  ...WINDOW_CALLS,
  readPosition: deliveryStepCall(2, 404),
  sharePosition: {
    prepare: async (scenario) => {
      const { id, duber } = await createDelivery(scenario, 2);
      return {
        input: { params: { id }, body: { latitude: 24.00123, longitude: 67.00345 } },
        callers: { Duber: duber },
      };
    },
    strangerResult: 404,
  },
  forgetPosition: deliveryStepCall(2, 404),
  readRoute: deliveryStepCall(2, 404),
  reviewToDuber: {
    prepare: async (scenario) => {
      const { id, duber } = await createDelivery(scenario, 5);
      return { input: { params: { id }, body: { ...REVIEW, duberId: duber.user.id } } };
    },
    strangerResult: 404,
  },
  ...CASE_CALLS,
  createFile: ownDataCall({ photo: asBlob(SMALL_PHOTO) }),
  readFile: {
    prepare: async ({ participants }) => {
      const ids = new Map<Role, string>();
      for (const role of ROLES) {
        const { id } = await participantWithRole(participants, role).api.createFile({ photo: asBlob(SMALL_PHOTO) });
        ids.set(role, id);
      }
      return { input: {}, inputFor: (role) => ({ params: { id: ids.get(role) } }) };
    },
    strangerResult: 404,
  },
  earnings: ownDataCall(),
  readWorkRecord: ownDataCall(),
  readRecordIssuer: { prepare: async () => ({ input: {} }), strangerResult: 'nobody' },
  readPayoutAccount: ownDataCall(),
  changePayoutAccount: ownDataCall({
    body: { password: PASSWORD, account: { method: 'iban', holder: 'Sid Soap', iban: 'DE89370400440532013000' } },
  }),
  readTaxId: ownDataCall(),
  changeTaxId: ownDataCall({
    body: { password: PASSWORD, taxId: { kind: 'ssn', name: 'Sid Soap', number: '536-22-1234' } },
  }),
  earningLines: ownDataCall(),
  workFigures: ownDataCall(),
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
    prepare: async ({ participants }) => {
      const ids = new Map<Role, string>();
      for (const role of ROLES) {
        const body = createPushSubscription(`https://push.example.org/send/${role}-to-delete`);
        ids.set(role, (await participantWithRole(participants, role).api.subscribePush({ body })).id);
      }
      return { input: {}, inputFor: (role) => ({ params: { id: ids.get(role) } }) };
    },
    strangerResult: 404,
  },
  readUnsubscribe: {
    prepare: async (scenario) => ({ input: { query: { token: await requestUnsubscribeToken(scenario) } } }),
    strangerResult: 'nobody',
  },
  unsubscribe: {
    prepare: async (scenario) => ({ input: { body: { token: await requestUnsubscribeToken(scenario), mail: true } } }),
    strangerResult: 'nobody',
  },
  budDashboard: ownDataCall(),
  scrubDashboard: ownDataCall(),
  duberDashboard: ownDataCall(),
} satisfies Record<CallName, ValidCall>;
