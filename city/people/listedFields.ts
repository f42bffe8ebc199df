import { Delivery } from '../../contract/deliveries.ts';
import { ListedOrder } from '../../contract/orders.ts';

// A list leaves out what is optional, unless somebody asks for it.

export const ORDER_FIELDS = Object.keys(ListedOrder.shape) as (keyof ListedOrder)[];
export const DELIVERY_FIELDS = Object.keys(Delivery.shape) as (keyof Delivery)[];
