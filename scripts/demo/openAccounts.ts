import type { DemoAccount } from '../../contract/payments.ts';
import { ROLES } from '../../domain/accounts.ts';
import type { DemoPeople } from '../../server/config/config.ts';
import { DEMO_OPERATOR, DEMO_PASSWORD, DEMO_PEOPLE, primaryAccountOf } from './people.ts';
import { readSeed } from './seedState.ts';

/** The demo people, and when the demo was completed. Undefined before that, and for a demo of a release that did not record it. */
export function describePeople(dataDir: string): DemoPeople | undefined {
  const { state, doneAt } = readSeed(dataDir);
  if (state !== 'done' || doneAt === undefined) return undefined;
  return { names: new Map(DEMO_PEOPLE.map(({ email, fullname }) => [email, fullname])), doneAt };
}

/**
 * The demo people that the app offers to sign in as, once the demo is complete. Only for a server that nobody but this
 * machine reaches. A password that was made for other servers is a secret, so there are none with that one.
 */
export function listOpenAccounts(dataDir: string): DemoAccount[] {
  const password = readOpenPassword(dataDir);
  if (password === undefined) return [];
  return ROLES.flatMap((role) => {
    const email = primaryAccountOf(role)?.email;
    return email === undefined ? [] : [{ role, email, password }];
  });
}

/** The operator of the demo, offered where the demo people are. */
export function describeOpenOperator(dataDir: string): { email: string; password: string } | undefined {
  const password = readOpenPassword(dataDir);
  return password === undefined ? undefined : { email: DEMO_OPERATOR.email, password };
}

function readOpenPassword(dataDir: string): string | undefined {
  const { state, password = DEMO_PASSWORD } = readSeed(dataDir);
  return state === 'done' && password === DEMO_PASSWORD ? password : undefined;
}
