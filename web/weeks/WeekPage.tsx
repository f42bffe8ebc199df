import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Calendar } from '../../contract/weeks.ts';
import { weekdayOf } from '../../domain/hours.ts';
import { startOfLocalDay } from '../../domain/localDays.ts';
import { formatSpan, nameOfDay, toWindow } from '../../texts/windows.ts';
import { currentTime } from '../clock.ts';
import { useUser } from '../session/session.ts';
import { Badge } from '../ui/Badge.tsx';
import { QueryError } from '../ui/ErrorState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { CalendarFeed } from './CalendarFeed.tsx';
import { DaysOff } from './DaysOff.tsx';
import styles from './WeekPage.module.css';
import { WeekSettings } from './WeekSettings.tsx';
import { CALENDAR_QUERY } from './weekQuery.ts';

/** What the next two weeks have for a Scrub, and when they work. */
export function WeekPage() {
  const calendar = useQuery(CALENDAR_QUERY);
  const { isActive } = useUser();
  const found = calendar.data;
  return (
    <>
      <PageHeader title="Your week" subtitle="What comes and goes, and how much you take." />
      {!isActive && (
        <p className={styles.invisible} role="status">
          You are invisible, so nobody finds you, whatever is set here.
        </p>
      )}
      {calendar.isError && !found && <QueryError query={calendar} title="Your week did not load" />}
      {calendar.isPending && (
        <div role="status" aria-label="Loading your week">
          <Skeleton height={300} />
        </div>
      )}
      {found && (
        <div className={styles.page}>
          <Days calendar={found} />
          <div className={styles.settings}>
            <WeekSettings calendar={found} />
            <DaysOff calendar={found} />
            <CalendarFeed hasFeed={found.hasFeed} />
          </div>
        </div>
      )}
    </>
  );
}

type Day = Calendar['days'][number];

/** Days with something on them, and the next ones; the rest is empty and says so in one line. */
function Days({ calendar }: { calendar: Calendar }) {
  const { days, week, timeZone } = calendar;
  return (
    <ol className={styles.days} aria-label="The next two weeks">
      {days.map((day) => (
        <DayRow key={day.day} day={day} limit={week.poundsADay} timeZone={timeZone} />
      ))}
    </ol>
  );
}

function DayRow({ day, limit, timeZone }: { day: Day; limit: number | null; timeZone: string }) {
  const start = startOfLocalDay(day.day, timeZone);
  const name = nameOfDay(start, timeZone, currentTime());
  return (
    <li className={day.jobs.length > 0 || day.pounds > 0 ? styles.day : `${styles.day} ${styles.free}`}>
      <div className={styles.head}>
        <h2>
          {name}
          {(name === 'Today' || name === 'Tomorrow') && <span className="quiet"> {weekdayOf(day.day)}</span>}
        </h2>
        {day.isOff ? <Badge color="other">Day off</Badge> : <Load day={day} limit={limit} />}
      </div>
      {day.jobs.length > 0 && (
        <ul className={styles.jobs}>
          {day.jobs.map(({ orderId, kind, window, bud, loadSize, number }) => (
            <li key={`${orderId} ${kind}`}>
              <Link to={`/scrub/jobs/${orderId}`}>
                <span className="tabular">{window ? formatSpan(toWindow(window), timeZone) : 'Soon'}</span>
                <span>
                  {kind === 'return' ? 'To' : 'From'} {bud}, {loadSize}
                </span>
                <span className="quiet">{number}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** '14 of 40 lb' with a bar; only the pounds where there is no limit. */
function Load({ day: { pounds, orders }, limit }: { day: Day; limit: number | null }) {
  if (pounds === 0 && limit === null) return <span className="quiet">Free</span>;
  const words = limit === null ? `${pounds} lb` : `${pounds} of ${limit} lb`;
  return (
    <span className={styles.load}>
      {limit !== null && <meter min={0} max={limit} value={Math.min(pounds, limit)} aria-label={words} />}
      <span className="tabular">
        {words}
        {orders > 0 && `, ${orders} ${orders === 1 ? 'order' : 'orders'}`}
      </span>
    </span>
  );
}
