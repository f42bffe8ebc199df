import { CallFailed, Unreachable } from '../contract/client.ts';

/** A case that cannot be judged, because the machine was too busy to answer in time. */
class Overloaded extends Error {
  override name = 'Refused';
}

export const isOverloaded = (error: unknown) =>
  error instanceof Overloaded || (error instanceof CallFailed && error.statusCode === 503);

/** Throws what isRefused knows when one of the outcomes is a 503. */
export function throwIfOverloaded(outcomes: readonly { readonly status: number }[]): void {
  if (outcomes.some(({ status }) => status === 503)) throw new Overloaded('refused with 503');
}

/** How a call ended: its status, or 0 when no answer came. */
export type CallOutcome<T> = {
  readonly status: number;
  readonly message: string;
  readonly answer: T | undefined;
  readonly retryAfter?: number | undefined;
  readonly ms: number;
};

/** What came of a call. 200 stands for every success; a call that gave no answer at all has status 0. */
export async function captureOutcome<T>(call: () => Promise<T>): Promise<CallOutcome<T>> {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    return { status: 200, message: '', answer: await call(), ms: ms() };
  } catch (error) {
    if (error instanceof CallFailed) {
      const { statusCode: status, message, retryAfter } = error;
      return { status, message, answer: undefined, retryAfter, ms: ms() };
    }
    if (error instanceof Unreachable) return { status: 0, message: String(error.cause), answer: undefined, ms: ms() };
    throw error;
  }
}
