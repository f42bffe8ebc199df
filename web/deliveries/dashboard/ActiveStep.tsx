import { useState } from 'react';
import type { DeliveryDetails } from '../../../contract/deliveries.ts';
import type { ProofAction } from '../../handovers/proof.ts';
import { useUser } from '../../session/session.ts';
import { NextStep } from '../page/NextStep.tsx';
import { UndeliveredSteps } from '../problems/DuberProblems.tsx';
import { type ProofInProgress, ProofSheet } from '../problems/ProofSheet.tsx';
import { useProblemStep } from '../problems/useDeliveryException.ts';
import { useDelivery, useDeliveryStep } from '../queuedSteps/useDelivery.ts';
import { usePlannedDelivery } from '../queuedSteps/usePlannedDelivery.ts';

/** The same next step as on the page of the delivery, once the whole of it has loaded. */
export function ActiveStep({ deliveryId }: { deliveryId: string }) {
  const { data } = useDelivery(deliveryId);
  return data && <StepOf served={data} />;
}

function StepOf({ served }: { served: DeliveryDetails }) {
  const { planned: delivery, waiting } = usePlannedDelivery(served);
  const step = useDeliveryStep(delivery.id, useUser().id);
  const problemStep = useProblemStep(delivery.id);
  const [proving, setProving] = useState<ProofInProgress>();
  const prove = (action: ProofAction) => setProving({ action, isOpen: true });
  return (
    <>
      <NextStep delivery={delivery} waiting={waiting} step={step} onProve={prove} place="card" />
      <UndeliveredSteps delivery={delivery} step={problemStep} onProve={prove} place="card" />
      {proving && (
        <ProofSheet
          {...{ delivery, proving, step, problemStep }}
          onClose={() => setProving({ ...proving, isOpen: false })}
        />
      )}
    </>
  );
}
