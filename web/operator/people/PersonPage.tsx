import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Person } from '../../../contract/operator/people.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { AuditRows } from '../audit/AuditPage.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import sections from '../sections.module.css';
import { UnloadedPage } from '../UnloadedPage.tsx';
import { useTownTime } from '../useTownDay.ts';
import { CallOrWrite } from './CallOrWrite.tsx';
import { DocumentsCard } from './DocumentsCard.tsx';
import { StateBadge } from './PeoplePage.tsx';
import { PersonActs } from './PersonActs.tsx';
import { MoneyAndCounts, RatingsCard, WorkCard } from './PersonCards.tsx';
import { CasesCard, DevicesCard, MessagesCard } from './PersonRecords.tsx';
import styles from './people.module.css';
import { RestrictionsCard } from './RestrictionsCard.tsx';

const BACK = { to: '/operator/people', label: 'People' };

/** A person: their state and what an operator can do about it first, then what they did. */
export function PersonPage() {
  const { id = '' } = useParams();
  const person = useQuery({
    queryKey: ['person', id],
    queryFn: () => operatorApi.readPerson({ params: { id } }),
    refetchInterval: 15_000,
  });
  if (person.data) return <Loaded person={person.data} />;
  return <UnloadedPage what="person" title="Person" back={BACK} query={person} />;
}

function Loaded({ person }: { person: Person }) {
  const mayHelp = useHasRight('help');
  const townTime = useTownTime();
  const { fullname, role, createdAt, isVisible, suspension, erasure, audit } = person;
  const hides = role === 'Scrub' && !isVisible;
  return (
    <>
      <PageHeader
        title={fullname}
        subtitle={
          <>
            {role} since {townTime(createdAt)}. {hides && 'Does not want to be found now. '}
            <StateBadge state={person.state} />
          </>
        }
        back={BACK}
      />
      {erasure && (
        <section className={`${sections.card} ${styles.warning}`} aria-label="Deletion">
          <p>
            {erasure.status === 'cooling' ? (
              <>
                <strong>The account is deleted on {townTime(erasure.dueAt)}</strong>, unless its owner signs in and
                keeps it
              </>
            ) : (
              <strong>The account was deleted on {townTime(erasure.since)}</strong>
            )}
          </p>
        </section>
      )}
      {suspension && (
        <section className={`${sections.card} ${styles.warning}`} aria-label="Suspension">
          <p>
            <strong>Suspended until {townTime(suspension.until)}</strong> by {suspension.by.name}: “{suspension.reason}”
          </p>
        </section>
      )}
      {mayHelp && <PersonActs person={person} />}
      <div className={styles.sections}>
        <DocumentsCard person={person} mayDecide={mayHelp} />
        <div className={styles.column}>
          <section className={sections.card}>
            <SectionHeader title="Contact" />
            <div>
              <CallOrWrite person={person} hasAddresses />
            </div>
          </section>
          <RestrictionsCard person={person} mayLift={mayHelp} />
          <MoneyAndCounts person={person} />
          <DevicesCard devices={person.devices} />
          <MessagesCard messages={person.messages} />
        </div>
        <div className={styles.column}>
          <WorkCard person={person} />
          <RatingsCard person={person} />
          <CasesCard cases={person.cases} />
        </div>
        <section className={styles.wide}>
          <SectionHeader title="What operators did" />
          {audit.length === 0 ? <p className="quiet">No entries yet</p> : <AuditRows rows={audit} />}
        </section>
      </div>
    </>
  );
}
