import type { Order } from '../../../contract/orders.ts';
import type { OrderAction } from '../../../domain/orders.ts';
import { ORDER_FLOW } from '../../../domain/process/order.ts';
import { findTransitions } from '../../../domain/workflow.ts';
import { useConfig } from '../../api/config.ts';
import { useWeighing, weighingBlockOf } from '../../weighing/useWeighing.ts';
import { isGivenBackBy } from '../orderChanges.ts';
import { startWaitsFor, type WaitingJob } from '../stepHints.ts';
import { STEP_TEXTS } from '../steps.ts';
import { useOrderStep } from '../useOrder.ts';

/** What of a job decides its next step. The board knows the limit of those jobs only that it has loaded whole. */
export type SteppedJob = WaitingJob & Pick<Order, 'id' | 'situation'> & Partial<Pick<Order, 'ceilingSize'>>;

/** The workflow rows that are open to a Scrub now. One who gave the job back has nothing to answer. */
const openSteps = (job: SteppedJob): readonly OrderAction[] =>
  isGivenBackBy(job, 'Scrub') ? [] : findTransitions(ORDER_FLOW, job.status, 'Scrub').map(({ action }) => action);

/** The next step of a job, what keeps its Scrub from taking it, and the way to end the job. The board and the page share it. */
export function useJobStep(job: SteppedJob) {
  const { take, isTaking } = useOrderStep(job.id);
  const config = useConfig();
  const { data: weighing } = useWeighing(job);
  const open = openSteps(job);
  const next = open.find((action) => !STEP_TEXTS[action].isDestructive);
  const isWeighed = job.ceilingSize !== undefined;
  return {
    next,
    ending: open.filter((action) => STEP_TEXTS[action].isDestructive),
    /** What has to be known or done about the weight first. */
    block: next && isWeighed ? weighingBlockOf(next, weighing) : undefined,
    /** What the start waits for. */
    wait: next === 'start-order' ? startWaitsFor(job, config) : undefined,
    take,
    isTaking,
  };
}
