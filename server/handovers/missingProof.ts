import { DOOR_NOT_ALLOWED, PIN_NEEDED } from '../../contract/failures.ts';
import { refuse } from '../http/refusals.ts';

/** Says what proves the step: bags and photos are enough only where laundry is collected, or may stand at a door. */
export function refuseMissingProof(
  action: 'collected' | 'delivered' | 'brought-back',
  isAtForbiddenDoor = false,
): never {
  if (action === 'collected') refuse('proofNeeded');
  refuse('proofNeeded', { message: isAtForbiddenDoor ? DOOR_NOT_ALLOWED : PIN_NEEDED });
}
