import type { CallOptions } from '../../../contract/callClient.ts';
import type { DeliveryStep } from '../../../contract/deliveries.ts';
import type { DeliveryExceptionAnswer } from '../../../contract/exceptions.ts';
import type { DeliveryAction } from '../../../domain/deliveries.ts';
import { api } from '../../api/client.ts';
import type { StepProof } from '../../handovers/proof.ts';
import type { QueuedStep } from './queuedStepStore.ts';
import { isNormalStep, type ProblemReport, type WaitingProblem } from './waitingSteps.ts';

export type StepInput = { params: { id: string }; idempotencyKey?: string; takenAt?: string };

/** Sends a normal step: with its proof if it has one, otherwise as the call without a body. */
export function takeStep(
  { action, proof }: { action: DeliveryAction; proof?: StepProof },
  input: StepInput,
  options?: CallOptions,
): Promise<DeliveryStep> {
  if (proof && action === 'collected') {
    const { bags, bagCodes, fileIds, place } = proof;
    return api.collectWithProof({ ...input, body: { bags, bagCodes, fileIds, place } }, options);
  }
  if (proof && action === 'delivered') {
    const { pin, bags, fileIds, place } = proof;
    return api.deliverWithProof({ ...input, body: { pin, bags, fileIds, place } }, options);
  }
  return api[action](input, options);
}

export const takeProblem = (
  { action, report = {} }: { action: WaitingProblem; report?: ProblemReport },
  input: StepInput,
  options?: CallOptions,
): Promise<DeliveryExceptionAnswer> => api[action]({ ...input, body: report }, options);

/** Sends a step that was queued. Its photos are files by now. */
export function takeQueued(
  { action, proof, report }: QueuedStep,
  input: StepInput,
  options?: CallOptions,
): Promise<unknown> {
  if (isNormalStep(action)) return takeStep({ action, ...(proof ? { proof } : {}) }, input, options);
  return takeProblem({ action, ...(report ? { report } : {}) }, input, options);
}
