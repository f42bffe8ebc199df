import { Button } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallFailed } from '../../../contract/callClient.ts';
import type { Delivery, DeliveryDetails } from '../../../contract/deliveries.ts';
import { isActiveDelivery } from '../../../domain/deliveries.ts';
import { useConfig } from '../../api/config.ts';
import { STEP_MUTATION } from '../../api/queryKeys.ts';
import { currentTime } from '../../clock.ts';
import type { ProofAction } from '../../handovers/proof.ts';
import type { RelayRole } from '../../handovers/relay.ts';
import { useDoorNote } from '../../handovers/useDubersCustody.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { EACH_SECOND_MS, useNow } from '../../hooks/useNow.ts';
import { useUser } from '../../session/session.ts';
import { ActionBar } from '../../ui/ActionBar.tsx';
import { ask, type Question } from '../../ui/ask.ts';
import { Icon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import {
  bringBackHint,
  canTryAgain,
  formatCountdown,
  isForTheTown,
  undeliveredTexts,
  undoLeftMs,
} from '../problemSteps.ts';
import { useQueuedSteps } from '../queuedSteps/queuedStepStore.ts';
import { useWaitingSteps } from '../queuedSteps/usePlannedDelivery.ts';
import styles from './DuberProblems.module.css';
import { useDeliveryException, type useProblemStep } from './useDeliveryException.ts';

const ProblemSheet = lazyPart('The form', async () => (await import('./ProblemSheet.tsx')).ProblemSheet, {
  failure: 'toast',
});

/** The form behind "Ask the Town". */
export const AskTown = lazyPart('The form', async () => (await import('./AskTown.tsx')).AskTown, { failure: 'toast' });

/** What opens over the page. */
export type ProblemDialog = 'problem' | 'town';
type DuberProblemsProps = { delivery: DeliveryDetails; onOpen: (dialog: ProblemDialog) => void };

const hasProblems = (delivery: Delivery, userId: string) =>
  delivery.duberId === userId && isActiveDelivery(delivery) && delivery.status !== 'Failed';

/** "Problem?" in the head of the page, while the delivery is the Duber's. */
export function ProblemButton({ delivery, onOpen }: DuberProblemsProps) {
  const user = useUser();
  if (!hasProblems(delivery, user.id)) return null;
  return (
    <span>
      <Button
        variant="subtle"
        className={styles.problem ?? ''}
        leftSection={<Icon name="alert" size={18} />}
        onClick={() => onOpen('problem')}
        aria-haspopup="dialog"
      >
        Problem?
      </Button>
    </span>
  );
}

type DuberProblemSheetProps = { delivery: Delivery; side: RelayRole; onClose: () => void; onAsk: () => void };

/**
 * The sheet behind "Problem?". Apart from its button, which moves when the phone is turned. It closes when the delivery has no
 * problems left: otherwise it would open by itself once it has some again.
 */
export function DuberProblemSheet({ delivery, side, onClose, onAsk }: DuberProblemSheetProps) {
  const isNeeded = hasProblems(delivery, useUser().id);
  useEffect(() => {
    if (!isNeeded) onClose();
  }, [isNeeded, onClose]);
  if (!isNeeded) return null;
  return <ProblemSheet delivery={delivery} side={side} onClose={onClose} onAsk={onAsk} />;
}

/**
 * Takes the last step back, for ten minutes. One that waits on the device is removed there; one that is final is the town's, as is
 * what was done and could not be sent.
 */
export function Undo({ delivery, onOpen }: DuberProblemsProps) {
  const user = useUser();
  return delivery.duberId === user.id ? (
    <UndoButtons key={delivery.status} delivery={delivery} onOpen={onOpen} />
  ) : null;
}

function UndoButtons({ delivery, onOpen }: DuberProblemsProps) {
  const isOffered = undoLeftMs(delivery, currentTime()) > 0 || isForTheTown(delivery, currentTime());
  const now = useNow(isOffered, EACH_SECOND_MS);
  const step = useDeliveryException(delivery.id);
  const hasWaiting = useWaitingSteps(delivery.id).length > 0;
  const isStepSent = useIsMutating({ mutationKey: STEP_MUTATION }) > 0;
  const left = undoLeftMs(delivery, now);
  const hasRefused = useQueuedSteps(useUser().id, delivery.id).some(({ problem }) => problem !== undefined);
  if (hasWaiting || isStepSent) return null;
  return (
    <>
      {left > 0 && (
        <Button
          variant="subtle"
          size="compact-md"
          loading={step.isPending}
          {...getSinglePressProps(() => step.mutate({ action: 'correct' }))}
        >
          Undo{' '}
          <span className={styles.countdown} aria-hidden="true">
            ({formatCountdown(left)})
          </span>
        </Button>
      )}
      {(hasRefused ||
        isForTheTown(delivery, now) ||
        (left > 0 && step.error instanceof CallFailed && step.error.statusCode === 409)) && (
        <Button variant="subtle" size="compact-md" onClick={() => onOpen('town')} aria-haspopup="dialog">
          Ask the Town
        </Button>
      )}
    </>
  );
}

// It ends the delivery and pays the Duber, and only the town takes it back.
const BROUGHT_BACK: Question = {
  title: 'Is the laundry back?',
  text: 'This ends your delivery. Only the town can take it back.',
  button: 'It Is Back',
};

type UndeliveredStepsProps = {
  delivery: Delivery;
  /** Shared with the sheet for a proof, so that nothing is sent twice. */
  step: ReturnType<typeof useProblemStep>;
  onProve: (action: ProofAction) => void;
  place?: 'page' | 'card';
};

/** What a Duber can do with laundry that nobody took, or that was lost and is found; replaces the next step. */
export function UndeliveredSteps({ delivery, step, onProve, place = 'page' }: UndeliveredStepsProps) {
  const user = useUser();
  const now = useNow(delivery.status === 'Failed');
  const note = useDoorNote(delivery, user.id);
  const asksProof = useConfig()?.asksProof === true;
  if (delivery.duberId !== user.id) return null;
  if (delivery.status === 'Way_Back')
    return (
      <ActionBar place={place} hint={`${bringBackHint(delivery)} ${note ?? ''}`}>
        <Button
          size="lg"
          className={styles.step ?? ''}
          aria-busy={step.isTaking}
          aria-haspopup={asksProof ? 'dialog' : undefined}
          {...getSinglePressProps(() => {
            if (asksProof) onProve('brought-back');
            else if (!step.isTaking)
              void ask(BROUGHT_BACK).then((isBack) => isBack && step.take({ action: 'brought-back' }));
          })}
        >
          Mark as Brought Back
        </Button>
      </ActionBar>
    );
  if (delivery.status !== 'Failed' || !delivery.hasLaundry) return null;
  const { hint, tryAgain, bringBack } = undeliveredTexts(delivery, now);
  const bring = getSinglePressProps(() => step.take({ action: 'bring-back' }));
  if (!canTryAgain(delivery, now))
    return (
      <ActionBar place={place} hint={hint}>
        <Button size="lg" aria-busy={step.isTaking} {...bring}>
          {bringBack}
        </Button>
      </ActionBar>
    );
  return (
    <ActionBar
      place={place}
      hint={hint}
      secondary={
        <Button variant="subtle" aria-busy={step.isTaking} {...bring}>
          {bringBack}
        </Button>
      }
    >
      <Button size="lg" aria-busy={step.isTaking} {...getSinglePressProps(() => step.take({ action: 'try-again' }))}>
        {tryAgain}
      </Button>
    </ActionBar>
  );
}
