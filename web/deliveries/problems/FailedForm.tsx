import { useState } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import { LazyPhotoPicker } from '../../files/LazyPhotoPicker.tsx';
import { type ReasonAnswer, ReasonForm } from '../../ui/ReasonForm.tsx';
import { needsPhotoOfDoor, reasonsFor } from '../problemSteps.ts';
import type { Report } from './useDeliveryException.ts';

const MAX_PHOTOS_OF_DOOR = 3;

/** Ends the attempt: why, and a photo of the door. */
export function FailedForm({
  delivery,
  isPending,
  onSend,
}: {
  delivery: Delivery;
  isPending: boolean;
  onSend: (report: Report) => void;
}) {
  const [fileIds, setFileIds] = useState<readonly string[]>([]);
  const [isPhotoMissing, setPhotoMissing] = useState(false);
  const action = delivery.status === 'Way_To_Pick' ? 'pickup-failed' : 'drop-failed';
  const submit = (answer: ReasonAnswer) => {
    const isMissing = fileIds.length === 0 && needsPhotoOfDoor(answer.reason);
    setPhotoMissing(isMissing);
    if (!isMissing) onSend({ action, ...answer, ...(fileIds.length > 0 ? { fileIds } : {}) });
  };
  return (
    <ReasonForm
      legend="What is wrong?"
      reasons={reasonsFor(action)}
      button={action === 'pickup-failed' ? 'End This Pickup' : 'End This Attempt'}
      isPending={isPending}
      error={isPhotoMissing && fileIds.length === 0 ? 'Please take a photo of the door first' : undefined}
      onSubmit={submit}
    >
      <LazyPhotoPicker
        value={fileIds}
        onChange={setFileIds}
        max={MAX_PHOTOS_OF_DOOR}
        label="Photo of the door"
        canWait
      />
      <p className="quiet">Wait five minutes at the door first. When it is not safe, leave at once, without a photo.</p>
    </ReasonForm>
  );
}
