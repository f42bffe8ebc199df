import type { Delivery } from '../../../contract/deliveries.ts';
import { isRelayedPickup, type RelayRole } from '../../handovers/relay.ts';

type OfferedDelivery = Pick<Delivery, 'status' | 'pickup' | 'deliveryType'> & {
  readonly bud: { readonly fullname: string };
  readonly scrub: { readonly fullname: string };
};

/** Who is at both ends of an offer. Relayed laundry waits with a Duber, and not with the one who gave it. */
export function offerPeople(delivery: OfferedDelivery, side: RelayRole): { pickup: string; drop: string } {
  const [bud, scrub] = [`Bud ${delivery.bud.fullname}`, `Scrub ${delivery.scrub.fullname}`];
  const [sender, recipient] = delivery.deliveryType === 'Bud_To_Scrub' ? [bud, scrub] : [scrub, bud];
  if (!isRelayedPickup(delivery)) return { pickup: sender, drop: recipient };
  return { pickup: side === 'recipient' ? 'Another Duber' : 'You', drop: recipient };
}
