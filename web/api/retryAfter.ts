import { CallFailed } from '../../contract/callClient.ts';
import { readToken } from './client.ts';

/** A failure that says when to try again, and whose: the limits are those of a person. */
type Pause = { readonly until: number; readonly session: string | undefined; readonly failure: CallFailed };

const pauses = new Map<string, Pause>();

/**
 * Sends something that is tried again and again. Until the time that the server has named in Retry-After it fails as it did
 * then, without a request. `name` says what belongs together.
 */
export async function sendUnlessPaused<T>(name: string, send: () => Promise<T>): Promise<T> {
  const session = readToken();
  const pause = pauses.get(name);
  if (pause && pause.session === session && Date.now() < pause.until) throw pause.failure;
  pauses.delete(name);
  try {
    return await send();
  } catch (failure) {
    if (failure instanceof CallFailed && failure.retryAfter !== undefined)
      pauses.set(name, { until: Date.now() + failure.retryAfter * 1_000, session, failure });
    throw failure;
  }
}
