import { type RawBuilder, sql } from 'kysely';
import { GIVEN_BACK_LIFETIME_MS } from '../../domain/orders.ts';
import { ENDS_ARRIVAL, UNPLANNED_STATUSES } from '../../domain/process/delivery.ts';
import {
  DELAYS,
  DELIVERY_LINES,
  type Delay,
  type DeliverySituation,
  type DeliverySituationFacts,
  ORDER_LINES,
  type OrderSituation,
  type OrderSituationFacts,
  type SituationLine,
  valuesOf,
  type Way,
} from '../../domain/process/situation.ts';
import { isOnBoard, isRelayed, literals } from '../db/columns.sql.ts';
import { ALWAYS } from '../db/json.sql.ts';
import type { Viewer } from '../db/lists.sql.ts';

// Where `orders o` and `deliveries d` stand: the lines of the domain over the facts that the database has.

type FactsSql<Facts> = { readonly [F in keyof Facts]: RawBuilder<unknown> };

type WithStatus = { readonly status: string };

/**
 * The situation of the first line that fits, as situationOf and situationOfDelivery find it. Each fact is read once, and only in the
 * statuses whose lines name it.
 */
function firstFit<Name extends string, Facts extends WithStatus>(
  lines: readonly SituationLine<Name, Facts>[],
  facts: FactsSql<Facts>,
  from = sql``,
): RawBuilder<Name> {
  const names = (Object.keys(facts) as (keyof Facts & string)[]).filter((fact) =>
    lines.some(({ fits }) => fact in fits),
  );
  const columns = names.map((fact) => {
    const naming = lines.filter(({ fits }) => fact in fits).map(({ fits }) => fits.status);
    const isAlwaysRead = fact === 'status' || naming.includes(undefined);
    const statuses = literals([...new Set(naming.flatMap((status) => valuesOf(status) as string[]))]);
    const value = isAlwaysRead ? facts[fact] : sql`case when ${facts.status} in (${statuses}) then ${facts[fact]} end`;
    return sql`${value} as ${sql.id(fact)}`;
  });
  const cases = lines.map(({ situation, fits }) => {
    const conditions = (Object.keys(fits) as (keyof Facts & string)[]).map((fact) =>
      isOneOf(sql.id('facts', fact), valuesOf(fits[fact])),
    );
    return sql`when ${sql.join(conditions, sql` and `)} then ${sql.lit(situation)}`;
  });
  return sql<Name>`(select case ${sql.join(cases, sql` `)} end from (select ${sql.join(columns)} ${from} offset 0) facts)`;
}

function isOneOf(fact: RawBuilder<unknown>, values: readonly unknown[]): RawBuilder<boolean> {
  const known = values.filter((value) => value !== null);
  const isKnown =
    typeof known[0] === 'boolean'
      ? sql`${fact} = ${sql.lit(known[0])}`
      : sql`${fact} in (${literals(known as string[])})`;
  if (known.length === values.length) return sql<boolean>`${isKnown}`;
  return known.length === 0 ? sql<boolean>`${fact} is null` : sql<boolean>`(${fact} is null or ${isKnown})`;
}

type Reader = Pick<Viewer, 'role' | 'id'>;

export const isViewersDelivery = ({ id }: Pick<Viewer, 'id'>) => sql`d.duber_id is not distinct from ${id}::uuid`;

/**
 * Which steps `t` of a delivery a viewer sees. A Duber sees their own, and steps of others since they accepted it while the
 * delivery is theirs, but none of earlier Dubers.
 */
export const isStepVisible = (viewer: Reader): RawBuilder<unknown> =>
  viewer.role === 'Duber'
    ? sql`(t.position = 0 or t.actor_id = ${viewer.id}::uuid or (${isViewersDelivery(viewer)}
        and t.position > (select max(own.position) from steps own where own.subject_id = t.subject_id
          and own.action = 'accept-delivery' and own.actor_id = ${viewer.id}::uuid)))`
    : ALWAYS;

/** Whether delivery `d` started over after its step `t`, other than by taking a step back. */
export const HAS_STARTED_OVER = sql`exists (select from steps s where s.subject_id = d.id and s.position > t.position
  and s.action in (${literals(ENDS_ARRIVAL)}))`;
/** Whether step `t` is an arrival at the door where delivery `d` is now. */
export const IS_ARRIVAL = sql`t.action = (case d.status when 'Way_To_Pick' then 'arrived-at-pickup' when 'Way_To_Drop' then 'arrived-at-drop' end)
  and not ${HAS_STARTED_OVER}`;

/** When the Duber of a delivery arrived at the door where it is now, as far as the viewer sees it: as findArrival finds it. */
export const arrivedAt = (viewer: Reader) => sql<Date | null>`(case when d.status in ('Way_To_Pick', 'Way_To_Drop') then
  (select coalesce(t.counts_from, t.taken_at, t.at) from steps t
    where t.subject_id = d.id and ${IS_ARRIVAL} and ${isStepVisible(viewer)} order by t.position limit 1) end)`;

/** How often a delivery was offered again, which begins another attempt. A Duber does not see it. */
export const reOffers = ({ role }: Viewer) =>
  role === 'Duber'
    ? sql<null>`null`
    : sql<number | null>`case when d.attempt = 1 then 0
        else (select count(*)::int from steps t where t.subject_id = d.id and t.action = 're-offer') end`;

