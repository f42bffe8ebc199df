import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { Answer } from '../../../contract/call.ts';
import type { OperatorApi } from '../../../contract/operator/api.ts';
import type { DayDifference } from '../../../contract/operator/reconciliation.ts';
import { DAY_SUMS, type DaySum } from '../../../domain/reconciledDays.ts';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import { UnloadedPage } from '../UnloadedPage.tsx';
import { useTownTime } from '../useTownDay.ts';
import { DayBadge } from './DayBadge.tsx';
import styles from './Reconciliation.module.css';

type Day = Answer<OperatorApi['readReconciledDay']>;

const SUM_TEXTS: Readonly<Record<DaySum, string>> = {
  charged: 'Charged',
  refunded: 'Refunded',
  fees: 'Fees',
  disputed: 'Chargebacks',
};

const BACK = { to: '/operator/reconciliation', label: 'Reconciliation' };

/** One day on both sides, and the payments that differ. */
export function ReconciledDayPage() {
  const { day = '' } = useParams();
  const asked = useQuery({
    queryKey: ['reconciliation', 'one', day],
    queryFn: () => operatorApi.readReconciledDay({ params: { day } }),
    // It is compared in the background.
    refetchInterval: ({ state }) => (state.data?.isChecking ? 2_000 : 30_000),
  });
  const { data } = asked;
  if (!data) return <UnloadedPage what="day" title={day} back={BACK} query={asked} />;
  return (
    <>
      <PageHeader title={formatDay(day)} subtitle={<Subtitle {...data} />} back={BACK}>
        <ActFormButton act="recheckDay" name={formatDay(day)} params={{ day }} />
      </PageHeader>
      <div className={cards.page}>
        <div>
          <DayBadge day={data} />
        </div>
        {data.failure !== null && <p role="alert">The last try failed: {data.failure}. It is tried again by itself.</p>}
        <Sums day={data} />
        <Differences day={data} />
      </div>
    </>
  );
}

function Subtitle({ checkedAt, counts }: Day) {
  const townTime = useTownTime();
  if (checkedAt === null || counts === null) return 'It was not compared yet';
  const { charged, refunded, disputed } = counts;
  const say = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  const words = [say(charged, 'payment'), say(refunded, 'refund'), say(disputed, 'chargeback')].join(', ');
  return `${words}. Checked ${townTime(checkedAt)}`;
}

function Sums({ day: { ours, theirs, difference } }: { day: Day }) {
  if (ours === null || theirs === null || difference === null) return null;
  return (
    <table className={styles.sums} aria-label="Both sides">
      <thead>
        <tr>
          <th scope="col">In the day</th>
          <th scope="col">Ours</th>
          <th scope="col">Card network</th>
        </tr>
      </thead>
      <tbody>
        {[...DAY_SUMS, 'net' as const].map((name) => (
          <tr key={name} className={ours[name] === theirs[name] ? undefined : styles.differs}>
            <th scope="row">{name === 'net' ? 'Net' : SUM_TEXTS[name]}</th>
            <td>{formatMoney(ours[name])}</td>
            <td>{formatMoney(theirs[name])}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Difference</th>
          <td colSpan={2}>{formatMoney(difference)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Differences({ day: { state, differing, differences } }: { day: Day }) {
  if (differences.length === 0)
    return state === 'equal' ? <p className="quiet">Every payment is the same on both sides.</p> : null;
  return (
    <section className={styles.differences}>
      <SectionHeader title="What differs" />
      <p className="quiet">
        Look at each payment at Square. Correct it there or give money back here, then check the day again.
        {differing > differences.length && ` These are the first ${differences.length} of ${differing}.`}
      </p>
      <ul aria-label="What differs">
        {differences.map((one) => (
          <li key={`${one.squareId} ${one.what}`} className={cards.card}>
            <Difference difference={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Difference({
  difference: { what, squareId, orderId, orderNumber, ours, theirs },
}: {
  difference: DayDifference;
}) {
  const maySee = useHasRight('see');
  const name = orderNumber ?? 'Only at the card network';
  return (
    <>
      <strong>
        {SUM_TEXTS[what]} · {orderId !== null && maySee ? <Link to={`/operator/orders/${orderId}`}>{name}</Link> : name}
      </strong>
      <span className="tabular">
        Ours {formatMoney(ours)} · card network {formatMoney(theirs)}
      </span>
      <span className="quiet">Payment {squareId}</span>
    </>
  );
}
