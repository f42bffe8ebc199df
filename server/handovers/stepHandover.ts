import type { Caller } from '../../domain/accounts.ts';
import type { HandoverReport } from './recordHandover.ts';

export type DuberCaller = Extract<Caller, { role: 'Duber' }>;

/** What a Duber's step says of the hand-over that it makes, and the photos that belong to it. */
export type StepHandover = HandoverReport & { readonly fileIds: readonly string[] };
