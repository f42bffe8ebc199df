import type { Context } from '../../server/context.ts';
import { Refusal } from '../../server/http/refusals.ts';
import type { Random } from '../random.ts';
import { ServerKilledError } from './killableServer.ts';
import type { Users } from './users.ts';

export type Simulation = {
  readonly random: Random;
  readonly users: Users;
  readonly now: () => Date;
  readonly promoCodes: readonly string[];
  /** Whether the orders that are placed now are weighed. */
  readonly isWeighing: () => boolean;
  readonly advanceClock: (ms: number) => void;
  /** Lets the time of a wait at a door pass. False soon after another one: a late request must arrive within its minutes. */
  readonly waitAtDoor: () => boolean;
  /** The context of one of the running servers. A killed server is replaced first. */
  readonly context: () => Context;
};

/** The server was killed under a call, or the connection to it broke. */
const isGone = (error: unknown) =>
  error instanceof ServerKilledError || /terminated|Connection|been destroyed/.test(String(error));

/** A call's result, or undefined when it is refused or its server is killed. */
export async function tryCall<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isGone(error) || error instanceof Refusal) return undefined;
    throw error;
  }
}

const MAX_TRIES = 4;

/** A call's result. Its person tries again when the server is killed. Undefined when it is refused. */
export async function tryAgain<T>(call: () => Promise<T>): Promise<T | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof Refusal || (isGone(error) && tries === MAX_TRIES)) return undefined;
      if (!isGone(error)) throw error;
    }
  }
}
