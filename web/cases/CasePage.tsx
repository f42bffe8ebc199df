import { Link, useParams } from 'react-router';
import type { CaseDetails } from '../../contract/cases.ts';
import type { Role } from '../../domain/accounts.ts';
import { PhotoThumbnail } from '../files/Photo.tsx';
import { NotFound, QueryError } from '../ui/ErrorState.tsx';
import { isNotFound } from '../ui/errorMessage.ts';
import { formatDate } from '../ui/format.ts';
import { PageHeader, usePageTitle } from '../ui/PageHeader.tsx';
import { RefreshButton } from '../ui/RefreshButton.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import { useIsBudAsked } from './budsChoice.ts';
import { AnswerCard, ObjectionCard, OfferCard } from './CaseActions.tsx';
import { CaseEventList, CaseItemList, CasePhotoList } from './CaseLists.tsx';
import styles from './Cases.module.css';
import { casesPath, useCase } from './caseQueries.ts';
import { eventText, givenBackText, KIND_TEXTS, outcomeText, stateText, statusLabel } from './caseTexts.ts';
import { useRelayedLaundry } from './relayedLaundry.ts';

/** One problem: what happens now, what its reader can do, and what happened so far. */
export function CasePage({ role }: { role: Role }) {
  const { caseId = '' } = useParams();
  const asked = useCase(caseId);
  const back = { to: casesPath(role), label: 'Back to Problems' };
  const title = asked.data ? `Problem ${asked.data.no}` : 'Problem';
  usePageTitle(title);
  if (isNotFound(asked.error)) return <NotFound title="Problem Not Found" {...back} />;
  if (!asked.data && asked.isError)
    return <QueryError query={asked} level={1} title="Unable To Get The Problem" text="Nothing has changed." />;
  return (
    <>
      <PageHeader
        title={title}
        back={back}
        subtitle={asked.data ? KIND_TEXTS[asked.data.kind] : <Skeleton width={220} />}
      >
        <RefreshButton onRefresh={() => void asked.refetch()} isRefreshing={asked.isFetching} />
      </PageHeader>
      {asked.data && <CaseContent found={asked.data} role={role} />}
    </>
  );
}

function CaseContent({ found, role }: { found: CaseDetails; role: Role }) {
  const { status, actions, items } = found;
  const isBudAsked = useIsBudAsked(found, role);
  const laundry = useRelayedLaundry(found, role);
  const outcome = outcomeText(found);
  return (
    <div className={styles.page}>
      <section className="card" aria-label="Now">
        <h2 className={styles.title}>
          <StatusBadge status={status} label={statusLabel(found, role)} />
        </h2>
        <p className={styles.now}>{stateText(found, role, isBudAsked, laundry)}</p>
        {found.givenBack > 0 && <p>{givenBackText(found)}</p>}
        {outcome && <p>{outcome}</p>}
        <CaseSubject found={found} role={role} />
      </section>
      {actions.includes('answer') && <AnswerCard found={found} />}
      {found.offer && status === 'with-bud' && <OfferCard found={found} role={role} />}
      {(['contest', 'deny'] as const)
        .filter((action) => actions.includes(action))
        .map((action) => (
          <ObjectionCard key={action} found={found} action={action} />
        ))}
      {items.length > 0 && <CaseItems found={found} />}
      <CaseHistory found={found} role={role} />
    </div>
  );
}

function CaseSubject({ found, role }: { found: CaseDetails; role: Role }) {
  const { orderId, deliveryId: about, callerDeliveryId } = found;
  const deliveryId = callerDeliveryId ?? about;
  const to =
    role === 'Duber'
      ? deliveryId && `/duber/deliveries/${deliveryId}`
      : orderId && (role === 'Bud' ? `/bud/orders/${orderId}` : `/scrub/jobs/${orderId}`);
  if (!to) return null;
  return (
    <p>
      <Link to={to}>{{ Bud: 'View the order', Scrub: 'View the job', Duber: 'View the delivery' }[role]}</Link>
    </p>
  );
}

function CaseItems({ found }: { found: CaseDetails }) {
  return (
    <section className="card" aria-label="What is wrong">
      <h2 className={styles.title}>What is wrong</h2>
      <CaseItemList items={found.items} />
    </section>
  );
}

function CaseHistory({ found, role }: { found: CaseDetails; role: Role }) {
  return (
    <section className="card" aria-label="What happened">
      <h2 className={styles.title}>What happened</h2>
      <CaseEventList
        events={found.events}
        textOf={(event) => eventText(event, role)}
        formatDate={formatDate}
        photosOf={({ fileIds }) => (
          <CasePhotoList
            count={fileIds.length}
            photo={(n) => <PhotoThumbnail id={fileIds[n] ?? ''} alt={`Photo ${n + 1} of ${fileIds.length}`} />}
          />
        )}
      />
    </section>
  );
}
