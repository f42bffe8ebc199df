import type { Delivery } from '../../contract/deliveries.ts';
import { findArrival, situationOfDelivery } from '../../domain/process/situation.ts';

type Situated = Pick<Delivery, 'situation'>;

/** Whether the laundry waits with an earlier Duber, who could not go on, until the next one collects it. */
export const isRelayed = ({ situation }: Situated): boolean => situation === 'relayed';

/** Whether the laundry is reported as lost, and has not been found since. */
export const isLost = ({ status, situation }: Situated & Pick<Delivery, 'status'>): boolean =>
  status === 'Failed' && situation === 'lost';

/** The delivery with what follows from its steps, for a step that is shown before the server has answered. */
export const withSituation = <D extends Delivery>(delivery: D): D => ({
  ...delivery,
  situation: situationOfDelivery(delivery),
  arrivedAt: findArrival(delivery)?.toISOString() ?? null,
});
