import { type CallOptions, Unreachable } from '../../contract/callClient.ts';

/** Sends a request, and aborts it when it takes longer than `ms`: then it has failed as if there were no network. */
export async function limitTime<T>(ms: number, send: (options: CallOptions) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  try {
    return await send({ signal });
  } catch (error) {
    throw signal.aborted ? new Unreachable(error) : error;
  }
}
