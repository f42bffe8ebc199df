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
  /** The context of one of the running servers. A killed server is replaced first. */
  readonly context: () => Context;
};

/** A call's result, or undefined when it is refused or its server is killed. */
export async function tryCall<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const isExpected =
      error instanceof ServerKilledError ||
      error instanceof Refusal ||
      /terminated|Connection|been destroyed/.test(String(error));
    if (isExpected) return undefined;
    throw error;
  }
}
