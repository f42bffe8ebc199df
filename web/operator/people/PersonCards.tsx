import type { Person } from '../../../contract/operator/people.ts';
import { formatMoney } from '../../ui/formatMoney.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { countText } from '../peopleTexts.ts';
import sections from '../sections.module.css';
import { useTownTime } from '../useTownDay.ts';
import styles from './people.module.css';

/** What is open, and the latest orders or deliveries. */
export function WorkCard({ person: { openWork, latestWork, role } }: { person: Person }) {
  const open = new Set(openWork.map(({ id }) => id));
  const townTime = useTownTime();
  return (
    <section className={sections.card}>
      <SectionHeader title={role === 'Duber' ? 'Deliveries' : 'Orders'} />
      {openWork.length === 0 && latestWork.length === 0 && <p className="quiet">None so far</p>}
      <ul className={styles.rows}>
        {openWork.map(({ id, orderNumber, status, other }) => (
          <li key={id} className={styles.line}>
            <span>
              <strong>{orderNumber}</strong> · {other}
            </span>
            <StatusBadge status={status} />
          </li>
        ))}
        {latestWork
          .filter(({ id }) => !open.has(id))
          .map(({ id, orderNumber, status, createdAt }) => (
            <li key={id} className={styles.line}>
              <span>
                {orderNumber} · {townTime(createdAt)}
              </span>
              <StatusBadge status={status} />
            </li>
          ))}
      </ul>
    </section>
  );
}

export function MoneyAndCounts({ person: { money, orderCounts, deliveryCounts, unplanned } }: { person: Person }) {
  return (
    <section className={sections.card}>
      <SectionHeader title="In numbers" />
      {money && (
        <Counts
          rows={[
            ['Owed', formatMoney(money.owed)],
            ['Of it waits', formatMoney(money.waits)],
          ]}
        />
      )}
      <NamedCounts title="Orders" counts={orderCounts} />
      <NamedCounts title="Deliveries" counts={deliveryCounts} />
      <NamedCounts title="Did not go as planned" counts={unplanned} />
    </section>
  );
}

function NamedCounts({ title, counts }: { title: string; counts: Person['orderCounts'] }) {
  if (counts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <Counts rows={counts.map(({ what, count }) => [countText(what), String(count)])} />
    </>
  );
}

function Counts({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className={styles.counts}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function RatingsCard({ person: { ratings, rating, ratingCount } }: { person: Person }) {
  const townTime = useTownTime();
  return (
    <section className={sections.card}>
      <SectionHeader title="Ratings" />
      {rating === null ? (
        <p className="quiet">None so far</p>
      ) : (
        <p>
          {rating} of 5, from {ratingCount}
        </p>
      )}
      <ul className={styles.rows}>
        {ratings.map((one) => (
          <li key={`${one.orderNumber} ${one.at}`}>
            <Stars rating={one.rating} />
            <p>“{one.message}”</p>
            <p className="quiet">
              {one.from}, {one.orderNumber}, {townTime(one.at)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
