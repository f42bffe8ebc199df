import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import { isBeforePickup, isWithLaundry } from '../../../domain/deliveries.ts';
import type { RelayRole } from '../../handovers/relay.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { failureOf } from '../../ui/errorMessage.ts';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { reasonsFor } from '../problemSteps.ts';
import { useWhyNotNow } from '../queuedSteps/usePlannedDelivery.ts';
import { AtTheDoor } from './AtTheDoor.tsx';
import { FailedForm } from './FailedForm.tsx';
import styles from './ProblemSheet.module.css';
import { RelayForm } from './RelayForm.tsx';
import { type Report, useDeliveryException } from './useDeliveryException.ts';

type ViewName = 'menu' | 'failed' | 'drop' | 'relay' | 'lost';
const TITLES: Record<ViewName, string> = {
  menu: 'What is the problem?',
  failed: 'It did not work out',
  drop: 'Give this delivery to others',
  relay: 'I cannot continue',
  lost: 'The laundry is lost',
};

type ProblemSheetProps = { delivery: Delivery; side: RelayRole; onClose: () => void; onAsk: () => void };

/** The exceptions that a Duber can take at the delivery's status. `onAsk` opens the form that asks the town. */
export function ProblemSheet({ delivery, side, onClose, onAsk }: ProblemSheetProps) {
  const [view, setView] = useState<ViewName>('menu');
  const step = useDeliveryException(delivery.id);
  const send = (report: Report) => step.mutate(report, { onSuccess: onClose });
  const whyNot = useWhyNotNow(delivery.id);
  const sendNow = (report: Report) => whyNot === undefined && send(report);
  return (
    <Dialog opened onClose={onClose} title={TITLES[view]}>
      <div className={styles.sheet}>
        <View isShown={view === 'menu'}>
          <Menu delivery={delivery} side={side} onChoose={setView} />
        </View>
        <View isShown={view === 'failed'}>
          <FailedForm delivery={delivery} isPending={step.isPending} onSend={send} />
        </View>
        <View isShown={view === 'drop'}>
          <DropForm isPending={step.isPending} whyNot={whyNot} onSend={sendNow} />
        </View>
        <View isShown={view === 'relay'}>
          <RelayForm delivery={delivery} whyNot={whyNot} />
        </View>
        <View isShown={view === 'lost'}>
          <LostForm isPending={step.isPending} whyNot={whyNot} onSend={sendNow} />
        </View>
        <AskAfterRefusal error={step.error} onAsk={onAsk} />
        {view !== 'menu' && (
          <Button variant="subtle" onClick={() => setView('menu')}>
            Back
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** The way to the town, for a Duber whose step was refused because the recipient has said that they have the laundry. */
export function AskAfterRefusal({ error, onAsk }: { error: unknown; onAsk: () => void }) {
  if (failureOf(error) !== 'takerHasIt') return null;
  return (
    <Button variant="default" onClick={onAsk} aria-haspopup="dialog">
      Ask the Town
    </Button>
  );
}

/** One page of the sheet. Once it was shown it stays as it is, so that "Back" loses no words and no photo. */
function View({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  const wasShown = useRef(isShown);
  const [isVisited, setVisited] = useState(isShown);
  if (isShown && !isVisited) setVisited(true);
  // The pressed button is gone: the keyboard goes on at the start of what replaces it.
  useEffect(() => {
    if (isShown && !wasShown.current) element.current?.focus();
    wasShown.current = isShown;
  }, [isShown]);
  if (!isVisited) return null;
  return (
    <div ref={element} className={styles.view} hidden={!isShown} tabIndex={-1}>
      {children}
    </div>
  );
}

/** Whether they go to a door, and may wait there in vain. The holder of relayed laundry has nobody to collect it from. */
const isAtADoor = ({ status }: Delivery, side: RelayRole) =>
  (status === 'Way_To_Pick' && side !== 'holder') || status === 'Way_To_Drop';

type MenuProps = { delivery: Delivery; side: RelayRole; onChoose: (view: ViewName) => void };

export function Menu({ delivery, side, onChoose }: MenuProps) {
  return (
    <>
      {isAtADoor(delivery, side) && <AtTheDoor delivery={delivery} />}
      {isAtADoor(delivery, side) && (
        <Button variant="default" size="lg" fullWidth onClick={() => onChoose('failed')}>
          {delivery.status === 'Way_To_Pick' ? 'I cannot collect it' : 'I cannot hand it over'}
        </Button>
      )}
      {isBeforePickup(delivery.status) && (
        <Button variant="default" size="lg" fullWidth onClick={() => onChoose('drop')}>
          I cannot do this delivery
        </Button>
      )}
      {isWithLaundry(delivery.status) && (
        <>
          <Button variant="default" size="lg" fullWidth onClick={() => onChoose('relay')}>
            I cannot continue
          </Button>
          <Button variant="default" size="lg" fullWidth onClick={() => onChoose('lost')}>
            The laundry is lost
          </Button>
        </>
      )}
    </>
  );
}

/** `whyNot` says why a step that cannot wait on the device is not possible now. */
type FormProps = { isPending: boolean; whyNot: string | undefined; onSend: (report: Report) => void };

function DropForm({ isPending, whyNot, onSend }: FormProps) {
  return (
    <ReasonForm
      legend="Why can't you do it?"
      reasons={reasonsFor('drop-delivery')}
      button="Give It to Others"
      isPending={isPending}
      error={whyNot}
      onSubmit={(answer) => onSend({ action: 'drop-delivery', ...answer })}
    >
      <p className="quiet">Dubers nearby can take it at once. You can accept another delivery right away.</p>
    </ReasonForm>
  );
}

function LostForm({ isPending, whyNot, onSend }: FormProps) {
  return (
    <ReasonForm
      legend=""
      reasons={[]}
      wordsLabel="What happened, and where?"
      button="Report as Lost"
      isPending={isPending}
      error={whyNot}
      onSubmit={(answer) => onSend({ action: 'report-lost', ...answer })}
    >
      <p className="quiet">
        If you are not safe, get away first: this can wait. The town is notified at once and gets in touch. Your pay for
        this delivery waits until then.
      </p>
    </ReasonForm>
  );
}
