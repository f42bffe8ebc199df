import type { Caller } from '../../domain/accounts.ts';
import type { EnteredPin } from './pins.ts';
import type { HandoverReport } from './recordHandover.ts';

export type DuberCaller = Extract<Caller, { role: 'Duber' }>;

/** What a Duber's step says of the hand-over that it makes, the photos that belong to it, and the right PIN that it uses. */
export type StepHandover = HandoverReport & {
  readonly fileIds: readonly string[];
  readonly pin?: EnteredPin | undefined;
};
