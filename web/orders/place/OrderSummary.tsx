import type { PriceQuote } from '../../../contract/orders.ts';
import type { Address } from '../../../contract/places.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import { chargeTimeText } from '../../../texts/orders.ts';
import { useConfig } from '../../api/config.ts';
import { currentTime } from '../../clock.ts';
import { PriceBreakdown } from '../../payments/PriceBreakdown.tsx';
import { useDistance } from '../../places/useDistance.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatMoney } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { loadSizeLabel } from '../../ui/loadSizeLabel.ts';
import styles from './OrderSummary.module.css';
import type { OrderDraft, StepNumber } from './orderDraft.ts';
import { type AppliedPromo, onCard } from './promo.ts';
import { chosenOf, isChargedBeforeWeighing, timesText } from './times.ts';

const NOT_CHOSEN = <span className="quiet">Not chosen yet</span>;

type OrderSummaryProps = {
  readonly draft: OrderDraft;
  readonly address: Address | undefined;
  readonly price: PriceQuote | undefined;
  /** What the smallest load costs in total, until a load size is chosen. */
  readonly from: number | undefined;
  readonly promo: AppliedPromo | undefined;
  /** The highest size that is charged without asking, where laundry is weighed. */
  readonly limit: OrderSize | undefined;
  /** The price is being fetched again because the order changed. */
  readonly isStale: boolean;
  /** Fetches the price again after a failure. */
  readonly onRetry: (() => void) | undefined;
  /** The current step: what was chosen in the steps before it can be edited. */
  readonly step: StepNumber;
  readonly onEdit: (step: StepNumber) => void;
};

/** Next to the wizard: the choices so far and the price. */
export function SummaryAside(props: OrderSummaryProps) {
  return (
    <aside className="card" aria-label="Order Summary">
      <h2 className={styles.title}>Order Summary</h2>
      <SummaryContent {...props} />
    </aside>
  );
}

/** The same as a drawer, for phones. */
export function SummaryDrawer(props: OrderSummaryProps) {
  const { price, promo, from } = props;
  const total = onCard(price?.totalPrice, promo);
  return (
    <details className={styles.drawer}>
      <summary className={styles.handle}>
        <Icon name="list" size={18} />
        <span className={styles.handleName}>Order Summary</span>
        {total !== undefined && <span className="tabular">{formatMoney(total)}</span>}
        {from !== undefined && <span className="tabular">from {formatMoney(from)}</span>}
        <Icon name="down" size={18} className={styles.arrow} />
      </summary>
      <div className={styles.inside}>
        <SummaryContent {...props} />
      </div>
    </details>
  );
}

/** What was chosen, in the order of the steps. Pickup, return and instructions are shown once their step was open. */
function choicesOf({ draft, address, step }: OrderSummaryProps, format: (meters: number) => string, timeZone: string) {
  const times = chosenOf(draft.times);
  const when = times && timesText(times, timeZone, currentTime());
  const { scrub, loadSize, selfDelivery, selfPickup, instructions } = draft;
  const details = [
    { step: 3, name: 'Pickup', value: selfDelivery ? 'You drop it off' : 'By a Duber' },
    { step: 3, name: 'Delivery', value: selfPickup ? 'You pick it up' : 'By a Duber' },
    { step: 3, name: 'Special Instructions', value: instructions.trim() || 'None' },
  ] as const;
  return [
    { step: 1, name: 'Location', value: address && `${address.label}, ${address.address}` },
    ...(times ? [{ step: 1, name: 'When', value: when } as const] : []),
    { step: 2, name: 'Scrub', value: scrub && `${scrub.fullname}, ${format(scrub.distanceMeters)} away` },
    { step: 3, name: 'Load Size', value: loadSize && loadSizeLabel(loadSize) },
    ...(step >= 3 ? details : []),
  ] as const;
}

function SummaryContent(props: OrderSummaryProps) {
  const format = useDistance();
  const { timeZone = 'UTC' } = useConfig() ?? {};
  return (
    <>
      <DescriptionList isColumn>
        {choicesOf(props, format, timeZone).map((choice) => (
          <DescriptionItem key={choice.name} name={choice.name}>
            <span className={styles.choice}>
              <span className={styles.chosen}>{choice.value ?? NOT_CHOSEN}</span>
              {choice.step < props.step && (
                <button
                  type="button"
                  className={styles.edit}
                  aria-label={`Edit ${choice.name}`}
                  onClick={() => props.onEdit(choice.step)}
                >
                  Edit
                </button>
              )}
            </span>
          </DescriptionItem>
        ))}
      </DescriptionList>
      <SummaryPrice {...props} />
      <p className={styles.promise}>
        <Icon name="card" size={18} />
        {props.limit
          ? chargeTimeText(isChargedBeforeWeighing(props.draft.times, currentTime()))
          : 'Your card is only charged if your Scrub accepts.'}
      </p>
    </>
  );
}

function SummaryPrice({ draft, price, from, promo, limit, isStale, onRetry }: OrderSummaryProps) {
  return (
    <div className={styles.price} aria-live="polite" aria-busy={isStale}>
      {price && draft.loadSize ? (
        <div className={isStale ? styles.stale : undefined}>
          <PriceBreakdown order={{ ...draft, loadSize: draft.loadSize }} price={price} promo={promo?.quote} />
          {price.turnaround !== undefined && price.turnaround.amount > 0 && (
            <p className={styles.atMost}>
              <span>
                {price.turnaround.name === 'same-day'
                  ? 'For the same day, in the load'
                  : 'For the next day, in the load'}
              </span>
              <span className="tabular">{formatMoney(price.turnaround.amount)}</span>
            </p>
          )}
          {limit && price.atMost !== undefined && price.atMost > price.totalPrice && (
            <p className={styles.atMost}>
              <span>{`If it is heavier, up to ${limit}`}</span>
              <strong className="tabular">at most {formatMoney(onCard(price.atMost, promo) ?? price.atMost)}</strong>
            </p>
          )}
        </div>
      ) : (
        <PricePlaceholder from={from} onRetry={onRetry} />
      )}
    </div>
  );
}

function PricePlaceholder({ from, onRetry }: { from: number | undefined; onRetry: (() => void) | undefined }) {
  if (onRetry)
    return (
      <p>
        The price could not be loaded.{' '}
        <button type="button" className={styles.again} onClick={onRetry}>
          Try Again
        </button>
      </p>
    );
  if (from === undefined) return <p className="quiet">Loading the price…</p>;
  return (
    <p className={styles.atMost}>
      <span>A small load, in total</span>
      <strong className="tabular">from {formatMoney(from)}</strong>
    </p>
  );
}
