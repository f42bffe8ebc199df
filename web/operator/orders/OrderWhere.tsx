import type { TownOrder } from '../../../contract/operator/orders.ts';
import { isVague } from '../../../domain/positions.ts';
import { LazyRouteMap, useCanDrawMaps } from '../../places/LazyRouteMap.tsx';
import '../../places/maps.css';
import { Fold } from '../../ui/Fold.tsx';
import { formatKm } from '../../ui/format.ts';
import { ActFormButton } from '../ActFormButton.tsx';
import { useTownTime } from '../useTownDay.ts';
import { presentDelivery } from './OrderNow.tsx';
import styles from './OrderPage.module.css';

/** Where the laundry is: the way on a map, who has the laundry, and the hand-overs so far. */
export function OrderWhere({ order }: { order: TownOrder }) {
  const { custody, id, placesUntil, way, budPlace, scrubPlace, bud, scrub } = order;
  const { holder, since, bags, handovers } = custody;
  const townTime = useTownTime();
  const canDraw = useCanDrawMaps();
  const delivery = presentDelivery(order);
  const position = delivery?.position ?? undefined;
  const [from, to] = way === 'there' ? [bud, scrub] : [scrub, bud];
  return (
    <section className={styles.card} aria-label="Where the laundry is">
      <h2>Where the laundry is</h2>
      {canDraw && (
        <div className={styles.map}>
          {/* The map draws its ends once, so the way back is another map. */}
          <LazyRouteMap
            key={`${way} ${placesUntil === null}`}
            pickup={delivery?.pickup ?? (way === 'there' ? budPlace : scrubPlace)}
            drop={way === 'there' ? scrubPlace : budPlace}
            position={position}
          />
        </div>
      )}
      <p className="quiet">
        A {from.fullname} · B {to.fullname}
      </p>
      <p>
        With <strong>{holder.fullname}</strong> ({holder.role}){since && ` since ${townTime(since)}`}
        {bags !== null && `, ${bags} ${bags === 1 ? 'bag' : 'bags'}`}
      </p>
      {position && (
        <p className="quiet">
          {delivery?.duber?.fullname ?? 'The Duber'} last seen {townTime(position.at)}
          {isVague(position) && `, somewhere within ${formatKm(position.accuracy ?? 0)}`}
        </p>
      )}
      {placesUntil === null ? (
        <>
          <p className="quiet">Places are rounded. You can see them when you say why, and the audit keeps that.</p>
          <div>
            <ActFormButton act="showPlaces" params={{ id }} />
          </div>
        </>
      ) : (
        <p className="quiet">Exact places shown until {townTime(placesUntil)}</p>
      )}
      {handovers.length > 0 && (
        <Fold looks="row" title="Hand-overs" aside={handovers.length}>
          <Handovers handovers={handovers} />
        </Fold>
      )}
    </section>
  );
}

function Handovers({ handovers }: Pick<TownOrder['custody'], 'handovers'>) {
  const townTime = useTownTime();
  return (
    <ol className={styles.lines} aria-label="Hand-overs">
      {handovers.map(({ at, giver, taker, proof, bags, confirmedBags, takesBack }) => (
        <li key={`${at} ${giver.id} ${taker.id}`}>
          {giver.fullname} → {taker.fullname}
          <span className="quiet">
            {' '}
            · {townTime(at)}
            {proof !== 'none' && ` · by ${proof.replaceAll('-', ' ')}`}
            {(confirmedBags ?? bags) !== null && ` · ${confirmedBags ?? bags} bags`}
            {takesBack !== null && ' · takes an earlier one back'}
          </span>
        </li>
      ))}
    </ol>
  );
}
