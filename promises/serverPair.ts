import type { Client } from '../contract/client.ts';
import type { Role } from '../domain/accounts.ts';
import { createTestDatabase, createTestUser, type TestUser, waitForMail } from '../testing/testServer.ts';
import { type Env, launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';

export type TestUserOptions = NonNullable<Parameters<typeof createTestUser>[3]>;

/** Two processes of the product on one PostgreSQL, and the stand-ins that they share. */
export type ServerPair = {
  readonly databaseUrl: string;
  readonly standIns: StandIns;
  readonly first: ServerProcess;
  readonly second: ServerProcess;
  /** What both were started with. */
  readonly env: Env;
  /** Signs somebody new up over HTTP. */
  createUser(role: Role, person?: TestUserOptions): Promise<TestUser>;
  /** The same person as they call the other process. */
  atSecond(someone: TestUser): TestUser;
  close(): Promise<void>;
};

/** Opens a pair on a new database of the test run's PostgreSQL, or on the given one. */
export async function openServerPair(given: { databaseUrl?: string; env?: Env } = {}): Promise<ServerPair> {
  const databaseUrl = given.databaseUrl ?? (await createTestDatabase());
  const standIns = await launchStandIns();
  const env = { DATABASE_URL: databaseUrl, ...standIns.env, ...given.env };
  const [first, second] = await Promise.all([launchServer(env), launchServer(env)]);
  return {
    databaseUrl,
    standIns,
    first,
    second,
    env,
    createUser: (role, person) => createTestUserAt(first, standIns.url, role, person),
    atSecond: (someone) => ({ ...someone, api: second.api(someone.token) }),
    close: async () => {
      await Promise.all([first.end(), second.end()]);
      await standIns.close();
    },
  };
}

/** Signs somebody new up at a server whose mail lies in the inbox at `sandboxUrl`. */
export function createTestUserAt(
  server: ServerProcess,
  sandboxUrl: string,
  role: Role,
  person: TestUserOptions = {},
): Promise<TestUser> {
  const api: (token?: string) => Client = server.api;
  const mailTo = (email: string, subject?: string) => waitForMail(sandboxUrl, email, subject);
  return createTestUser(api, mailTo, role, person);
}
