import { lazyPart } from '../../ui/lazyPart.tsx';

/** On the page of an order, of which most go as planned: only the others load it. */
export const DeliveryProblems = lazyPart(
  'What happened',
  async () => (await import('./DeliveryProblems.tsx')).DeliveryProblems,
);
