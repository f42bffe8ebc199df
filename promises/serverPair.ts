import type { Client } from '../contract/client.ts';
import type { Role } from '../domain/accounts.ts';
import { joinAs, newDatabase, newestMail, type Someone } from '../testing/testServer.ts';
import { type Env, launchServer, launchStandIns, type Server, type StandIns } from './processes.ts';

export type Person = NonNullable<Parameters<typeof joinAs>[3]>;

/** Two processes of the product on one PostgreSQL, and the stand-ins that they share. */
export type Pair = {
  readonly databaseUrl: string;
  readonly standIns: StandIns;
  readonly first: Server;
  readonly second: Server;
  /** What both were started with. */
  readonly env: Env;
  /** Signs somebody new up over HTTP. */
  join(role: Role, person?: Person): Promise<Someone>;
  /** The same person as they call the other process. */
  atSecond(someone: Someone): Someone;
  close(): Promise<void>;
};

/** Opens a pair on a new database of the test run's PostgreSQL, or on the given one. */
export async function openPair(given: { databaseUrl?: string; env?: Env } = {}): Promise<Pair> {
  const databaseUrl = given.databaseUrl ?? (await newDatabase());
  const standIns = await launchStandIns();
  const env = { DATABASE_URL: databaseUrl, ...standIns.env, ...given.env };
  const [first, second] = await Promise.all([launchServer(env), launchServer(env)]);
  return {
    databaseUrl,
    standIns,
    first,
    second,
    env,
    join: (role, person) => joinAt(first, standIns.url, role, person),
    atSecond: (someone) => ({ ...someone, api: second.api(someone.token) }),
    close: async () => {
      await Promise.all([first.end(), second.end()]);
      await standIns.close();
    },
  };
}

/** Signs somebody new up at a server whose mail lies in the inbox at `sandboxUrl`. */
export function joinAt(server: Server, sandboxUrl: string, role: Role, person: Person = {}): Promise<Someone> {
  const api: (token?: string) => Client = server.api;
  const mailTo = (email: string, subject?: string) => newestMail(sandboxUrl, email, subject);
  return joinAs(api, mailTo, role, person);
}
