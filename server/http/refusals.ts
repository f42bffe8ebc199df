import { FAILURES, type Failure, type ValidationError } from '../../contract/failures.ts';

type RefusalDetails = { message?: string; validationErrors?: readonly ValidationError[]; retryAfter?: number };

/** The server's one error class: a failure of the contract's table, on purpose. Anything else thrown is a bug. */
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

/** Ends a call with a failure of the contract's table. `message` replaces the table's words, `retryAfter` is in seconds. */
export function refuse(failure: Failure, details: RefusalDetails = {}): never {
  throw new Refusal(failure, details);
}

/** Ends a call with one bad property. */
export function refuseProperty(property: string, constraint: string, message: string): never {
  throw new Refusal('invalid', { validationErrors: [{ property, constraints: { [constraint]: message } }] });
}

/** The value, or a 404: there is none, or it is not theirs, and nobody learns which. */
export function orNotFound<T>(value: T | undefined | null): T {
  return value ?? refuse('notFound');
}
