import { AsyncLocalStorage } from 'node:async_hooks';

/** The operator that a command names, by e-mail address. */
export const AS_HEADER = 'rubadub-as';
/** The user of the machine who typed it. */
export const USER_HEADER = 'rubadub-user';

const users = new AsyncLocalStorage<string>();

/** Runs `work` for a command. Rows that it writes into the audit record that, with the name of the user of the machine. */
export const runForCommandLine = <T>(user: string, work: () => T): T => users.run(user, work);

/** How an act was done, for its details in the audit; empty in the console. */
export function describeOrigin(): { via: 'command line'; user: string } | Record<string, never> {
  const user = users.getStore();
  return user === undefined ? {} : { via: 'command line', user };
}
