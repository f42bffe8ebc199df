import type { ReactNode } from 'react';
import type { Price } from '../../../contract/payments.ts';
import type { Address } from '../../../contract/places.ts';
import { formatKm, formatMoney } from '../../parts/format.ts';
import { Icon } from '../../parts/icons.tsx';
import { PriceBreakdown } from '../../payments/PriceBreakdown.tsx';
import { loadLabel } from '../words.ts';
import type { Draft } from './draft.ts';
import styles from './OrderSummary.module.css';

type Summed = {
  readonly draft: Draft;
  readonly address: Address | undefined;
  readonly price: Price | undefined;
  /** The price is being asked for again because the order changed. */
  readonly isStale: boolean;
  /** The price could not be fetched: asks once more. */
  readonly onRetry: (() => void) | undefined;
};

/** At the side of the wizard: what was decided so far and what it costs. */
export function SummaryAside(props: Summed) {
  return (
    <aside className={`card ${styles.aside}`} aria-label="Order Summary">
      <h2 className={styles.title}>Order Summary</h2>
      <Facts {...props} />
    </aside>
  );
}

/** The same as a drawer, for phones. */
export function SummaryDrawer(props: Summed) {
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
        <Facts {...props} />
      </div>
    </details>
  );
}

function Facts({ draft, address, price, isStale, onRetry }: Summed) {
  return (
    <>
      <dl className={styles.facts}>
        <Fact name="Location" value={address && `${address.label}, ${address.address}`} />
        <Fact
          name="Scrub"
          value={draft.scrub && `${draft.scrub.fullname}, ${formatKm(draft.scrub.distanceMeters)} away`}
        />
        <Fact name="Load Size" value={draft.loadSize && loadLabel(draft.loadSize)} />
      </dl>
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

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? <span className="quiet">Not chosen yet</span>}</dd>
    </div>
  );
}
