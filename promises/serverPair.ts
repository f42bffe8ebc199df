import type { Role } from '../domain/accounts.ts';
import { queryAt } from '../testing/databaseConnection.ts';
import { createTestDatabase, createTestUser, type TestUser, waitForMail } from '../testing/testServer.ts';
import { type Env, launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';

export type TestUserOptions = NonNullable<Parameters<typeof createTestUser>[3]>;

/** Two processes of the product that share one PostgreSQL database and the stand-ins. */
export type ServerPair = {
  readonly databaseUrl: string;
  readonly standIns: StandIns;
  readonly first: ServerProcess;
  readonly second: ServerProcess;
  /** The variables that both were started with. */
  readonly env: Env;
  /** Signs up a new user over HTTP. */
  createUser(role: Role, options?: TestUserOptions): Promise<TestUser>;
  /** The same user, calling the second process. */
  atSecond(user: TestUser): TestUser;
  close(): Promise<void>;
};

/** Opens a pair on a new database of the test run's PostgreSQL, or on the given database. */
export async function openServerPair(options: { databaseUrl?: string; env?: Env } = {}): Promise<ServerPair> {
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase());
  const standIns = await launchStandIns();
  const env = { DATABASE_URL: databaseUrl, ...standIns.env, ...options.env };
  const [first, second] = await Promise.all([launchServer(env), launchServer(env)]);
  await forgetPlacements(databaseUrl);
  return {
    databaseUrl,
    standIns,
    first,
    second,
    env,
    createUser: (role, userOptions) => createTestUserAt(first, standIns.url, role, userOptions),
    atSecond: (user) => ({ ...user, api: second.api(user.token) }),
    close: async () => {
      await Promise.all([first.end(), second.end()]);
      await standIns.close();
    },
  };
}

/** The people of these suites place and cancel more orders than any person: none of them count. */
export async function forgetPlacements(databaseUrl: string): Promise<void> {
  await queryAt(
    databaseUrl,
    `create function forget_placement() returns trigger language plpgsql as
      $$ begin if new.kind in ('placements', 'cancellations') then new.count := 0; end if; return new; end $$;
    create trigger forget_placement before insert or update on rate_limits
      for each row execute function forget_placement()`,
  );
}

/** Signs up a new user at a server that sends its mail to the stand-ins at `sandboxUrl`. */
export function createTestUserAt(
  server: ServerProcess,
  sandboxUrl: string,
  role: Role,
  options: TestUserOptions = {},
): Promise<TestUser> {
  const waitForMailTo = (email: string, subject?: string) => waitForMail(sandboxUrl, email, subject);
  return createTestUser(server.api, waitForMailTo, role, options);
}
