import { ZodError } from 'zod';
import { CardNetworkUnavailableError } from './cards.ts';
import { type SquareClient, SquareRefusalError, type SquareWait } from './squareClient.ts';

export type SquareContext = { readonly square: SquareClient; readonly holdWait: SquareWait; readonly wait: SquareWait };

/** Runs calls behind the circuit breaker. */
export type RunSquare = <T>(call: (context: SquareContext) => Promise<T>) => Promise<T>;

/** An answer that does not say whether the call took effect. */
export class UnclearAnswerError extends Error {}

export const refused = (reason: string) => ({ kind: 'refused' as const, reason });

/** Why the card network refused the call, or undefined when it succeeded. Throws CardNetworkUnavailableError. */
export async function findRefusal(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return wordsOf(parseRefusal(error));
  }
}

/** A refusal in the words of the card network, for operators. */
export const wordsOf = ({ statusCode, code, detail }: SquareRefusalError): string =>
  `${statusCode} ${code} ${detail}`.trim();

/** For calls that Square has no reason to refuse. Throws CardNetworkUnavailableError, or the refusal. */
export function refuseUnclear(error: unknown): never {
  throw parseRefusal(error);
}

/** The refusal, if the error is a clear one. Throws CardNetworkUnavailableError for any other error. */
export function parseRefusal(error: unknown): SquareRefusalError {
  if (error instanceof CardNetworkUnavailableError) throw error;
  // 401 and 403 are about our access token: the operator fixes it and the retries continue. 409 means that another try
  // is in progress.
  const isClear =
    error instanceof SquareRefusalError &&
    error.statusCode >= 400 &&
    error.statusCode < 500 &&
    ![401, 403, 408, 409, 429].includes(error.statusCode);
  if (!isClear) throw new CardNetworkUnavailableError(error);
  return error;
}

/** Whether an error is about what the card network answered, as opposed to no answer. */
export const isAnswer = (error: unknown) =>
  [SquareRefusalError, UnclearAnswerError, SyntaxError, ZodError].some((kind) => error instanceof kind);
