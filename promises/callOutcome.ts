import { CallFailed, Unreachable } from '../contract/callClient.ts';

/** The result of a test case is unknown because the machine was too busy to answer in time. */
class Overloaded extends Error {
  override name = 'Overloaded';
}

export const isOverloaded = (error: unknown) =>
  error instanceof Overloaded || (error instanceof CallFailed && error.statusCode === 503);

/** Throws an error that isOverloaded recognizes when one of the outcomes is a 503. */
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

/** Makes a call and returns its outcome, with status 200 for every success. */
export async function captureOutcome<T>(call: () => Promise<T>): Promise<CallOutcome<T>> {
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
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
