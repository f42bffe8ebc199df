import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import { EACH_SECOND_MS, useNow } from '../../hooks/useNow.ts';
import { readLocation } from '../../places/geolocation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { type ReasonAnswer, ReasonForm } from '../../ui/ReasonForm.tsx';
import styles from './ProblemSheet.module.css';
import { formatClock, reasonsFor, waitLeftMs } from './problemSteps.ts';
import { type Report, useDeliveryException } from './useDeliveryException.ts';

type View = 'menu' | 'failed' | 'drop' | 'lost';
const TITLES: Record<View, string> = {
  menu: 'What is the problem?',
  failed: 'It did not work out',
  drop: 'Give this delivery to others',
  lost: 'The laundry is lost',
};

/** What a Duber can do when a delivery does not go as planned, by what the delivery is at. */
export function ProblemSheet({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const [view, setView] = useState<View>('menu');
  const step = useDeliveryException(delivery.id);
  const send = (report: Report) => step.mutate(report, { onSuccess: onClose });
  return (
    <Dialog opened onClose={onClose} title={TITLES[view]}>
      <div className={styles.sheet}>
        {view === 'menu' && <Menu delivery={delivery} onChoose={setView} />}
        {view === 'failed' && <FailedForm delivery={delivery} isPending={step.isPending} onSend={send} />}
        {view === 'drop' && (
          <ReasonForm
            legend="Why can't you do it?"
            reasons={reasonsFor('drop-delivery')}
            button="Give It to Others"
            isPending={step.isPending}
            onSubmit={(answer) => send({ action: 'drop-delivery', ...answer })}
          >
            <p className="quiet">Dubers nearby can take it at once. You can accept another delivery right away.</p>
          </ReasonForm>
        )}
        {view === 'lost' && (
          <ReasonForm
            legend=""
            reasons={[]}
            wordsLabel="What happened, and where?"
            button="Report as Lost"
            isPending={step.isPending}
            onSubmit={(answer) => send({ action: 'report-lost', ...answer })}
          >
            <p className="quiet">
              The town is told at once and gets in touch. Your pay for this delivery waits until then.
            </p>
          </ReasonForm>
        )}
        {view !== 'menu' && (
          <Button variant="subtle" onClick={() => setView('menu')}>
            Back
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const isAtADoor = ({ status }: Delivery) => status === 'Way_To_Pick' || status === 'Way_To_Drop';
const canDrop = ({ status }: Delivery) => status === 'Accepted' || status === 'Way_To_Pick';
const canLose = ({ status }: Delivery) => status === 'Collected' || status === 'Way_To_Drop' || status === 'Way_Back';

function Menu({ delivery, onChoose }: { delivery: Delivery; onChoose: (view: View) => void }) {
  return (
    <>
      {isAtADoor(delivery) && <AtTheDoor delivery={delivery} />}
      {isAtADoor(delivery) && (
        <Button variant="default" size="lg" fullWidth onClick={() => onChoose('failed')}>
          {delivery.status === 'Way_To_Pick' ? 'I cannot collect it' : 'I cannot hand it over'}
        </Button>
      )}
      {canDrop(delivery) && (
        <Button variant="default" size="lg" fullWidth onClick={() => onChoose('drop')}>
          I cannot do this delivery
        </Button>
      )}
      {canLose(delivery) && (
        <Button variant="default" size="lg" fullWidth onClick={() => onChoose('lost')}>
          The laundry is lost
        </Button>
      )}
    </>
  );
}

/** Tells the other side that the Duber is at the door, and counts the minutes that they wait. */
export function AtTheDoor({ delivery }: { delivery: Delivery }) {
  const step = useDeliveryException(delivery.id);
  const now = useNow(true, EACH_SECOND_MS);
  const left = waitLeftMs(delivery, now);
  const [isLooking, setIsLooking] = useState(false);
  const arrive = async () => {
    setIsLooking(true);
    const place = await readLocation(10_000, 15_000);
    setIsLooking(false);
    step.mutate({
      action: delivery.status === 'Way_To_Pick' ? 'arrived-at-pickup' : 'arrived-at-drop',
      ...(typeof place === 'string' ? {} : { place }),
    });
  };
  if (left === undefined)
    return (
      <section className={styles.door} aria-label="At the door">
        <p>Nobody opens? Let them know that you are here. They have five minutes.</p>
        <Button size="lg" fullWidth loading={isLooking || step.isPending} onClick={() => void arrive()}>
          I am at the door
        </Button>
      </section>
    );
  return (
    <section className={styles.door} aria-label="At the door">
      {left > 0 ? (
        <p>
          They know that you are here. Please wait{' '}
          <strong className={styles.clock} role="timer">
            {formatClock(left)}
          </strong>
        </p>
      ) : (
        <p>You have waited five minutes. You may go on.</p>
      )}
    </section>
  );
}

function FailedForm({
  delivery,
  isPending,
  onSend,
}: {
  delivery: Delivery;
  isPending: boolean;
  onSend: (report: Report) => void;
}) {
  const action = delivery.status === 'Way_To_Pick' ? 'pickup-failed' : 'drop-failed';
  const submit = (answer: ReasonAnswer) => onSend({ action, ...answer });
  return (
    <ReasonForm
      legend="What is wrong?"
      reasons={reasonsFor(action)}
      button={action === 'pickup-failed' ? 'End This Pickup' : 'End This Attempt'}
      isPending={isPending}
      onSubmit={submit}
    >
      <p className="quiet">
        Wait five minutes at the door first, and take a photo of it. When it is not safe, leave at once.
      </p>
    </ReasonForm>
  );
}
