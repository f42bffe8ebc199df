import type { Delivery } from '../../../contract/deliveries.ts';
import { GOING_TO_DROP } from '../../../domain/deliveries.ts';
import { useConfig } from '../../api/config.ts';
import { useUser } from '../../session/session.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

const DuberWeigh = lazyPart('The form for the weight', async () => (await import('./DuberWeigh.tsx')).DuberWeigh);

/** On the way to the Scrub, where laundry is weighed. */
const canBeWeighed = ({ deliveryType, status }: Delivery) =>
  deliveryType === 'Bud_To_Scrub' && GOING_TO_DROP.some((one) => one === status);

export function LazyDuberWeigh({ delivery }: { delivery: Delivery }) {
  const user = useUser();
  const config = useConfig();
  if (!config?.weighsLaundry || delivery.duberId !== user.id || !canBeWeighed(delivery)) return null;
  return <DuberWeigh key={delivery.id} deliveryId={delivery.id} />;
}
