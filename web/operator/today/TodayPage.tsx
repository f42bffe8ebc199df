import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Today } from '../../../contract/operator/today.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatMoney } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { StatCard, StatRow } from '../../ui/StatCard.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { useTownTime } from '../useTownDay.ts';
import { countQueue, formatAge, listQueueRows, type QueueRow } from './queue.ts';
import styles from './TodayPage.module.css';
import { TodayWindows } from './TodayWindows.tsx';
import { TownMapCard } from './TownMapCard.tsx';
import { TODAY_KEYS, useTodayStream } from './useTodayStream.ts';
import { isAnythingLate, WhatWorks } from './WhatWorks.tsx';

/** The server reports changes. Some rows appear only because time passes, so the page also refetches this often. */
const REFETCH_MS = 60_000;
/** Without the stream. */
const REFETCH_UNTOLD_MS = 15_000;

/** What needs attention now, where it is, and the figures of the day. */
export function TodayPage() {
  const townTime = useTownTime();
  const refetchInterval = useTodayStream() ? REFETCH_MS : REFETCH_UNTOLD_MS;
  const today = useQuery({
    queryKey: TODAY_KEYS.today,
    queryFn: ({ signal }) => operatorApi.readToday({}, { signal }),
    refetchInterval,
  });
  const map = useQuery({
    queryKey: TODAY_KEYS.map,
    queryFn: ({ signal }) => operatorApi.readTownMap({}, { signal }),
    refetchInterval,
  });
  const isLate = today.data !== undefined && isAnythingLate(today.data);
  return (
    <>
      <PageHeader title="Today" subtitle={today.data && `As of ${townTime(today.data.at)}`} />
      <Figures counters={today.data?.counters} isFailed={today.isError} />
      {today.data && isLate && <WhatWorks today={today.data} />}
      <div className={styles.columns}>
        <section className={styles.queue} aria-labelledby="queue">
          <div id="queue">
            <SectionHeader title={today.data ? `Needs you now (${countQueue(today.data)})` : 'Needs you now'} />
          </div>
          {today.isPending && <LoadingRows label="today" />}
          {today.isError && !today.data && <QueryError query={today} title="Today did not load" isCard level={3} />}
          {today.data && <Queue today={today.data} />}
        </section>
        <TownMapCard map={map.data} isFailed={map.isError} />
      </div>
      {today.data && <TodayWindows today={today.data} />}
      {today.data && !isLate && <WhatWorks today={today.data} />}
    </>
  );
}

function Figures({ counters, isFailed }: { counters: Today['counters'] | undefined; isFailed: boolean }) {
  return (
    <StatRow isFailed={isFailed}>
      <StatCard label="Placed today" icon="plus" value={counters?.placed} to="/operator/orders" />
      <StatCard label="In progress now" icon="shirt" value={counters?.inProgress} />
      <StatCard label="Completed today" icon="check" value={counters?.completed} />
      <StatCard label="Ordered for" icon="money" value={counters && formatMoney(counters.money)} />
    </StatRow>
  );
}

function Queue({ today }: { today: Today }) {
  // The clock of the server: the browser's may be wrong.
  const now = new Date(today.at);
  const rows = listQueueRows(today);
  const total = countQueue(today);
  if (rows.length === 0) return <EmptyState text="Nothing needs you now" drawing="line" isCard />;
  return (
    <>
      <ul className={cards.rows} aria-label="Needs you now">
        {rows.map((row) => (
          <Row key={row.key} row={row} now={now} />
        ))}
      </ul>
      {total > rows.length && <p className="quiet">And {total - rows.length} more. These are the oldest.</p>}
    </>
  );
}

function Row({ row: { label, since, title, detail, to, isUrgent }, now }: { row: QueueRow; now: Date }) {
  return (
    <li>
      <Link to={to} className={styles.row ?? ''}>
        <span className={isUrgent ? `${styles.kind} ${styles.urgent}` : styles.kind}>{label}</span>
        <span className={styles.title}>{title}</span>
        <span className={styles.detail}>{detail}</span>
        {since && (
          <time className={styles.age} dateTime={since}>
            {formatAge(since, now)}
          </time>
        )}
      </Link>
    </li>
  );
}
