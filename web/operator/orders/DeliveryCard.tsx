import type { TownDelivery } from '../../../contract/operator/orders.ts';
import { exactPlace, isVague } from '../../../domain/positions.ts';
import { CopyId } from '../../ui/CopyId.tsx';
import { formatDateInText, formatKm, formatMoney, labelOf } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import styles from './OrderPage.module.css';
import { Steps } from './Steps.tsx';
import { TownActions } from './TownActions.tsx';

/** One delivery of an order, with its history and what can be done. */
export function DeliveryCard({ delivery, hasExactPlaces }: { delivery: TownDelivery; hasExactPlaces: boolean }) {
  const { id, type, status, duber, attempt, round, price, hasLaundry, position, askedPlace, steps, actions } = delivery;
  // A rounded place is not one to start from: the operator chooses it, or has the places shown.
  const seen = hasExactPlaces ? (askedPlace ?? exactPlace(position ?? undefined)) : undefined;
  const title = `Delivery ${labelOf(type, 'type')}`;
  return (
    <section className={styles.card} aria-label={round > 1 ? `${title}, round ${round}` : title}>
      <div className={styles.top}>
        <h2>{title}</h2>
        <StatusBadge status={status} />
      </div>
      <p>
        {duber ? duber.fullname : 'No Duber'}
        {hasLaundry && ' has the laundry'}
        <span className="quiet">
          {' '}
          · {formatMoney(price)}
          {attempt > 1 && ` · attempt ${attempt}`}
          {round > 1 && ` · round ${round}`}
          {position && ` · last seen ${formatDateInText(position.at)}${withinOf(position)}`}{' '}
          <CopyId id={id} label="delivery id" />
        </span>
      </p>
      <TownActions subject={{ kind: 'delivery', id, place: seen }} actions={actions} />
      <Steps steps={steps} label={`What happened to the delivery ${labelOf(type, 'type')}`} />
    </section>
  );
}

/** How vague the position is, if it is. */
const withinOf = (position: NonNullable<TownDelivery['position']>) =>
  isVague(position) ? `, somewhere within ${formatKm(position.accuracy ?? 0)}` : '';
