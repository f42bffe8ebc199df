import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Case } from '../../../contract/cases.ts';
import type { Delivery } from '../../../contract/deliveries.ts';
import { api } from '../../api/client.ts';
import { casePath, useCaseStep } from '../../cases/caseQueries.ts';
import { readExactLocation } from '../../places/geolocation.ts';
import { useSession } from '../../session/session.ts';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { reachText } from '../problemSteps.ts';
import { RelayLink, useOpenRelay } from './RelayAsked.tsx';

const NO_PLACE = 'Your phone has no location. Write where the laundry is, and send it again.';

type RelayFormProps = { delivery: Pick<Delivery, 'id' | 'pickup'>; whyNot: string | undefined };

/** Asks the town for another Duber, once until it is handed on: only an operator hands laundry on that is under way. */
export function RelayForm({ delivery, whyNot }: RelayFormProps) {
  const asked = useOpenRelay(delivery);
  const reach = reachText(Boolean(useSession().user?.phone));
  const navigate = useNavigate();
  const [isLooking, setLooking] = useState(false);
  const [isPlaceless, setPlaceless] = useState(false);
  const ask = useCaseStep(
    (body: Parameters<typeof api.createCase>[0]['body'], idempotencyKey) => api.createCase({ body, idempotencyKey }),
    { done: 'The town knows and will get in touch', failed: 'Not sent' },
  );
  const send = async (words: string) => {
    setLooking(true);
    const place = await readExactLocation(60_000, 10_000);
    setLooking(false);
    // Asked once for words that say it: without the place of the phone the town is asked all the same.
    if (typeof place === 'string' && !isPlaceless) return setPlaceless(true);
    ask.mutate(
      { kind: 'relay', deliveryId: delivery.id, words, ...(typeof place === 'string' ? {} : { place }) },
      // After the toast, because the sheet ends with the page.
      { onSuccess: ({ id }) => navigate(casePath('Duber', id)) },
    );
  };
  // Not instead of a form that is being sent, which then shows the problem.
  if (asked && !ask.isPending && !ask.isSuccess) return <AlreadyAsked found={asked} reach={reach} />;
  return (
    <ReasonForm
      legend=""
      reasons={[]}
      wordsLabel="What happened?"
      button="Ask for Another Duber"
      isPending={isLooking || ask.isPending}
      error={whyNot ?? (isPlaceless ? NO_PLACE : undefined)}
      onSubmit={({ words = '' }) => whyNot === undefined && void send(words)}
    >
      <p className="quiet">
        Keep the laundry with you. We tell the town where you are, and it will send another Duber or {reach}. You are
        paid for the part of the trip that you did.
      </p>
    </ReasonForm>
  );
}

const AlreadyAsked = ({ found, reach }: { found: Case; reach: string }) => (
  <p>
    You have already asked for another Duber. Keep the laundry with you: the town will send one or {reach}.{' '}
    <RelayLink found={found} />
  </p>
);
