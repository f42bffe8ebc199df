import type { Delivery } from '../../contract/deliveries.ts';
import type { Role } from '../../domain/accounts.ts';

type Duberless = Pick<Delivery, 'status'> & { readonly exceptions: readonly { readonly action: string }[] };

/** Why a delivery has lost its Duber, by the step that took it from them. */
const LOST_ITS_DUBER: Readonly<Record<string, (whose: 'Your' | 'The') => string>> = {
  'drop-delivery': (whose) => `${whose} Duber could not come. We ask the others nearby.`,
  'take-off': (whose) =>
    `The town took ${whose.toLowerCase()} Duber off it. We ask the others nearby, so it may come later.`,
  'time-moved': () => 'The time has moved. We ask the Dubers nearby again.',
  silent: (whose) =>
    `We hear nothing from ${whose.toLowerCase()} Duber. We ask the others nearby, so it may come later.`,
};

/** Why the last Duber of a delivery no longer brings it; undefined where it has had none. */
export const describeLostDuber = ({ exceptions }: Pick<Duberless, 'exceptions'>, role: Role): string | undefined =>
  LOST_ITS_DUBER[exceptions.at(-1)?.action ?? '']?.(role === 'Bud' ? 'Your' : 'The');

/** What people read where a delivery has no Duber. */
export function describeNoDuber({ status, exceptions }: Duberless, role: Role): string {
  if (status === 'Called_Off') return 'No Duber is needed for it any more';
  return describeLostDuber({ exceptions }, role) ?? 'No Duber has accepted this delivery yet';
}
