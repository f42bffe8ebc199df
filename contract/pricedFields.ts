import { ORDER_SIZES } from '../domain/orders.ts';
import { flag, oneOf } from './fields.ts';

export const NO_SIZE = 'Please select a load size'; // spec 5

/** What decides the price of an order, besides its address. */
export const pricedFields = {
  loadSize: oneOf(ORDER_SIZES, NO_SIZE),
  /** The highest size that is charged without asking, where laundry is weighed. */
  ceilingSize: oneOf(ORDER_SIZES, NO_SIZE).optional(),
  selfDelivery: flag('selfDelivery').default(false),
  selfPickup: flag('selfPickup').default(false),
};
