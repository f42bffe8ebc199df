import type { DemoAccount } from '../../contract/payments.ts';
import { ROLES } from '../../domain/accounts.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE, primaryAccountOf } from './people.ts';
import { readSeed } from './seedState.ts';

/** The addresses of all demo people, once the demo is complete. */
export function listDemoEmails(dataDir: string): string[] {
  return readSeed(dataDir).state === 'done' ? DEMO_PEOPLE.map(({ email }) => email) : [];
}

/**
 * The demo people that the app offers to sign in as, once the demo is complete. Only for a server that nobody but this
 * machine reaches. A password that was made for other servers is a secret, so there are none with that one.
 */
export function listOpenAccounts(dataDir: string): DemoAccount[] {
  const { state, password = DEMO_PASSWORD } = readSeed(dataDir);
  if (state !== 'done' || password !== DEMO_PASSWORD) return [];
  return ROLES.flatMap((role) => {
    const email = primaryAccountOf(role)?.email;
    return email === undefined ? [] : [{ role, email, password }];
  });
}
