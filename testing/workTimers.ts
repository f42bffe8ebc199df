import { caseTimers } from '../server/cases/caseTimers.ts';
import { DELIVERY_TIMERS } from '../server/deliveries/silence.ts';
import { ORDER_TIMERS } from '../server/orders/orderTimers.ts';
import { CLEANING_AGAIN } from '../server/orders/reopenOrder.ts';

/** The timers of orders, with their deliveries and cases: without those of the operators' console. */
export const WORK_TIMERS = [ORDER_TIMERS, DELIVERY_TIMERS, caseTimers(CLEANING_AGAIN)];
