import { useQuery } from '@tanstack/react-query';
import type { TownHours } from '../../../contract/operator/hours.ts';
import { describeDay, WEEKDAYS } from '../../../domain/hours.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import sections from '../sections.module.css';
import { useTown } from '../townQuery.ts';
import { useTownTime } from '../useTownDay.ts';
import { ChangeHoursButton } from './ChangeHoursButton.tsx';
import { Closures } from './Closures.tsx';
import styles from './Hours.module.css';
import { PastClosures } from './PastClosures.tsx';
import { Windows } from './Windows.tsx';

/** When orders are taken: by weekday, and the closures. */
export function HoursPage() {
  const hours = useQuery({ queryKey: ['hours'], queryFn: () => operatorApi.readHours() });
  const found = hours.data;
  return (
    <>
      <PageHeader title="Hours" subtitle="When people can place orders. Placed orders go on. Changes start at once." />
      <div className={sections.sections}>
        {hours.isPending && <LoadingRows label="hours" />}
        {hours.isError && !found && <QueryError query={hours} title="The hours did not load" />}
        {found && <Week hours={found} />}
        {found && <Windows hours={found.hours} />}
        {found && <Closures hours={found} />}
        <PastClosures />
      </div>
    </>
  );
}

function Week({ hours }: { hours: TownHours }) {
  const mayChange = useHasRight('prices');
  const { setBy, since } = hours;
  const townTime = useTownTime();
  return (
    <section className={sections.card}>
      <SectionHeader title="Every week">{mayChange && <ChangeHoursButton hours={hours} />}</SectionHeader>
      <StateNow />
      <dl className={styles.week}>
        {WEEKDAYS.map((weekday) => (
          <div key={weekday} className={styles.day}>
            <dt>{weekday}</dt>
            <dd>{describeDay(weekday, hours.hours)}</dd>
          </div>
        ))}
      </dl>
      {since !== null && (
        <p className="quiet">
          Set by {setBy}, {townTime(since)}
        </p>
      )}
    </section>
  );
}

function StateNow() {
  const { data: town } = useTown();
  if (!town) return null;
  if (!town.closed) return <p>The town is open now.</p>;
  return <p>Closed now. Buds read: “{town.closed.words}”</p>;
}
