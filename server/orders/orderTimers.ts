import { WEIGHING_TIMER_ROWS } from '../../domain/process/weighing.ts';
import type { TimerContext, TimerKind } from '../jobs/timers.ts';
import { ORDER_TIMER_ROWS } from '../process/orderTimers.sql.ts';
import { SYSTEM } from '../process/takeStep.ts';
import { lockOrder } from './orders.sql.ts';
import { tryOrderStep } from './steps.ts';
import { tryWeighingStep } from './weighingSteps.ts';

/** The System rows of orders and of their weighing. */
export const ORDER_TIMERS: TimerKind<TimerContext> = {
  subject: 'order',
  rows: ORDER_TIMER_ROWS,
  wakes: ['payments', 'events'],
  lock: async ({ db: tx, now }, timer) => {
    const action = ORDER_TIMER_ROWS.find((row) => row.action === timer.action)?.action;
    const order = await lockOrder(tx, SYSTEM, timer.subjectId);
    if (!order || !action) return undefined;
    return () =>
      isOfWeighing(action) ? tryWeighingStep(tx, order, action, now()) : tryOrderStep(tx, order, action, now());
  },
};

const isOfWeighing = (action: string): action is (typeof WEIGHING_TIMER_ROWS)[number]['action'] =>
  WEIGHING_TIMER_ROWS.some((row) => row.action === action);
