import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { operatorApi } from '../operatorApi.ts';
import { PageButtons } from '../PageButtons.tsx';
import sections from '../sections.module.css';
import { TownTime } from '../TownTime.tsx';
import { useTownTime } from '../useTownDay.ts';
import styles from './Hours.module.css';

/** Closures that are over or were taken back; nothing while there is none. */
export function PastClosures() {
  const townTime = useTownTime();
  const [page, setPage] = useState(1);
  const past = useQuery({
    queryKey: ['past-closures', page],
    queryFn: () => operatorApi.listPastClosures({ query: { page: String(page) } }),
  });
  const found = past.data;
  if (!found || (page === 1 && found.items.length === 0)) return null;
  return (
    <section className={sections.card}>
      <SectionHeader title="Past closures" />
      <ul className={styles.list} aria-label="Past closures">
        {found.items.map((closure) => (
          <li key={closure.id} className={styles.row}>
            <div>
              <p>
                {closure.zone && <strong>{closure.zone.name}: </strong>}
                <TownTime at={closure.from} /> to {townTime(closure.until)}
              </p>
              <p className={styles.words}>{closure.words}</p>
              <p className="quiet">
                Added by {closure.addedBy}
                {closure.takenBack && `, taken back by ${closure.takenBack.by} ${townTime(closure.takenBack.at)}`}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <PageButtons page={page} hasMore={found.hasMore} onPage={setPage} />
    </section>
  );
}
