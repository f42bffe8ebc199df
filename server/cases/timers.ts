import type { Context } from '../context.ts';
import { runDeliveryTimers } from '../deliveries/silence.ts';
import { runOrderTimers } from '../orders/orderTimers.ts';
import { runCaseTimers } from './caseTimers.ts';

/** Takes the rows of the System of all workflows. Returns how many timers were due. */
export const runTimers = async (context: Context): Promise<number> =>
  (await runOrderTimers(context)) + (await runDeliveryTimers(context)) + (await runCaseTimers(context));
