import { ACCESS_MUTANTS } from './access.ts';
import { BOOKING_MUTANTS } from './bookings.ts';
import { CARD_MONEY_MUTANTS } from './cardMoney.ts';
import { EARNING_MUTANTS } from './earnings.ts';
import { FLEET_MUTANTS } from './fleet.ts';
import { HANDOVER_MUTANTS } from './handovers.ts';
import { HOSTILE_INPUT_MUTANTS } from './hostileInput.ts';
import { MISSED_PROMISE_MUTANTS } from './missedPromises.ts';
import type { Mutant } from './mutant.ts';
import { PRIVACY_MUTANTS } from './privacy.ts';
import { RACE_MUTANTS } from './races.ts';
import { SESSION_MUTANTS } from './sessions.ts';
import { STORAGE_MUTANTS } from './storage.ts';

/** The mutants of `npm run mutants`: at least two per promise. */
export const MUTANTS: readonly Mutant[] = [
  ...ACCESS_MUTANTS,
  ...BOOKING_MUTANTS,
  ...CARD_MONEY_MUTANTS,
  ...EARNING_MUTANTS,
  ...FLEET_MUTANTS,
  ...HANDOVER_MUTANTS,
  ...HOSTILE_INPUT_MUTANTS,
  ...MISSED_PROMISE_MUTANTS,
  ...PRIVACY_MUTANTS,
  ...RACE_MUTANTS,
  ...SESSION_MUTANTS,
  ...STORAGE_MUTANTS,
];
