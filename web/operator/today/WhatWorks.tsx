import type { Today } from '../../../contract/operator/today.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useTownTime } from '../useTownDay.ts';
import { formatAge } from './queue.ts';
import styles from './TodayPage.module.css';
import { describeBooks, describeWorks, listWorks } from './works.ts';

export const isAnythingLate = (today: Today): boolean =>
  listWorks(today, String).some(({ lateSince }) => lateSince !== null);

/** What the server does by itself: one quiet line while it is in time. */
export function WhatWorks({ today }: { today: Today }) {
  const townTime = useTownTime();
  const works = listWorks(today, townTime);
  const books = describeBooks(today, townTime);
  const [oldest] = works.flatMap(({ lateSince }) => lateSince ?? []).toSorted();
  return (
    <section className={styles.works} aria-label="What works">
      <Fold
        title={`${describeWorks(works)} ${books}`}
        looks={oldest ? 'card' : 'row'}
        aside={oldest && <span className={styles.kind}>{formatAge(oldest, new Date(today.at))}</span>}
      >
        <DescriptionList>
          {works.map(({ name, text }) => (
            <DescriptionItem key={name} name={name}>
              {text}
            </DescriptionItem>
          ))}
          <DescriptionItem name="Ledger and card network">{books}</DescriptionItem>
        </DescriptionList>
      </Fold>
    </section>
  );
}
