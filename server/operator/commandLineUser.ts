import { AsyncLocalStorage } from 'node:async_hooks';

/** Whom a command names, by e-mail address. */
export const AS_HEADER = 'rubadub-as';
/** Who typed it: the name of a user of the machine. */
export const USER_HEADER = 'rubadub-user';

const users = new AsyncLocalStorage<string>();

/** Runs `work` for a command. What it writes into the audit says so, with the name of the user of the machine. */
export const runForCommandLine = <T>(user: string, work: () => T): T => users.run(user, work);

/** What the audit says besides the details of an act: how it was done, unless it was done in the console. */
export function describeOrigin(): { via: 'command line'; user: string } | Record<string, never> {
  const user = users.getStore();
  return user === undefined ? {} : { via: 'command line', user };
}
