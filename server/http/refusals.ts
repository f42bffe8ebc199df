import { FAILURES, type Failure, type ValidationError } from '../../contract/failures.ts';

type RefusalDetails = { message?: string; validationErrors?: readonly ValidationError[]; retryAfter?: number };

/** A deliberate failure, one of those in the contract's table. Any other error is a bug. */
export class Refusal extends Error {
  readonly failure: Failure;
  readonly validationErrors: readonly ValidationError[] | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(failure: Failure, details: RefusalDetails = {}) {
    super(details.message ?? FAILURES[failure][1]);
    this.name = 'Refusal';
    this.failure = failure;
    this.validationErrors = details.validationErrors;
    this.retryAfter = details.retryAfter;
  }
}

/** Fails a call with one of the contract's failures. `message` replaces its text; `retryAfter` is in seconds. */
export function refuse(failure: Failure, details: RefusalDetails = {}): never {
  throw new Refusal(failure, details);
}

/** Fails a call with 400 because of one property. */
export function refuseProperty(property: string, constraint: string, message: string): never {
  throw new Refusal('invalid', { validationErrors: [{ property, constraints: { [constraint]: message } }] });
}

/** Returns the value, or fails with 404. The answer is the same for what does not exist and what belongs to others. */
export function orNotFound<T>(value: T | undefined | null): T {
  return value ?? refuse('notFound');
}
