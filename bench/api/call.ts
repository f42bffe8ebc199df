import type { Tx } from '../../server/db/database.ts';
import type { BenchRequest } from './load.ts';

/** Who asks (`n` is their number in the made-up world, `caller` their id), and what about. */
export type Sample = {
  readonly n: string;
  readonly caller: string;
  readonly a: string;
  readonly b: string;
  /** In a mixture: the call that this sample is of. */
  readonly call?: MeasuredCall;
};

/** One row of the table. */
export type MeasuredCall = {
  readonly name: string;
  readonly status: number;
  readonly samples: readonly Sample[];
  readonly toRequest: (sample: Sample) => Omit<BenchRequest, 'token' | 'status'>;
  /** The call's own statements, as the product sends them; a mixture has none. */
  readonly sql?: (tx: Tx) => Promise<unknown>;
  /** Each sample may be used only once before `reset`. */
  readonly singleUse?: boolean;
  /** Puts back what the requests changed. */
  readonly reset?: readonly string[];
  /** Asked by one client, each time it has its answer: how long it takes when nobody else is before it. */
  readonly singleClient?: boolean;
  /** Whether each request asks the card network, whose time is not ours. */
  readonly usesCardNetwork?: boolean;
  /** At least this share of pgbench's rate is what we want. */
  readonly reach?: number;
};

export const tokenOf = ({ n }: Sample) => `bench-${n}`;
export type QuerySamples = (text: string) => Promise<Sample[]>;
export const SAMPLES = 2_000;
