import type { Today } from '../../../contract/operator/today.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useTownTime } from '../useTownDay.ts';
import styles from './TodayPage.module.css';
import { describeBooks, describeWorks, listWorks, type WorkLine } from './works.ts';

export const isAnythingLate = (today: Today): boolean => listWorks(today).some(({ lateSince }) => lateSince !== null);

/** What the server does by itself: one quiet line while it is in time. */
export function WhatWorks({ today }: { today: Today }) {
  const townTime = useTownTime();
  const works = listWorks(today);
  const books = describeBooks(today, townTime);
  const isLate = isAnythingLate(today);
  return (
    <section className={styles.works} aria-label="What works">
      <Fold
        title={`${describeWorks(works)} ${books}`}
        looks={isLate ? 'card' : 'row'}
        aside={isLate && <span className={styles.kind}>Late</span>}
      >
        <DescriptionList>
          {works.map((work) => (
            <DescriptionItem key={work.name} name={work.name}>
              {describeWork(work, townTime)}
            </DescriptionItem>
          ))}
          <DescriptionItem name="Ledger and card network">{books}</DescriptionItem>
        </DescriptionList>
      </Fold>
    </section>
  );
}

const describeWork = ({ lateSince, waiting }: WorkLine, townTime: (iso: string) => string): string =>
  lateSince === null ? 'In time' : `Late since ${townTime(lateSince)}, ${waiting} waiting`;
