import { type RawBuilder, sql } from 'kysely';
import {
  DUBERS,
  EARNERS,
  EARNERS_AT_COMPLETION,
  type Earner,
  type Price,
  type PriceLine,
} from '../../domain/prices.ts';
import { literals } from './columns.sql.ts';
import { dollars, type Json, type JsonProperties, object, raw, toSql, wholeOrParts } from './json.sql.ts';

// The lines of an order `o`: what it costs, item by item. A statement that waited for a lock reads the lines from before it waited, so
// read them in a statement after the lock.

/** What some earn of the price of order `o`, in cents. */
export const centsOf = (...earners: readonly Earner[]) => sql<number>`(select coalesce(sum(ol.cents), 0)::int
  from order_lines ol where ol.order_id = o.id and ol.earner in (${literals(earners)}))`;

/** What is earned with the completion of order `o`. */
export const CENTS_AT_COMPLETION = centsOf(...EARNERS_AT_COMPLETION);
/** What both deliveries of order `o` cost. */
export const CENTS_OF_WAYS = centsOf(...DUBERS);

/** What the delivery of a type costs the Bud of order `o`. */
export const feeOfWay = (
  type: RawBuilder<unknown>,
) => sql<number>`(select coalesce(sum(ol.cents), 0)::int from order_lines ol
  where ol.order_id = o.id and ol.earner = case ${type} when 'Bud_To_Scrub' then 'pickup-duber' else 'delivery-duber' end)`;

/** The lines of order `o`. */
export const LINES = sql<PriceLine[]>`(select coalesce(json_agg(json_build_object('item', ol.item, 'cents', ol.cents,
    'earner', ol.earner, 'isTaxed', ol.is_taxed)), '[]') from order_lines ol where ol.order_id = o.id)`;

const priceWith = (cents: (earner: Earner) => RawBuilder<number>) =>
  ({
    ...Object.fromEntries(
      Object.entries(EARNERS).map(([earner, { field }]) => [field, dollars(cents(earner as Earner))]),
    ),
    totalPrice: dollars(sql<number>`o.total_price`),
  }) as JsonProperties<Price>;
const sumOf = (earner: Earner) => sql<number>`coalesce(sum(ol.cents) filter (where ol.earner = ${sql.lit(earner)}), 0)`;

/** The price of order `o` in dollars: the sums of its lines. */
export const priceJson: Json<Price> = wholeOrParts(
  raw(sql<Price>`(select ${toSql(object<Price>(priceWith(sumOf)))} from order_lines ol where ol.order_id = o.id)`),
  priceWith((earner) => (earner === 'scrub' ? sql<number>`o.load_price` : centsOf(earner))),
);

/** The rows of lines that JSON contains, as `l`. */
export const linesIn = (json: RawBuilder<unknown>) =>
  sql`jsonb_to_recordset(${json}) as l (item text, cents integer, earner text, "isTaxed" boolean)`;
/** The columns `load_price` and `total_price` of an order with the lines of a table `lines`. */
export const SUMS_OF_LINES = sql`(select coalesce(sum(cents) filter (where earner = 'scrub'), 0)::int from lines),
  (select coalesce(sum(cents), 0)::int from lines)`;
