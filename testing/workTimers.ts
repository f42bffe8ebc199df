import { CASE_TIMERS } from '../server/cases/caseTimers.ts';
import { DELIVERY_TIMERS } from '../server/deliveries/silence.ts';
import { ORDER_TIMERS } from '../server/orders/orderTimers.ts';

/** The timers of orders, with their deliveries and cases: without those of the operators' console. */
export const WORK_TIMERS = [ORDER_TIMERS, DELIVERY_TIMERS, CASE_TIMERS];
