import { useNavigate } from 'react-router';
import { api } from '../../api/client.ts';
import { casePath, useCaseStep } from '../../cases/caseQueries.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { useWhyNotNow } from '../queuedSteps/usePlannedDelivery.ts';

/** The form with which a Duber asks the town about a step that they cannot take back, or could not send. */
export function AskTown({ deliveryId, onClose }: { deliveryId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const whyNot = useWhyNotNow(deliveryId);
  const ask = useCaseStep(
    (words: string, idempotencyKey) =>
      api.createCase({ body: { kind: 'question', deliveryId, words }, idempotencyKey }),
    { done: 'The town knows and will get in touch', failed: 'Not sent' },
  );
  const send = (words: string) =>
    // After the toast, because the form ends with the page.
    ask.mutate(words, { onSuccess: ({ id }) => navigate(casePath('Duber', id)) });
  return (
    <Dialog opened onClose={onClose} title="Ask the town">
      <ReasonForm
        intro="You can no longer correct this yourself. The town does it, or gets in touch."
        legend=""
        reasons={[]}
        wordsLabel="What is wrong?"
        button="Send"
        isDestructive={false}
        isPending={ask.isPending}
        error={whyNot}
        onSubmit={({ words = '' }) => whyNot === undefined && send(words)}
      />
    </Dialog>
  );
}
