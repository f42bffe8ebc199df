import type { Price } from '../../../contract/payments.ts';
import type { Address } from '../../../contract/places.ts';
import { PriceBreakdown } from '../../payments/PriceBreakdown.tsx';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatKm, formatMoney } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { loadSizeLabel } from '../labels.ts';
import styles from './OrderSummary.module.css';
import type { OrderDraft } from './orderDraft.ts';

const NOT_CHOSEN = <span className="quiet">Not chosen yet</span>;

type OrderSummaryProps = {
  readonly draft: OrderDraft;
  readonly address: Address | undefined;
  readonly price: Price | undefined;
  /** The price is being fetched again because the order changed. */
  readonly isStale: boolean;
  /** Fetches the price again after a failure. */
  readonly onRetry: (() => void) | undefined;
};

/** Next to the wizard: the choices so far and the price. */
export function SummaryAside(props: OrderSummaryProps) {
  return (
    <aside className={`card ${styles.aside}`} aria-label="Order Summary">
      <h2 className={styles.title}>Order Summary</h2>
      <SummaryContent {...props} />
    </aside>
  );
}

/** The same as a drawer, for phones. */
export function SummaryDrawer(props: OrderSummaryProps) {
  const { price } = props;
  return (
    <details className={styles.drawer}>
      <summary className={styles.handle}>
        <Icon name="list" size={18} />
        <span className={styles.handleName}>Order Summary</span>
        {price && <span className="money">{formatMoney(price.totalPrice)}</span>}
        <Icon name="down" size={18} className={styles.arrow} />
      </summary>
      <div className={styles.inside}>
        <SummaryContent {...props} />
      </div>
    </details>
  );
}

function SummaryContent({ draft, address, price, isStale, onRetry }: OrderSummaryProps) {
  return (
    <>
      <DescriptionList isColumn>
        <DescriptionItem name="Location">
          {address ? `${address.label}, ${address.address}` : NOT_CHOSEN}
        </DescriptionItem>
        <DescriptionItem name="Scrub">
          {draft.scrub ? `${draft.scrub.fullname}, ${formatKm(draft.scrub.distanceMeters)} away` : NOT_CHOSEN}
        </DescriptionItem>
        <DescriptionItem name="Load Size">
          {draft.loadSize ? loadSizeLabel(draft.loadSize) : NOT_CHOSEN}
        </DescriptionItem>
      </DescriptionList>
      <div className={styles.price} aria-live="polite" aria-busy={isStale}>
        {price && draft.loadSize ? (
          <div className={isStale ? styles.stale : undefined}>
            <PriceBreakdown order={{ ...draft, loadSize: draft.loadSize }} price={price} />
          </div>
        ) : (
          <PricePlaceholder isAsked={draft.loadSize !== undefined} onRetry={onRetry} />
        )}
      </div>
      <p className={styles.promise}>
        <Icon name="card" size={18} />
        Your card is only charged if your Scrub accepts.
      </p>
    </>
  );
}

function PricePlaceholder({ isAsked, onRetry }: { isAsked: boolean; onRetry: (() => void) | undefined }) {
  if (onRetry)
    return (
      <p>
        The price could not be loaded.{' '}
        <button type="button" className={styles.again} onClick={onRetry}>
          Try Again
        </button>
      </p>
    );
  return <p className="quiet">{isAsked ? 'Loading the price…' : 'Choose a load size to see the price.'}</p>;
}
