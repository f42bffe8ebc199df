import type { Delivery } from '../../contract/deliveries.ts';

type Said = Pick<Delivery['exceptions'][number], 'by' | 'words' | 'createdAt'>;
type DeliveryWithSteps = {
  readonly statusHistory: readonly { readonly createdAt: string }[];
  readonly exceptions: readonly Said[];
};

/** What an operator wrote with a step of a delivery, while nothing has happened to it since. Only a Bud and a Scrub are sent it. */
export function townWordsOf({ statusHistory, exceptions }: DeliveryWithSteps): string | undefined {
  const last = exceptions.at(-1);
  if (last?.by !== 'Operator' || !last.words) return undefined;
  const hasGoneOn = statusHistory.some(({ createdAt }) => createdAt > last.createdAt);
  return hasGoneOn ? undefined : `The town wrote: “${last.words}”`;
}
