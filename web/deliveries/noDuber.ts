import type { Delivery } from '../../contract/deliveries.ts';
import type { Role } from '../../domain/accounts.ts';

type Duberless = Pick<Delivery, 'status'> & { readonly exceptions: readonly { readonly action: string }[] };

const LOST_ITS_DUBER: readonly (string | undefined)[] = ['drop-delivery', 'take-off', 'silent'];

/** What people read where a delivery has no Duber. */
export function describeNoDuber({ status, exceptions }: Duberless, role: Role): string {
  if (status === 'Called_Off') return 'No Duber is needed for it any more';
  if (LOST_ITS_DUBER.includes(exceptions.at(-1)?.action))
    return `${role === 'Bud' ? 'Your' : 'The'} Duber could not come. We ask the others nearby.`;
  return 'No Duber has accepted this delivery yet';
}
