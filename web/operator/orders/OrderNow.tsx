import { Link } from 'react-router';
import type { Person, TownDelivery, TownOrder } from '../../../contract/operator/orders.ts';
import { exactPlace } from '../../../domain/positions.ts';
import { ORDER_ROWS } from '../../../domain/process/order.ts';
import { TOWN_SITUATIONS, type WaitsFor } from '../../../texts/town.ts';
import { KIND_TEXTS } from '../../cases/caseTexts.ts';
import { Fold } from '../../ui/Fold.tsx';
import { labelOf } from '../../ui/format.ts';
import { TOWN_STATUS_LABELS } from '../cases/townCaseTexts.ts';
import { useHasRight } from '../operatorSession.ts';
import { CallOrWrite } from '../people/CallOrWrite.tsx';
import { useTownTime } from '../useTownDay.ts';
import styles from './OrderPage.module.css';
import { mergeSteps } from './OrderTimeline.tsx';
import { hintText, type SubjectAction, TownActions } from './TownActions.tsx';

/** The delivery of the way that the laundry goes now. */
export const presentDelivery = ({ deliveries, way, round }: TownOrder): TownDelivery | undefined =>
  deliveries.findLast((one) => one.round === round && one.type === (way === 'there' ? 'Bud_To_Scrub' : 'Scrub_To_Bud'));

/** The steps after which an order stands where it stood: what the server says about times, and times that move. */
const KEEPING: ReadonlySet<string> = new Set(
  ORDER_ROWS.flatMap(({ action, from, to }) => (from === to && action !== 'choose-scrub' ? action : [])),
);

/** The order's situation, the person it waits for, the acts of an operator, and the ways to reach its people. */
export function OrderNow({ order }: { order: TownOrder }) {
  const { bud, scrub, way, situation, cases } = order;
  const townTime = useTownTime();
  const duber = presentDelivery(order)?.duber;
  const { sentence, waitsFor } = TOWN_SITUATIONS[situation];
  const names = { bud: bud.fullname, scrub: scrub.fullname, duber: duber?.fullname ?? 'The Duber' };
  const since = mergeSteps(order).find(({ action }) => action === null || !KEEPING.has(action))?.at;
  return (
    <section className={styles.card} aria-label="Now">
      <p className={styles.sentence} aria-live="polite">
        {sentence({ ...names, way, isAtScrub: order.custody.holder.role === 'Scrub' })}
      </p>
      <p className="quiet">
        {waitsFor ? `Waits for ${waitText(waitsFor, names)}, since` : 'Since'} {townTime(since ?? order.placedAt)}
      </p>
      {cases.length > 0 && <Cases cases={cases} />}
      <Actions order={order} />
      <People order={order} />
    </section>
  );
}

function waitText(waitsFor: WaitsFor, names: { bud: string; scrub: string; duber: string }): string {
  if (waitsFor === 'any-duber') return 'a Duber nearby';
  return waitsFor === 'town' ? 'an operator' : names[waitsFor];
}

function Cases({ cases }: Pick<TownOrder, 'cases'>) {
  const townTime = useTownTime();
  return (
    <ul className={styles.lines} aria-label="Cases">
      {cases.map(({ id, number, kind, status, since }) => (
        <li key={id}>
          <Link to={`/operator/cases/${id}`}>
            Case {number} · {KIND_TEXTS[kind]}
          </Link>
          <span className="quiet">
            {' '}
            · {TOWN_STATUS_LABELS[status]} · {townTime(since)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What can be done now; on demand what can be done with other deliveries, and why the rest cannot. */
function Actions({ order }: { order: TownOrder }) {
  const mayDispatch = useHasRight('dispatch');
  if (!mayDispatch) return null;
  const present = presentDelivery(order);
  const others = order.deliveries.filter((delivery) => delivery !== present);
  const ofDelivery = (delivery: TownDelivery): SubjectAction[] => {
    const place = placeOf(delivery, order.placesUntil !== null);
    return delivery.actions.map((action) => ({ subject: { kind: 'delivery', id: delivery.id, place }, action }));
  };
  const now: SubjectAction[] = [
    ...order.actions.map((action) => ({ subject: { kind: 'order', id: order.id } as const, action })),
    ...(present ? ofDelivery(present) : []),
  ];
  const open = now.filter(isOpen);
  const rest = others.filter((delivery) => ofDelivery(delivery).some(isOpen));
  const hints = [...now, ...others.flatMap(ofDelivery)].filter((one) => !isOpen(one)).map(hintText);
  return (
    <>
      {open.length > 0 && <TownActions actions={open} />}
      {rest.length + hints.length > 0 && (
        <Fold looks="row" title="Other actions">
          <div className={styles.lines}>
            {rest.map((delivery) => (
              <div key={delivery.id}>
                <p className="quiet">Delivery {labelOf(delivery.type, 'type')}</p>
                <TownActions actions={ofDelivery(delivery).filter(isOpen)} />
              </div>
            ))}
            {hints.map((hint) => (
              <p key={hint} className="quiet">
                {hint}
              </p>
            ))}
          </div>
        </Fold>
      )}
    </>
  );
}

const isOpen = ({ action: { hint } }: SubjectAction) => hint === null;

/** Where the laundry of a delivery may be. A rounded place is not one to start from: the operator chooses it, or has the places shown. */
const placeOf = ({ askedPlace, position }: TownDelivery, isExact: boolean) =>
  isExact ? (askedPlace ?? exactPlace(position ?? undefined)) : undefined;

/** The people of the order, and how to reach them. A Duber who could not go on has the laundry without a delivery. */
function People({ order }: { order: TownOrder }) {
  const { bud, scrub, budPlace, scrubPlace, deliveries, custody } = order;
  const dubers = [...deliveries.map(({ duber }) => duber), custody.holder].filter(
    (one): one is Person => one?.role === 'Duber',
  );
  const people: readonly (Person & { place?: string })[] = [
    { ...bud, place: budPlace.address },
    { ...scrub, place: scrubPlace.address },
    ...dubers.filter(({ id }, n) => dubers.findIndex((one) => one.id === id) === n),
  ];
  return (
    <ul className={styles.people} aria-label="People">
      {people.map((person) => (
        <li key={person.id}>
          <div>
            <p>
              <Link to={`/operator/people/${person.id}`}>{person.fullname}</Link> · {person.role}
            </p>
            {person.place && <p className="quiet">{person.place}</p>}
          </div>
          <CallOrWrite person={person} />
        </li>
      ))}
    </ul>
  );
}
