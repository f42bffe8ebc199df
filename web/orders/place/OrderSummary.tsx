import type { Price } from '../../../contract/payments.ts';
import type { Address } from '../../../contract/places.ts';
import { PriceBreakdown } from '../../payments/PriceBreakdown.tsx';
import { Fact, Facts } from '../../ui/DescriptionList.tsx';
import { formatKm, formatMoney } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { loadLabel } from '../labels.ts';
import type { Draft } from './draft.ts';
import styles from './OrderSummary.module.css';

const NOT_YET = <span className="quiet">Not chosen yet</span>;

type SummedProps = {
  readonly draft: Draft;
  readonly address: Address | undefined;
  readonly price: Price | undefined;
  /** The price is being asked for again because the order changed. */
  readonly isStale: boolean;
  /** The price could not be fetched: asks once more. */
  readonly onRetry: (() => void) | undefined;
};

/** At the side of the wizard: what was decided so far and what it costs. */
export function SummaryAside(props: SummedProps) {
  return (
    <aside className={`card ${styles.aside}`} aria-label="Order Summary">
      <h2 className={styles.title}>Order Summary</h2>
      <Summed {...props} />
    </aside>
  );
}

/** The same as a drawer, for phones. */
export function SummaryDrawer(props: SummedProps) {
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
        <Summed {...props} />
      </div>
    </details>
  );
}

function Summed({ draft, address, price, isStale, onRetry }: SummedProps) {
  return (
    <>
      <Facts isColumn>
        <Fact name="Location">{address ? `${address.label}, ${address.address}` : NOT_YET}</Fact>
        <Fact name="Scrub">
          {draft.scrub ? `${draft.scrub.fullname}, ${formatKm(draft.scrub.distanceMeters)} away` : NOT_YET}
        </Fact>
        <Fact name="Load Size">{draft.loadSize ? loadLabel(draft.loadSize) : NOT_YET}</Fact>
      </Facts>
      <div className={styles.price} aria-live="polite" aria-busy={isStale}>
        {price && draft.loadSize ? (
          <div className={isStale ? styles.stale : undefined}>
            <PriceBreakdown order={{ ...draft, loadSize: draft.loadSize }} price={price} />
          </div>
        ) : (
          <NoPrice isAsked={draft.loadSize !== undefined} onRetry={onRetry} />
        )}
      </div>
      <p className={styles.promise}>
        <Icon name="card" size={18} />
        Your card is charged only when the Scrub accepts.
      </p>
    </>
  );
}

function NoPrice({ isAsked, onRetry }: { isAsked: boolean; onRetry: (() => void) | undefined }) {
  if (onRetry)
    return (
      <p>
        The price could not be fetched.{' '}
        <button type="button" className={styles.again} onClick={onRetry}>
          Try Again
        </button>
      </p>
    );
  return <p className="quiet">{isAsked ? 'Fetching the price…' : 'The price shows once a load size is chosen.'}</p>;
}
