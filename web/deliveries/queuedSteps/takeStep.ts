import type { DeliveryStep } from '../../../contract/deliveries.ts';
import { api } from '../../api.ts';
import type { QueuedStep } from './queuedStepStore.ts';

type StepInput = { params: { id: string }; idempotencyKey?: string; takenAt?: string };

/** Sends a step: with its proof if it has one, otherwise as the call without a body. */
export function takeStep(
  { action, proof }: Pick<QueuedStep, 'action' | 'proof'>,
  input: StepInput,
): Promise<DeliveryStep> {
  if (proof && action === 'collected') {
    const { bags, bagCodes, fileIds, place } = proof;
    return api.collectWithProof({ ...input, body: { bags, bagCodes, fileIds, place } });
  }
  if (proof && action === 'delivered') {
    const { pin, bags, fileIds, place } = proof;
    return api.deliverWithProof({ ...input, body: { pin, bags, fileIds, place } });
  }
  return api[action](input);
}
