import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Answer } from '../../../contract/call.ts';
import type { OperatorApi } from '../../../contract/operator/api.ts';
import { DISPUTE_ROWS, type DisputeAction } from '../../../domain/process/dispute.ts';
import { reasonText } from '../../../texts/chargebacks.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatMoney } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { BEARER_TEXTS, daysLeftText, statusText } from '../disputeTexts.ts';
import { LoadingRows } from '../LoadingRows.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { UnloadedPage } from '../UnloadedPage.tsx';
import { useTownTime } from '../useTownDay.ts';
import styles from './ChargebackPage.module.css';

type DisputeDetails = Answer<OperatorApi['readDispute']>;

/** One chargeback: what it is about, what the bank is told, and what can be done. */
export function ChargebackPage() {
  const { disputeId = '' } = useParams();
  const dispute = useQuery({
    queryKey: ['disputes', 'one', disputeId],
    queryFn: () => operatorApi.readDispute({ params: { id: disputeId } }),
    // The card network is told in the background.
    refetchInterval: ({ state }) => (state.data?.onItsWay ? 2_000 : 30_000),
  });
  const back = { to: '/operator/chargebacks', label: 'Chargebacks' };
  const { data } = dispute;
  if (!data) return <UnloadedPage what="chargeback" title="Chargeback" back={back} query={dispute} />;
  return (
    <>
      <PageHeader
        title={`Chargeback of ${data.orderNumber}`}
        subtitle={`${formatMoney(data.amount)} · ${statusText(data)}`}
        back={back}
      />
      <div className={cards.page}>
        <Facts dispute={data} />
        {data.onItsWay === null && <Buttons dispute={data} />}
        <Evidence dispute={data} />
      </div>
    </>
  );
}

function Facts({ dispute }: { dispute: DisputeDetails }) {
  const townTime = useTownTime();
  const { reason, daysLeft, dueAt, seenAt, sentAt, endedAt, status, bears, failure } = dispute;
  return (
    <section className={cards.card}>
      <p>{reasonText(reason)}.</p>
      {daysLeft !== null && dueAt !== null && (
        <p>
          <strong>{daysLeftText(daysLeft)}</strong>: the bank wants an answer by {townTime(dueAt)}. Without one the
          money is lost.
        </p>
      )}
      <p className="quiet">
        Seen {townTime(seenAt)}
        {sentAt !== null && `, evidence sent ${townTime(sentAt)}`}
        {endedAt !== null && `, ${status} ${townTime(endedAt)}`}
        {status === 'lost' && `. ${BEARER_TEXTS[bears]} pays for it`}.
      </p>
      {failure !== null && <p role="alert">The card network did not take it: {failure}</p>}
    </section>
  );
}

const isPossible = ({ status }: DisputeDetails, action: DisputeAction) =>
  DISPUTE_ROWS.some((row) => row.action === action && row.from === status);

type DisputeProps = { readonly dispute: DisputeDetails };

function Buttons({ dispute }: DisputeProps) {
  const params = { id: dispute.id };
  return (
    <div className="buttons">
      {isPossible(dispute, 'send') && <ActFormButton act="sendDispute" params={params} />}
      {isPossible(dispute, 'prepare') && (
        <ActFormButton
          act="prepareDispute"
          params={params}
          {...(dispute.status === 'prepared' ? { label: 'Save Again…', variant: 'default' } : {})}
        />
      )}
      {isPossible(dispute, 'accept') && (
        <ActFormButton act="acceptDispute" params={params} fields={['liable']} start={{ liable: 'platform' }} />
      )}
    </div>
  );
}

function Evidence({ dispute: { id, preparedAt, preparedBy } }: { dispute: DisputeDetails }) {
  const townTime = useTownTime();
  const evidence = useQuery({
    queryKey: ['disputes', 'evidence', id],
    queryFn: () => operatorApi.readDisputeEvidence({ params: { id } }),
  });
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">What we send to the bank</h2>
      <p className="quiet">
        {preparedAt === null
          ? 'As it would be saved now.'
          : `Kept by ${preparedBy ?? 'an operator'}, ${townTime(preparedAt)}.`}
      </p>
      {evidence.isPending && <LoadingRows label="evidence" />}
      {evidence.isError && <QueryError query={evidence} title="The evidence did not load" isCard />}
      <ol className={styles.evidence}>
        {evidence.data?.pieces.map((piece) => (
          <li key={piece}>{piece}</li>
        ))}
      </ol>
    </section>
  );
}
