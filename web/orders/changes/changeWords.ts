import type { Order } from '../../../contract/orders.ts';
import { firstNameOf } from '../../ui/format.ts';
import { isGivenBack } from '../orderChanges.ts';

type Said = Pick<Order['exceptions'][number], 'action' | 'round' | 'by' | 'createdAt' | 'words'>;
type ChangedOrder = Pick<Order, 'status' | 'round' | 'situation'> & {
  readonly exceptions: readonly Said[];
  readonly bud: { readonly fullname: string };
  readonly scrub: { readonly fullname: string };
};
type Reader = 'Bud' | 'Scrub';

/** The steps that can have led to the present state of an order. */
function actionsBehind(order: ChangedOrder): readonly string[] {
  if (order.status === 'Cancelled') return ['cancel-accepted', 'cancel-by-operator'];
  if (order.status === 'In_Progress') return ['reopen'];
  return isGivenBack(order) ? ['give-back'] : [];
}

/** What the person wrote who cancelled the order, gave it back or reopened it, as long as the order is in that state. */
export function changeWordsOf(order: ChangedOrder, reader: Reader): string | undefined {
  const actions = actionsBehind(order);
  const change = order.exceptions.findLast(({ action }) => actions.includes(action));
  return change?.words ? `${writerOf(order, change, reader)} wrote: “${change.words}”` : undefined;
}

function writerOf({ bud, scrub }: ChangedOrder, { by }: Said, reader: Reader): string {
  if (by !== 'Bud' && by !== 'Scrub') return 'The town';
  return by === reader ? 'You' : firstNameOf((by === 'Bud' ? bud : scrub).fullname);
}
