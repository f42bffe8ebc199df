import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { CaseState, TownCase } from '../../../contract/operator/cases.ts';
import { KIND_TEXTS } from '../../cases/caseTexts.ts';
import { Badge } from '../../ui/Badge.tsx';
import { formatAgo, formatMoney } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { type FilterOptions, PagedListPage, useFilter } from '../ListPage.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import styles from './TownCases.module.css';
import { TOWN_STATUS_LABELS } from './townCaseTexts.ts';

const STATES: FilterOptions<CaseState> = [
  { value: 'open', label: 'Open' },
  { value: 'with-town', label: 'Wait for us' },
  { value: 'with-scrub', label: 'Wait for a Scrub' },
  { value: 'with-duber', label: 'Wait for a Duber' },
  { value: 'with-bud', label: 'Wait for a Bud' },
  { value: 'decided', label: 'Decided' },
  { value: 'closed', label: 'Closed' },
];

/** The inbox: cases that wait for the town first, urgent ones at the top. */
export function TownCasesPage() {
  const filter = useFilter(STATES);
  const { value: state, page } = filter;
  const cases = useQuery({
    queryKey: ['cases', state, page],
    queryFn: () => operatorApi.listTownCases({ query: { state, page: String(page) } }),
    refetchInterval: 15_000,
  });
  return (
    <PagedListPage
      title="Cases"
      subtitle="What went wrong, and who is asked about it"
      filter={filter}
      what="cases"
      query={cases}
      empty={state === 'open' ? 'Nothing is open. All is well.' : 'No such cases'}
      drawing="washer"
      labels={['Previous', 'Next']}
    >
      {(rows) => (
        <ul className={cards.rows} aria-label="Cases">
          {rows.map((one) => (
            <CaseRow key={one.id} found={one} />
          ))}
        </ul>
      )}
    </PagedListPage>
  );
}

function CaseRow({ found }: { found: TownCase }) {
  const { id, no, kind, status, priority, orderNumber, openedByName, aboutName, asked, givenBack, createdAt } = found;
  const people = [openedByName, aboutName && `about ${aboutName}`].filter(Boolean).join(' ');
  return (
    <li>
      <Link to={`/operator/cases/${id}`} className={styles.row}>
        <span className={styles.badges}>
          <StatusBadge status={status} label={TOWN_STATUS_LABELS[status]} />
          {priority === 'high' && <Badge color="sun">Urgent</Badge>}
        </span>
        <span className={styles.what}>
          <strong>{KIND_TEXTS[kind]}</strong>
          <span className="quiet">
            {no}
            {orderNumber !== null && ` · ${orderNumber}`}
            {people && ` · ${people}`}
          </span>
        </span>
        <span className={styles.amount}>
          {givenBack > 0 ? `${formatMoney(givenBack)} given` : asked > 0 && `${formatMoney(asked)} asked for`}
        </span>
        <span className={`quiet ${styles.age}`}>{formatAgo(createdAt, new Date())}</span>
      </Link>
    </li>
  );
}
