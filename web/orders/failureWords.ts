import type { Delivery } from '../../contract/deliveries.ts';
import type { Order } from '../../contract/orders.ts';
import { ORDER_GROUPS } from '../../domain/orders.ts';
import { type DeliverySituation, situationOfDelivery } from '../../domain/process/situation.ts';
import { townWordsOf } from '../deliveries/townWords.ts';
import { firstNameOf } from '../ui/format.ts';

const FAILED: readonly DeliverySituation[] = ['not-collected', 'not-taken', 'way-back', 'brought-back'];
const FAILURES: readonly string[] = ['pickup-failed', 'drop-failed'];

type FailedLeg = Pick<Delivery, 'round' | 'attempt' | 'status' | 'hasLaundry' | 'exceptions' | 'duber'>;
type Leg = Pick<Delivery, 'round' | 'deliveryType' | 'statusHistory' | 'exceptions'>;
type FailedOrder = Pick<Order, 'status' | 'round'> & { readonly deliveries: readonly FailedLeg[] };

/** What a Duber wrote about a pickup or a drop-off that failed, until the delivery is offered again. */
export function failureWordsOf({ status, round, deliveries }: FailedOrder): string | undefined {
  if (ORDER_GROUPS[status] === 'cancelled') return undefined;
  const leg = deliveries.findLast((one) => one.round === round && FAILED.includes(situationOfDelivery(one)));
  const failure = leg?.exceptions.findLast(
    ({ action, attempt }) => FAILURES.includes(action) && attempt === leg.attempt,
  );
  if (!leg || !failure?.words || failure.by !== 'Duber') return undefined;
  return `${leg.duber ? firstNameOf(leg.duber.fullname) : 'The Duber'} wrote: “${failure.words}”`;
}

/** What an operator wrote about the delivery that the order has now, as long as it is the last thing that happened to it. */
export function deliveryTownWordsOf({
  status,
  round,
  deliveries,
}: Pick<Order, 'status' | 'round'> & { readonly deliveries: readonly Leg[] }): string | undefined {
  if (ORDER_GROUPS[status] === 'cancelled') return undefined;
  const type = status === 'Completed' ? 'Scrub_To_Bud' : 'Bud_To_Scrub';
  const leg = deliveries.findLast((one) => one.round === round && one.deliveryType === type);
  return leg && townWordsOf(leg);
}