/** Who has the laundry while nobody brings it; a Duber does not see that an earlier one could not go on. */
const wasRelayed = ({ role }: Reader) =>
  role === 'Duber' ? sql`false` : sql`(${isRelayed('d')} or d.status = 'Called_Off' and d.carrier_id is not null)`;

function deliveryFacts(viewer: Reader): FactsSql<DeliverySituationFacts> {
  return {
    status: sql`d.status`,
    hasLaundry: isOnBoard('d'),
    isLost: sql`(d.lost_at is not null)`,
    isRelayed: wasRelayed(viewer),
    hasArrived: sql`(${arrivedAt(viewer)} is not null)`,
  };
}

export const deliverySituation = (viewer: Reader): RawBuilder<DeliverySituation> =>
  firstFit(DELIVERY_LINES, deliveryFacts(viewer));

/** Whether delivery `d` is in one of these situations, which are all of unplanned statuses. */
export function isUnplannedSituation(viewer: Reader, situations: readonly DeliverySituation[]): RawBuilder<boolean> {
  const unplanned: readonly unknown[] = UNPLANNED_STATUSES;
  const lines = DELIVERY_LINES.filter(
    ({ fits: { status } }) => status === undefined || valuesOf(status).some((one) => unplanned.includes(one)),
  );
  return sql<boolean>`(d.status in (${literals(UNPLANNED_STATUSES)})
    and ${firstFit(lines, deliveryFacts(viewer))} in (${literals(situations)}))`;
}

/** Whether delivery `d` can have had unplanned steps, besides arrivals and what an operator marked as delivered. */
export const HAS_LEFT_PLAN = sql`(d.attempt > 1 or d.status in (${literals(UNPLANNED_STATUSES)}))`;

/** A value of the delivery of a type in the present round: there is at most one (deliveries_leg_once_a_round). */
export const deliveryOf = <T>(
  type: RawBuilder<unknown>,
  value: RawBuilder<T>,
) => sql<T | null>`(select ${value} from deliveries d
  where d.order_id = o.id and d.round = o.round and d.delivery_type = ${type})`;

const IS_BACK = sql`(o.status = 'Completed'
  or (o.status = 'Cancelled' and ${deliveryOf(sql`'Scrub_To_Bud'`, sql`d.id`)} is not null))`;

/** Where the laundry of an order goes, as wayOf finds it. */
export const WAY = sql<Way>`case when ${IS_BACK} then 'back' else 'there' end`;

const hasStep = (condition: RawBuilder<unknown>) =>
  sql`exists (select from steps t where t.subject_id = o.id and ${condition})`;

/** Whether a hand-over has given the laundry back to its Bud. Before the first hand-over of a cancelled order they have it, too. */
const IS_WITH_BUD = sql`case o.status when 'Cancelled' then o.holder_role = 'Bud'
  else o.holder_role = 'Bud' and coalesce((select h.takes_back is null from handovers h
    where h.order_id = o.id order by h.position desc limit 1), false) end`;

/** Who took the last step that gave an order back. */
const GIVEN_BACK_BY = sql`(select case t.actor_role when 'Operator' then 'town' else 'scrub' end from steps t
  where t.subject_id = o.id and t.action = 'give-back' order by t.position desc limit 1)`;

/** When an order that was given back is cancelled. */
export const GIVEN_BACK_UNTIL = sql<Date | null>`(case when o.status = 'Requested'
  then o.given_back_at + interval '${sql.raw(String(GIVEN_BACK_LIFETIME_MS))} milliseconds' end)`;

/** Whether an order was reopened, which begins another round. */
export const IS_CLEANED_AGAIN = sql<boolean>`(o.round > 1 and ${hasStep(sql`t.action = 'reopen'`)})`;

const ORDER_FACTS: FactsSql<OrderSituationFacts> = {
  status: sql`o.status`,
  wasAccepted: hasStep(sql`t.status = 'Accepted'`),
  hasExpired: hasStep(sql`t.action = 'expire-request'`),
  givenBackBy: sql`(case when o.given_back_at is not null then ${GIVEN_BACK_BY} end)`,
  weight: sql`(case when o.ceiling_size is not null then (select case c.state when 'asked' then 'asked' when 'sent-back' then 'unwashed' end
    from corrections c where c.order_id = o.id) end)`,
  isCleanedAgain: IS_CLEANED_AGAIN,
  isHandedOver: sql`(o.handed_over_at is not null)`,
  isBudsWay: sql`(case when way.is_back then o.self_pickup and way.delivery is null else o.self_delivery end)`,
  isWithBud: IS_WITH_BUD,
  wayHome: sql`o.way_home`,
  delivery: sql`way.delivery`,
};

export const orderSituation = (viewer: Reader): RawBuilder<OrderSituation> =>
  firstFit(
    ORDER_LINES,
    ORDER_FACTS,
    sql`from (select goes.is_back, ${deliveryOf(sql`case when goes.is_back then 'Scrub_To_Bud' else 'Bud_To_Scrub' end`, deliverySituation(viewer))} as delivery
      from (select ${IS_BACK} as is_back offset 0) goes offset 0) way`,
  );

/** What the System has said about a Scrub who is slow in this round: the last of it. */
export const DELAY = sql<Delay | null>`(select t.action from steps t
  where t.subject_id = o.id and t.attempt = o.round and coalesce(t.action in (${literals(DELAYS)}), false)
  order by t.position desc limit 1)`;
