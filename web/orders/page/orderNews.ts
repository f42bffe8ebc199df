import type { Order } from '../../../contract/orders.ts';

export const isOpenOrder = (status: Order['status']): boolean =>
  status === 'Accepted' || status === 'In_Progress' || status === 'Completed';

/** The deliveries of the present round that show a notice. */
export const newsOf = ({ deliveries, status, round }: Order): Order['deliveries'] =>
  isOpenOrder(status) ? deliveries.filter((delivery) => delivery.round === round) : [];
