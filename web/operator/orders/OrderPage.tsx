import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { CallFailed } from '../../../contract/callClient.ts';
import type { TownOrder } from '../../../contract/operator/orders.ts';
import { KIND_TEXTS } from '../../cases/caseTexts.ts';
import { CopyId } from '../../ui/CopyId.tsx';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { NotFound } from '../../ui/ErrorState.tsx';
import { formatDateInText } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { AuditRows } from '../audit/AuditPage.tsx';
import { operatorApi } from '../operatorApi.ts';
import { UnloadedPage } from '../UnloadedPage.tsx';
import { DeliveryCard } from './DeliveryCard.tsx';
import { OrderMoney } from './OrderMoney.tsx';
import styles from './OrderPage.module.css';
import { Steps } from './Steps.tsx';
import { TownActions } from './TownActions.tsx';

const REFETCH_MS = 5_000;
const BACK = { to: '/operator/orders', label: 'Orders' };

/** The whole order: what happened, where the laundry is, its money, and what can be done. */
export function OrderPage() {
  const { id = '' } = useParams();
  const order = useQuery({
    queryKey: ['order', id],
    queryFn: ({ signal }) => operatorApi.readTownOrder({ params: { id } }, { signal }),
    refetchInterval: REFETCH_MS,
  });
  if (order.data) return <Order order={order.data} />;
  const isUnknown = order.error instanceof CallFailed && [400, 404].includes(order.error.statusCode);
  if (isUnknown) return <NotFound title="There is no such order" to="/operator/orders" label="All Orders" />;
  return <UnloadedPage what="order" title="Order" back={BACK} query={order} />;
}

function Order({ order }: { order: TownOrder }) {
  const { id, number, status, placedAt, deliveries, steps, cases, audit, actions } = order;
  return (
    <>
      <PageHeader
        title={number}
        back={BACK}
        subtitle={
          <>
            <StatusBadge status={status} /> placed {formatDateInText(placedAt)} <CopyId id={id} label="order id" />
          </>
        }
      />
      <TownActions subject={{ kind: 'order', id }} actions={actions} />
      <div className={styles.columns}>
        <div className={styles.column}>
          {deliveries.map((delivery) => (
            <DeliveryCard key={delivery.id} delivery={delivery} hasExactPlaces={order.placesUntil !== null} />
          ))}
          <section className={styles.card}>
            <h2>What happened</h2>
            <Steps steps={steps} label="What happened" />
          </section>
        </div>
        <div className={styles.column}>
          <Custody custody={order.custody} />
          <About order={order} />
          <OrderMoney order={order} />
          <Cases cases={cases} />
        </div>
      </div>
      <section className={styles.audit}>
        <SectionHeader title="What operators did" />
        {audit.length === 0 ? <p className="quiet">Nothing so far.</p> : <AuditRows rows={audit} />}
      </section>
    </>
  );
}

function Custody({ custody: { holder, since, bags, handovers } }: Pick<TownOrder, 'custody'>) {
  const counted = bags === null ? '' : `, ${bags} ${bags === 1 ? 'bag' : 'bags'}`;
  return (
    <section className={styles.card}>
      <h2>Where the laundry is</h2>
      <p>
        With <strong>{holder.fullname}</strong> ({holder.role}){since ? ` since ${formatDateInText(since)}` : ''}
        {counted}
      </p>
      {handovers.length > 0 && (
        <ol className={styles.lines} aria-label="Hand-overs">
          {handovers.map(({ at, giver, taker, proof, bags: given, confirmedBags, takesBack }) => (
            <li key={`${at} ${giver.id} ${taker.id}`}>
              {giver.fullname} → {taker.fullname}
              <span className="quiet">
                {' '}
                · {formatDateInText(at)}
                {proof === 'none' ? '' : ` · by ${proof.replaceAll('-', ' ')}`}
                {(confirmedBags ?? given) === null ? '' : ` · ${confirmedBags ?? given} bags`}
                {takesBack === null ? '' : ' · takes an earlier one back'}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function About({ order }: { order: TownOrder }) {
  const { bud, scrub, budPlace, scrubPlace, size, ceilingSize, weighings, instructions, leaveAtDoor, round } = order;
  const isWeighed = ceilingSize !== null && ceilingSize !== size;
  return (
    <section className={styles.card}>
      <h2>People and laundry</h2>
      <DescriptionList isColumn>
        <DescriptionItem name="Bud">
          <PersonLink {...bud} /> · {budPlace.address}
        </DescriptionItem>
        <DescriptionItem name="Scrub">
          <PersonLink {...scrub} /> · {scrubPlace.address}
        </DescriptionItem>
        <DescriptionItem name="Laundry">
          {size}
          {isWeighed && `, up to ${ceilingSize}`}
          {leaveAtDoor && ', may stand at the door'}
          {round > 1 && `, round ${round}`}
        </DescriptionItem>
        {weighings.map(({ at, pounds, by }) => (
          <DescriptionItem key={at} name="Weighed">
            {pounds} lbs by {by.fullname}, {formatDateInText(at)}
          </DescriptionItem>
        ))}
        {instructions && <DescriptionItem name="Instructions">{instructions}</DescriptionItem>}
      </DescriptionList>
      <Places {...order} />
    </section>
  );
}

/** Places are rounded until the operator says why they need them. They hide again by themselves. */
function Places({ id, placesUntil }: Pick<TownOrder, 'id' | 'placesUntil'>) {
  if (placesUntil !== null) return <p className="quiet">Exact places shown until {formatDateInText(placesUntil)}</p>;
  return (
    <>
      <p className="quiet">Places are rounded. You can see them when you say why, and the audit keeps that.</p>
      <ActFormButton act="showPlaces" params={{ id }} />
    </>
  );
}

const PersonLink = ({ id, fullname }: TownOrder['bud']) => <Link to={`/operator/people/${id}`}>{fullname}</Link>;

function Cases({ cases }: Pick<TownOrder, 'cases'>) {
  if (cases.length === 0) return null;
  return (
    <section className={styles.card}>
      <h2>Cases</h2>
      <ul className={styles.lines} aria-label="Cases">
        {cases.map(({ id, number, kind, status, since }) => (
          <li key={id}>
            <Link to={`/operator/cases/${id}`}>
              {number} · {KIND_TEXTS[kind]}
            </Link>
            <span className="quiet">
              {' '}
              · {status.replaceAll('-', ' ')} · {formatDateInText(since)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
