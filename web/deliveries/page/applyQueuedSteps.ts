import type { Delivery } from '../../../contract/deliveries.ts';
import type { QueuedStep } from '../queuedSteps/queuedStepStore.ts';
import { appendStep, statusAfter } from '../steps.ts';

/** The delivery as it will be once all queued steps are sent. */
export function applyQueuedSteps(delivery: Delivery, waiting: readonly QueuedStep[]): Delivery {
  return waiting
    .filter(({ problem }) => problem === undefined)
    .reduce((before, { action, takenAt, userId }) => {
      const step = { status: statusAfter(action), createdAt: takenAt, takenAt, deliveryId: delivery.id };
      return appendStep(before, step, userId);
    }, delivery);
}
