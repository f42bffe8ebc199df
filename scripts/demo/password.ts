import { randomBytes } from 'node:crypto';
import type { Server } from '../../server/main.ts';
import { ALL_DEMO_PEOPLE, DEMO_COLLEAGUE, DEMO_OPERATOR, DEMO_PASSWORD } from './people.ts';
import { readSeed, writeSeed } from './seedState.ts';

/** A random password that keeps the rules of the sign-up form. */
export function createDemoPassword(): string {
  return `Demo-1${randomBytes(9).toString('hex')}`;
}

/**
 * The password of the demo people. Everybody can read the usual one in this repository, so it is for a server that only
 * this machine can reach. On others, the demo people who still have it get a random one before the server listens.
 */
export async function prepareDemoPassword(server: Server, dataDir: string, isLocal: boolean): Promise<string> {
  const seed = readSeed(dataDir);
  const { password: recorded = DEMO_PASSWORD } = seed;
  if (isLocal) return recorded;
  const password = recorded === DEMO_PASSWORD ? createDemoPassword() : recorded;
  const emails = ALL_DEMO_PEOPLE.map(({ email }) => email);
  const exposed = await server.listAccountsWithPassword(emails, DEMO_PASSWORD);
  if (exposed.length === 0) return password;
  // Recorded first: after a crash in between, the next start replaces the rest with the same one.
  writeSeed(dataDir, { ...seed, password });
  await server.replacePasswords(exposed, password);
  return password;
}

/**
 * The two operators of a demo that was begun: added where an earlier release did not, and with the password of the demo
 * people. Called before the server listens, so that nobody signs in with a password that everybody knows.
 */
export async function prepareDemoOperators(server: Server, dataDir: string, password: string): Promise<void> {
  // Also where another data directory has begun the demo: an operator who exists always gets the password.
  const onlyIfThere = readSeed(dataDir).state === 'none';
  for (const operator of [DEMO_OPERATOR, DEMO_COLLEAGUE])
    await server.addDemoOperator({ ...operator, password, onlyIfThere });
}
