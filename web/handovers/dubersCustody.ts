import type { Delivery } from '../../contract/deliveries.ts';
import type { Failure } from '../../contract/failures.ts';
import { isGoingToDrop } from '../../domain/deliveries.ts';
import { isOnTheWayTo } from '../../domain/process/delivery.ts';
import type { ProofAction } from './proof.ts';
import { isRelayedPickup } from './relay.ts';

type Way = Pick<Delivery, 'status' | 'deliveryType'>;

/** Whether the Duber brings the laundry to the Bud, or may soon: asked for before, because there may be no network at the door. */
const isMeantForBud = ({ status, deliveryType }: Way) =>
  deliveryType === 'Scrub_To_Bud' ? isGoingToDrop(status) : status === 'Failed' || status === 'Way_Back';

/** Whether the Duber of the delivery needs to know who has the laundry, or what its Bud allows. */
export const needsCustody = (delivery: Way & Pick<Delivery, 'duberId' | 'pickup'>, duberId: string): boolean =>
  delivery.duberId === duberId && (isMeantForBud(delivery) || isRelayedPickup(delivery));

/** What a Duber reads beside the step that hands the laundry over, where it is so. */
export function doorNote(delivery: Way, leaveAtDoor: boolean | undefined): string | undefined {
  return leaveAtDoor && isOnTheWayTo('Bud', delivery)
    ? 'The Bud lets you leave it at the door: take a photo of it there.'
    : undefined;
}

type PhotoFacts = {
  readonly isLeftAtDoor: boolean;
  readonly refused: readonly Failure[];
  /** Whether the town asks for a proof, as far as the device knows. */
  readonly asksProof?: boolean | undefined;
};

/**
 * Whether the sheet of a hand-over takes a photo: at once where it is what counts, else behind a button. Where the town demands a
 * PIN, which a device that is offline may learn only from a refusal, a photo alone counts nowhere but at a door.
 */
export function photoOffer(
  action: ProofAction,
  { isLeftAtDoor, refused, asksProof = false }: PhotoFacts,
): 'open' | 'button' | 'none' {
  if (isLeftAtDoor || refused.includes('pinBlocked')) return 'open';
  return action !== 'collected' && (asksProof || refused.includes('proofNeeded')) ? 'none' : 'button';
}
