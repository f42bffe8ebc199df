import { Button } from '@mantine/core';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { STEP_MUTATION } from '../../api/queryKeys.ts';
import { useFocusMainOnUnmount } from '../../hooks/focusMain.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { useUser } from '../../session/session.ts';
import { useQueuedSteps } from '../queuedSteps/queuedStepStore.ts';
import { useDeliveryStep } from '../queuedSteps/useDelivery.ts';
import { STEP_TEXTS } from '../steps.ts';
import styles from './AcceptOffer.module.css';

type OfferProps = {
  readonly deliveryId: string;
  /** Whether it is accepted ahead, for its window. */
  readonly isForLater: boolean;
  readonly describedBy?: string;
};

/** Accepts an offer, with the same step as on the delivery's page. A Duber can wait for the answer to one Accept for now only. */
export function AcceptOffer(props: OfferProps) {
  const accepts = useQueuedSteps(useUser().id).filter(
    ({ action, problem }) => action === 'accept-delivery' && problem === undefined,
  );
  if (accepts.some(({ deliveryId }) => deliveryId === props.deliveryId))
    return <p className={styles.queued}>Waiting to be sent</p>;
  return accepts.length > 0 && !props.isForLater ? null : <AcceptButton {...props} />;
}

function AcceptButton({ deliveryId, describedBy }: OfferProps) {
  const cache = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  useFocusMainOnUnmount(button);
  const { take, isTaking } = useDeliveryStep(deliveryId, useUser().id);
  const isAnotherTaken = useIsMutating({ mutationKey: STEP_MUTATION }) > 0 && !isTaking;
  const accept = () => {
    // Not the state of the last rendering: two presses may come before the next one.
    if (cache.isMutating({ mutationKey: STEP_MUTATION }) === 0) take('accept-delivery');
  };
  return (
    <Button
      ref={button}
      aria-busy={isTaking}
      aria-disabled={isAnotherTaken || undefined}
      data-disabled={isAnotherTaken}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      {...getSinglePressProps(accept)}
    >
      {STEP_TEXTS['accept-delivery'].button}
    </Button>
  );
}
