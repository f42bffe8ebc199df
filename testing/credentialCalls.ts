import { ROLES, type Role } from '../domain/accounts.ts';
import { PASSWORD, type TestServer, type TestUser } from './testServer.ts';
import { ownDataCall, participantWithRole, type ValidCall } from './validCall.ts';
import { waitFor } from './waits.ts';

/** New users of every role, for calls that change how somebody signs in. */
const createUsers = async (testServer: TestServer): Promise<Record<Role, TestUser>> => ({
  Bud: await testServer.createUser('Bud'),
  Scrub: await testServer.createUser('Scrub'),
  Duber: await testServer.createUser('Duber'),
});

/** Has the codes for a change of a user's e-mail address mailed, and returns the request that makes the change. */
export async function requestEmailChange(
  testServer: TestServer,
  { user, api }: TestUser,
  newEmail = `new-${user.email}`,
): Promise<{ newEmail: string; oldCode: string; newCode: string }> {
  await api.sendEmailChangeCodes({ body: { newEmail, password: PASSWORD } });
  const codeIn = async (email: string, subject: string) =>
    /\d{6}/.exec((await testServer.waitForMail(email, subject)).text)?.[0] ?? '';
  const oldCode = await codeIn(user.email, 'to change your email');
  return { newEmail, oldCode, newCode: await codeIn(newEmail, 'for this email address') };
}

/** Has the account of a user erased in two weeks, and signs in again. */
export async function eraseAndSignIn(testServer: TestServer, user: TestUser): Promise<TestUser> {
  await user.api.eraseAccount({ body: { currentPassword: PASSWORD } });
  return signInAgain(testServer, user);
}

/** Another session of a user. */
export async function signInAgain(testServer: TestServer, user: TestUser): Promise<TestUser> {
  const { authToken } = await testServer.api().login({ body: { email: user.user.email, password: PASSWORD } });
  return { ...user, token: authToken, api: testServer.api(authToken) };
}

/** Asks for a copy of the data of a user, and waits until it is made. */
export async function makeCopy({ api }: TestUser): Promise<void> {
  await api.exportPersonalData({ body: { password: PASSWORD } });
  await waitFor(async () => {
    if ((await api.readPersonalData()).copy?.state !== 'ready') throw new Error('the copy is not ready yet');
  });
}

/** The calls of `contract/sessions.ts`, `contract/credentials.ts` and `contract/personalData.ts`. */
export const CREDENTIAL_CALLS = {
  listSessions: ownDataCall(),
  endSession: {
    prepare: async ({ testServer, participants }) => {
      const ids = new Map<Role, string>();
      for (const role of ROLES) {
        const { user, api } = participantWithRole(participants, role);
        await testServer.api().login({ body: { email: user.email, password: PASSWORD } });
        const other = (await api.listSessions()).items.find(({ current }) => !current);
        ids.set(role, other?.id ?? '');
      }
      return { input: {}, inputFor: (role) => ({ params: { id: ids.get(role) } }) };
    },
    strangerResult: 404,
  },
  endOtherSessions: ownDataCall(),
  changePassword: {
    prepare: async ({ testServer }) => ({
      input: { body: { currentPassword: PASSWORD, newPassword: 'Rubadub2!' } },
      callers: await createUsers(testServer),
    }),
    strangerResult: 'nobody',
  },
  sendEmailChangeCodes: ownDataCall({ body: { newEmail: 'moved@rubadub.test', password: PASSWORD } }),
  changeEmail: {
    prepare: async ({ testServer }) => {
      const callers = await createUsers(testServer);
      const bodies = new Map<Role, Record<string, string>>();
      for (const role of ROLES) bodies.set(role, await requestEmailChange(testServer, callers[role]));
      return { input: {}, callers, inputFor: (role) => ({ body: bodies.get(role) ?? {} }) };
    },
    strangerResult: 'nobody',
  },
  readPersonalData: ownDataCall(),
  exportPersonalData: {
    prepare: async ({ testServer }) => ({
      input: { body: { password: PASSWORD } },
      callers: await createUsers(testServer),
    }),
    strangerResult: 'nobody',
  },
  downloadPersonalData: {
    prepare: async ({ testServer }) => {
      const callers = await createUsers(testServer);
      for (const user of Object.values(callers)) await makeCopy(user);
      return { input: {}, callers };
    },
    strangerResult: 'nobody',
  },
  eraseAccount: {
    prepare: async ({ testServer }) => ({
      input: { body: { currentPassword: PASSWORD } },
      callers: await createUsers(testServer),
    }),
    strangerResult: 'nobody',
  },
  keepAccount: {
    prepare: async ({ testServer }) => {
      const users = await createUsers(testServer);
      const signedIn: Partial<Record<Role, TestUser>> = {};
      for (const role of ROLES) signedIn[role] = await eraseAndSignIn(testServer, users[role]);
      return { input: {}, callers: signedIn };
    },
    strangerResult: 'nobody',
  },
} satisfies Record<string, ValidCall>;
