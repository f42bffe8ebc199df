import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { isPhotoWaiting } from '../../offline/storedSteps.ts';
import { useUser } from '../../session/session.ts';
import { formatDate } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { deliveryPath } from '../paths.ts';
import styles from './QueuedSteps.module.css';
import { type QueuedStep, removeStep, useQueuedSteps } from './queuedStepStore.ts';
import { waitingTextsOf } from './waitingSteps.ts';

/** The steps that are queued on this device or could not be sent: of one delivery, or of all with a link to each. */
export function QueuedSteps({ deliveryId }: { deliveryId?: string }) {
  const steps = useQueuedSteps(useUser().id, deliveryId);
  if (steps.length === 0) return null;
  return (
    <section className={`card ${styles.card}`} aria-label="Not sent yet">
      <h2>Not sent yet</h2>
      <ul className={styles.list}>
        {steps.map((step) => (
          <QueuedStepItem
            key={step.key}
            step={step}
            isLast={isLastOfDelivery(steps, step)}
            isLinked={deliveryId === undefined}
          />
        ))}
      </ul>
    </section>
  );
}

// A step in the middle cannot be removed: later ones depend on it.
const isLastOfDelivery = (steps: readonly QueuedStep[], step: QueuedStep) =>
  steps.findLast(({ deliveryId }) => deliveryId === step.deliveryId) === step;

function QueuedStepItem({ step, isLast, isLinked }: { step: QueuedStep; isLast: boolean; isLinked: boolean }) {
  const { action, takenAt, problem, deliveryId } = step;
  const photos = step.photos?.filter(isPhotoWaiting) ?? [];
  const words = `${waitingTextsOf(action).name}, done at ${formatDate(takenAt)}`;
  const drop = () => void removeStep(step);
  return (
    <li className={styles.step} data-lost={problem !== undefined || undefined}>
      <Icon name={problem === undefined ? 'info' : 'alert'} />
      <div className={styles.words} role="status">
        <p>{problem === undefined ? `Waiting to be sent: ${words}` : `Could not be sent: ${words}.`}</p>
        {problem !== undefined && <p className="quiet">{problem}</p>}
        {problem === undefined && photos.length > 0 && (
          <p className="quiet">{`With ${photos.length === 1 ? 'a photo' : `${photos.length} photos`}, kept on this phone until then`}</p>
        )}
        {isLinked && <Link to={deliveryPath('Duber', deliveryId)}>View Details</Link>}
      </div>
      {problem !== undefined && (
        <Button variant="default" onClick={drop}>
          Got it
        </Button>
      )}
      {problem === undefined && isLast && (
        <Button variant="default" onClick={drop}>
          Undo
        </Button>
      )}
    </li>
  );
}
