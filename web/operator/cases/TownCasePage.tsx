import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { TownCaseDetails } from '../../../contract/operator/cases.ts';
import type { Role } from '../../../domain/accounts.ts';
import { reasonText } from '../../../texts/chargebacks.ts';
import { CaseEventList, CaseItemList, CasePhotoList } from '../../cases/CaseLists.tsx';
import { KIND_TEXTS } from '../../cases/caseTexts.ts';
import { PhotoRead } from '../../files/Photo.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { NotFound, QueryError } from '../../ui/ErrorState.tsx';
import { isNotFound } from '../../ui/errorMessage.ts';
import { formatMoney } from '../../ui/format.ts';
import { PageHeader, usePageTitle } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import { TownTime } from '../TownTime.tsx';
import { useTownAlone } from '../useConsent.ts';
import { useTownTime } from '../useTownDay.ts';
import { CloseCaseButton, DecideButton } from './DecideCase.tsx';
import styles from './TownCases.module.css';
import { liableChoices, TOWN_STATUS_LABELS, townAnswerText, townEventText, townPlaceText } from './townCaseTexts.ts';

const BACK = { to: '/operator/cases', label: 'Cases' };

/** One case: what is wrong, what happened, and the decision. */
export function TownCasePage() {
  const { caseId = '' } = useParams();
  const asked = useQuery({
    queryKey: ['case', caseId],
    queryFn: () => operatorApi.readTownCase({ params: { id: caseId } }),
    refetchInterval: 15_000,
  });
  const found = asked.data;
  const title = found ? `Case ${found.no}` : 'Case';
  usePageTitle(title);
  if (isNotFound(asked.error)) return <NotFound title="Case Not Found" {...BACK} />;
  return (
    <>
      <PageHeader title={title} back={BACK} subtitle={found && KIND_TEXTS[found.kind]} />
      {asked.isPending && <LoadingRows label="case" />}
      {asked.isError && !found && <QueryError query={asked} title="The case did not load" isCard />}
      {found && (
        <div className={styles.page}>
          <Now found={found} />
          {found.items.length > 0 && <Items found={found} />}
          <History found={found} />
        </div>
      )}
    </>
  );
}

function Now({ found }: { found: TownCaseDetails }) {
  const mayDecide = useHasRight('help') && found.status === 'with-town';
  const { kind, status, priority, orderNumber, people, reason, givenBack, dueAt } = found;
  const { runsAlone } = useTownAlone();
  const answer = townAnswerText(found);
  const isUrgent = priority === 'high';
  return (
    <section className="card" aria-label="Now">
      <p className={styles.badges}>
        <StatusBadge status={status} label={TOWN_STATUS_LABELS[status]} />
        {isUrgent && <Badge color="sun">Urgent</Badge>}
      </p>
      <DescriptionList>
        {orderNumber !== null && (
          <DescriptionItem name="Order">
            <Link to={`/operator/orders/${found.orderId}`}>{orderNumber}</Link>
          </DescriptionItem>
        )}
        {people && <Person name="Bud" person={people.bud} />}
        {people && <Person name="Scrub" person={people.scrub} />}
        {people?.duber && <Person name="Duber" person={people.duber} />}
        {reason !== null && (
          <DescriptionItem name="Reason">{kind === 'chargeback' ? reasonText(reason) : reason}</DescriptionItem>
        )}
        {answer !== undefined && (
          <DescriptionItem name={`${found.aboutRole ?? 'Last'} answered`}>{answer}</DescriptionItem>
        )}
        {givenBack > 0 && <DescriptionItem name="Given back">{formatMoney(givenBack)}</DescriptionItem>}
        {dueAt !== null && !(isUrgent && status === 'with-town') && (
          <DescriptionItem name={dueLabel(status)}>
            <TownTime at={dueAt} />
          </DescriptionItem>
        )}
        {found.orderId !== null && (
          <DescriptionItem name="Can be given back" isWide>
            {limitsText(found, runsAlone)}
          </DescriptionItem>
        )}
      </DescriptionList>
      {mayDecide && (
        <div className="buttons">
          {kind === 'chargeback' && (
            <Button component={Link} to="/operator/chargebacks">
              Answer the Bank
            </Button>
          )}
          <DecideButton found={found} />
          <CloseCaseButton found={found} />
        </div>
      )}
    </section>
  );
}

const Person = ({ name, person }: { name: Role; person: { id: string; name: string } }) => (
  <DescriptionItem name={name}>
    <Link to={`/operator/people/${person.id}`}>{person.name}</Link>
  </DescriptionItem>
);

/** What the timer will do. */
const dueLabel = (status: TownCaseDetails['status']) =>
  status === 'with-town' ? 'Urgent from' : status === 'decided' ? 'Can be contested until' : 'Goes on by itself';

function limitsText({ kind, caps, left, limit, givenBack }: TownCaseDetails, runsAlone: boolean): string {
  if (left === null) return 'Nothing: the card was not charged';
  const item = kind === 'claim' ? `${formatMoney(caps.garment)} an item, ` : '';
  const order = Math.min(caps.order, left + givenBack);
  const most = `At most ${item}${formatMoney(order)} in all.`;
  return runsAlone ? most : `${most} More than ${formatMoney(limit)} an order needs the approval of another operator.`;
}

function Items({ found }: { found: TownCaseDetails }) {
  const bearers = liableChoices(found);
  const nameOf = (liable: string | null) => bearers.find(({ value }) => value === liable)?.label ?? liable;
  return (
    <section className="card" aria-label="What is wrong">
      <h2 className={styles.title}>What is wrong</h2>
      <CaseItemList items={found.items} payerOf={({ liable }) => nameOf(liable)} />
    </section>
  );
}

function History({ found }: { found: TownCaseDetails }) {
  const townTime = useTownTime();
  return (
    <section className="card" aria-label="What happened">
      <h2 className={styles.title}>What happened</h2>
      <CaseEventList
        events={found.events}
        textOf={townEventText}
        formatDate={townTime}
        placeOf={({ place }) => place && <p>{townPlaceText(place)}</p>}
        photosOf={({ fileIds }) => <CasePhotos fileIds={fileIds} />}
      />
    </section>
  );
}

function CasePhotos({ fileIds }: { fileIds: readonly string[] }) {
  const [open, setOpen] = useState<number>();
  if (fileIds.length === 0) return null;
  const photo = (index: number, className: string | undefined) => {
    const id = fileIds[index] ?? '';
    const read = (signal: AbortSignal) => operatorApi.readTownFile({ params: { id } }, { signal });
    return <PhotoRead id={id} alt={`Photo ${index + 1} of ${fileIds.length}`} className={className} read={read} />;
  };
  return (
    <>
      <CasePhotoList
        count={fileIds.length}
        photo={(index) => (
          <button
            type="button"
            className={styles.thumb}
            aria-label={`Photo ${index + 1} of ${fileIds.length}`}
            onClick={() => setOpen(index)}
          >
            {photo(index, styles.picture)}
          </button>
        )}
      />
      <Dialog
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={`Photo ${(open ?? 0) + 1} of ${fileIds.length}`}
        size="xl"
      >
        {open !== undefined && photo(open, styles.large)}
      </Dialog>
    </>
  );
}
