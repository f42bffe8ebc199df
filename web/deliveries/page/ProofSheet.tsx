import { Button } from '@mantine/core';
import type { Delivery } from '../../../contract/deliveries.ts';
import { useUser } from '../../accounts/session.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import type { useProblemStep } from '../problems/useDeliveryException.ts';
import type { StepProof } from '../queuedSteps/waitingSteps.ts';
import { type ProofAction, proofActionOf } from '../steps.ts';
import type { useDeliveryStep } from '../useDelivery.ts';

const HandoverSheet = lazyPart(
  'The form',
  async () => (await import('../../handovers/HandoverSheet.tsx')).HandoverSheet,
  { failure: 'toast' },
);

/** The step that a Duber is proving. A closed sheet keeps its input. */
export type ProofInProgress = { readonly action: ProofAction; readonly isOpen: boolean };

type ProofButtonProps = { action: ProofAction; onProve: (action: ProofAction) => void };

/** Opens the sheet for a proof of the step. */
export function ProofButton({ action, onProve }: ProofButtonProps) {
  return (
    <Button size="lg" variant="default" onClick={() => onProve(action)} aria-haspopup="dialog">
      {action === 'collected' ? 'With tags' : 'With PIN'}
    </Button>
  );
}

type ProofSheetProps = {
  delivery: Delivery;
  proving: ProofInProgress;
  take: ReturnType<typeof useDeliveryStep>['take'];
  problemStep: ReturnType<typeof useProblemStep>;
  onClose: () => void;
};

/** The sheet behind that button. Apart from it, because the button moves when the phone is turned. */
export function ProofSheet({ delivery, proving: { action, isOpen }, take, problemStep, onClose }: ProofSheetProps) {
  const user = useUser();
  // Another device may have taken the step.
  if (proofActionOf(delivery, user.id) !== action) return null;
  const prove = (proof: StepProof) =>
    action === 'brought-back' ? problemStep.take({ action, ...proof }) : take(action, proof);
  return <HandoverSheet key={action} action={action} opened={isOpen} onClose={onClose} onProve={prove} />;
}
