import type { Tx } from '../../server/db/database.ts';
import type { BenchRequest } from './load.ts';

/** The input of one request: the caller's number in the test data and their id, and up to two other ids. */
export type Sample = {
  readonly n: string;
  readonly caller: string;
  readonly a: string;
  readonly b: string;
  /** Only in a mix of calls: the call that this sample belongs to. */
  readonly call?: MeasuredCall;
};

/** One row of the table. */
export type MeasuredCall = {
  readonly name: string;
  readonly status: number;
  readonly samples: readonly Sample[];
  readonly toRequest: (sample: Sample) => Omit<BenchRequest, 'token' | 'status'>;
  /** The statements that the product sends for this call. A mix has none. */
  readonly sql?: (tx: Tx) => Promise<unknown>;
  /** Each sample may be used only once before `reset`. */
  readonly singleUse?: boolean;
  /** Statements that undo what the requests changed. */
  readonly reset?: readonly string[];
  /** Sent by one client, one request at a time: measures the latency without queueing. */
  readonly singleClient?: boolean;
  /** Whether each request calls the card network, whose time must be subtracted. */
  readonly usesCardNetwork?: boolean;
  /** The target: at least this share of the reference's rate. */
  readonly reach?: number;
};

export const tokenOf = ({ n }: Sample) => `bench-${n}`;
export type QuerySamples = (text: string) => Promise<Sample[]>;
export const SAMPLES = 2_000;
