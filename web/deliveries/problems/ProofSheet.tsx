import { Button } from '@mantine/core';
import { useEffect } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import { useConfig } from '../../api/config.ts';
import type { ProofAction, StepEnds, StepProof } from '../../handovers/proof.ts';
import { useUser } from '../../session/session.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import type { useDeliveryStep } from '../queuedSteps/useDelivery.ts';
import { proofActionOf } from '../steps.ts';
import type { useProblemStep } from './useDeliveryException.ts';

const HandoverSheet = lazyPart(
  'The form',
  async () => (await import('../../handovers/HandoverSheet.tsx')).HandoverSheet,
  { failure: 'toast' },
);

/** The step that a Duber is proving. A closed sheet keeps its input. */
export type ProofInProgress = { readonly action: ProofAction; readonly isOpen: boolean };

type ProveLineProps = { delivery: Delivery; onProve: (action: ProofAction) => void };

/** The quiet way to the sheet for a proof, in a town that asks for none. Where it asks, the step's own button opens the sheet. */
export function ProveLine({ delivery, onProve }: ProveLineProps) {
  const action = proofActionOf(delivery, useUser().id);
  const asksProof = useConfig()?.asksProof === true;
  if (!action || asksProof) return null;
  return (
    <Button variant="subtle" size="compact-md" onClick={() => onProve(action)} aria-haspopup="dialog">
      Prove the hand-over
    </Button>
  );
}

type ProofSheetProps = {
  delivery: Delivery;
  proving: ProofInProgress;
  step: ReturnType<typeof useDeliveryStep>;
  problemStep: ReturnType<typeof useProblemStep>;
  onClose: () => void;
};

/** The sheet for a proof. Apart from its button, which moves when the phone is turned. */
export function ProofSheet({ delivery, proving: { action, isOpen }, step, problemStep, onClose }: ProofSheetProps) {
  const user = useUser();
  // Another device may have taken the step. The sheet does not open again by itself when that is taken back.
  const isNeeded = proofActionOf(delivery, user.id) === action;
  useEffect(() => {
    if (!isNeeded && isOpen) onClose();
  }, [isNeeded, isOpen, onClose]);
  if (!isNeeded) return null;
  const prove = (proof: StepProof, ends: StepEnds) =>
    action === 'brought-back' ? problemStep.take({ action, ...proof }, ends) : step.take(action, proof, ends);
  return (
    <HandoverSheet
      key={action}
      delivery={delivery}
      action={action}
      opened={isOpen}
      isSending={step.isTaking || problemStep.isTaking}
      onClose={onClose}
      onProve={prove}
    />
  );
}
