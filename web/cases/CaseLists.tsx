import type { ReactNode } from 'react';
import type { CaseEvent, CaseItem } from '../../contract/cases.ts';
import { ageText } from '../../domain/claims.ts';
import { formatMoney } from '../ui/format.ts';
import styles from './CaseLists.module.css';
import { ITEM_TEXTS } from './caseTexts.ts';

type CaseItemListProps<Item extends CaseItem> = {
  readonly items: readonly Item[];
  /** Who pays for an item, where that is shown. */
  readonly payerOf?: (item: Item) => ReactNode;
};

/** What is wrong, item by item. */
export function CaseItemList<Item extends CaseItem>({ items, payerOf }: CaseItemListProps<Item>) {
  return (
    <ul className={styles.items}>
      {items.map((item) => {
        const { n, what, kind, worth, ageMonths, asked, decided } = item;
        return (
          <li key={n} className={styles.item}>
            <strong>{what}</strong>
            <span>
              {ITEM_TEXTS[kind]}. {formatMoney(worth)} new, {ageText(ageMonths)}.
            </span>
            <span>
              {formatMoney(asked)} asked for
              {decided !== null && `, ${formatMoney(decided)} decided`}
              {decided !== null && decided > 0 && payerOf && <>, paid by {payerOf(item)}</>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

type CaseEventListProps<Event extends CaseEvent> = {
  readonly events: readonly Event[];
  readonly textOf: (event: Event) => string;
  readonly formatDate: (time: string) => string;
  readonly photosOf: (event: Event) => ReactNode;
  /** Where it happened, where that is shown. */
  readonly placeOf?: (event: Event) => ReactNode;
};

/** What happened, oldest first. */
export function CaseEventList<Event extends CaseEvent>({
  events,
  textOf,
  formatDate,
  photosOf,
  placeOf,
}: CaseEventListProps<Event>) {
  return (
    <ol className={styles.items}>
      {events.map((event) => (
        <li key={`${event.action}${event.createdAt}`} className={`${styles.item} ${styles.event}`}>
          <strong>{textOf(event)}</strong>
          <time className="quiet" dateTime={event.createdAt}>
            {formatDate(event.createdAt)}
          </time>
          {event.words && <p className={styles.words}>{event.words}</p>}
          {placeOf?.(event)}
          {photosOf(event)}
        </li>
      ))}
    </ol>
  );
}

/** Small photos beside each other. */
export function CasePhotoList({ count, photo }: { count: number; photo: (index: number) => ReactNode }) {
  if (count === 0) return null;
  return (
    <ul className={styles.pictures}>
      {Array.from({ length: count }, (_, index) => (
        <li key={index}>{photo(index)}</li>
      ))}
    </ul>
  );
}
