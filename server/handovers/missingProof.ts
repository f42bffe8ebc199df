import { DOOR_NOT_ALLOWED, DOOR_WITHOUT_PLACE, FAILURES, PIN_NEEDED } from '../../contract/failures.ts';
import { refuse } from '../http/refusals.ts';

const MESSAGES = {
  pin: PIN_NEEDED,
  'door-not-allowed': DOOR_NOT_ALLOWED,
  'door-without-place': DOOR_WITHOUT_PLACE,
  /** The call without a body does not have `pinBlocked` among its failures. */
  'pin-blocked': FAILURES.pinBlocked[1],
};

/** Says what proves the step: bags and photos are enough only where laundry is collected, or may stand at a door. */
export function refuseMissingProof(
  action: 'collected' | 'delivered' | 'brought-back',
  missing: keyof typeof MESSAGES = 'pin',
): never {
  if (action === 'collected') refuse('proofNeeded');
  refuse('proofNeeded', { message: MESSAGES[missing] });
}
