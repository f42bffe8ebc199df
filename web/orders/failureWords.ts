import type { Delivery } from '../../contract/deliveries.ts';
import type { Order } from '../../contract/orders.ts';
import { type LaundryStage, stageOf } from '../../domain/laundry.ts';
import { ORDER_GROUPS } from '../../domain/orders.ts';
import { firstNameOf } from '../ui/format.ts';

const FAILED_STAGES: readonly LaundryStage[] = ['not-collected', 'not-taken', 'way-back', 'brought-back'];
const FAILURES: readonly string[] = ['pickup-failed', 'drop-failed'];

type FailedLeg = Pick<Delivery, 'round' | 'attempt' | 'status' | 'hasLaundry' | 'exceptions' | 'duber'>;
type FailedOrder = Pick<Order, 'status' | 'round'> & { readonly deliveries: readonly FailedLeg[] };

/** What a Duber wrote about a pickup or a drop-off that failed, until the delivery is offered again. */
export function failureWordsOf({ status, round, deliveries }: FailedOrder): string | undefined {
  if (ORDER_GROUPS[status] === 'cancelled') return undefined;
  const leg = deliveries.findLast((one) => one.round === round && FAILED_STAGES.includes(stageOf(one)));
  const failure = leg?.exceptions.findLast(
    ({ action, attempt }) => FAILURES.includes(action) && attempt === leg.attempt,
  );
  if (!leg || !failure?.words || failure.by !== 'Duber') return undefined;
  return `${leg.duber ? firstNameOf(leg.duber.fullname) : 'The Duber'} wrote: “${failure.words}”`;
}
