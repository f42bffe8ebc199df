import { FAILURES, type Failure, type Fault } from '../../contract/failures.ts';

type Details = { message?: string; faults?: readonly Fault[]; retryAfter?: number };

/** The server's one error class: a failure of the contract's table, on purpose. Anything else thrown is a bug. */
export class Refusal extends Error {
  readonly failure: Failure;
  readonly faults: readonly Fault[] | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(failure: Failure, details: Details = {}) {
    super(details.message ?? FAILURES[failure][1]);
    this.name = 'Refusal';
    this.failure = failure;
    this.faults = details.faults;
    this.retryAfter = details.retryAfter;
  }
}

/** Ends a call with a failure of the contract's table. `message` replaces the table's words, `retryAfter` is in seconds. */
export function refuse(failure: Failure, details: Details = {}): never {
  throw new Refusal(failure, details);
}

/** Ends a call with one bad property. */
export function refuseProperty(property: string, constraint: string, message: string): never {
  throw new Refusal('invalid', { faults: [{ property, constraints: { [constraint]: message } }] });
}

/** The value, or a 404: there is none, or it is not theirs, and nobody learns which. */
export function found<T>(value: T | undefined | null): T {
  return value ?? refuse('notFound');
}
