import { CallFailed } from '../../contract/callClient.ts';
import { RefusedHere } from '../ui/errorMessage.ts';

const DONE_BEFORE =
  'It was done the first time you pressed: only the answer was lost. What you have changed since was not sent. Close this to see what was done, or press again to do this too.';

/** Whether a failure says that an earlier press was done. */
export const isDoneBefore = (error: unknown): boolean => error instanceof RefusedHere && error.code === 'keyReused';

/**
 * Sends what a dialog asks for, under one Idempotency-Key until the server has answered: a lost answer does not cause a second
 * act, even if the form has changed since. When the server has done the first one, the next press is another act.
 */
export function createActKey() {
  let key = crypto.randomUUID();
  return async <T>(run: (idempotencyKey: string) => Promise<T>): Promise<T> => {
    try {
      return await run(key);
    } catch (error) {
      if (!(error instanceof CallFailed) || error.code !== 'keyReused') throw error;
      key = crypto.randomUUID();
      throw new RefusedHere(DONE_BEFORE, error.code);
    }
  };
}
