import type { Order } from '../../../contract/orders.ts';
import { firstNameOf } from '../../ui/format.ts';

type ChangedOrder = Pick<Order, 'changeWords'> & {
  readonly bud: { readonly fullname: string };
  readonly scrub: { readonly fullname: string };
};
type Reader = 'Bud' | 'Scrub';
type Writer = NonNullable<Order['changeWords']>['by'];

/** What the person wrote who cancelled the order, gave it back or reopened it, as long as the order is in that state. */
export const changeWordsOf = (order: ChangedOrder, reader: Reader): string | undefined =>
  order.changeWords
    ? `${writerOf(order, order.changeWords.by, reader)} wrote: “${order.changeWords.words}”`
    : undefined;

function writerOf({ bud, scrub }: ChangedOrder, by: Writer, reader: Reader): string {
  if (by !== 'Bud' && by !== 'Scrub') return 'The town';
  return by === reader ? 'You' : firstNameOf((by === 'Bud' ? bud : scrub).fullname);
}
