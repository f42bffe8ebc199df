import type { Order } from '../../contract/orders.ts';
import { firstNameOf } from '../ui/format.ts';

type FailedOrder = Pick<Order, 'failureWords'> & {
  readonly deliveries: readonly { readonly id: string; readonly duber: { readonly fullname: string } | null }[];
};

/** What a Duber wrote about a pickup or a drop-off that failed, until the delivery is offered again. */
export function failureWordsOf({ failureWords, deliveries }: FailedOrder): string | undefined {
  if (!failureWords) return undefined;
  const duber = deliveries.find(({ id }) => id === failureWords.deliveryId)?.duber;
  return `${duber ? firstNameOf(duber.fullname) : 'The Duber'} wrote: “${failureWords.words}”`;
}
