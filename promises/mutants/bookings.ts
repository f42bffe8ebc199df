import type { Mutant } from './mutant.ts';

const SUITE = 'server/bookings/bookings.test.ts';

/** What orders reserve: the places of windows, and the days of Scrubs. */
export const BOOKING_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'an order reserves before its key is checked',
    at: 'server/payments/hold/payments.sql.ts#insertIntent',
    replace: [
      'select ${id}::uuid, a.user_id',
      'select case when (${reserveBookingSql(sql`${id}::uuid`, sql`${bud}::uuid`, booking)})::text is null then null else ${id}::uuid end, a.user_id',
    ],
    also: [
      {
        at: 'server/payments/hold/payments.sql.ts#insertIntent',
        replace: ['w.order_id, ${reserveBookingSql(sql`w.order_id`, sql`w.bud_id`, booking)}', 'w.order_id'],
      },
      {
        at: 'server/db/schema.sql',
        replace: [
          'create table bookings ( order_id uuid primary key references payments,',
          'create table bookings ( order_id uuid primary key references payments deferrable initially deferred,',
        ],
      },
    ],
    suite: SUITE,
  },
  {
    mutant: 'a place is given back twice',
    at: 'server/db/schema.sql',
    replace: [
      'delete from bookings b where b.order_id = of_order returning * into gone;',
      'select * into gone from bookings b where b.order_id = of_order;',
    ],
    suite: SUITE,
  },
  {
    mutant: 'the last place of a window is taken again and again',
    at: 'server/db/schema.sql',
    remove: 'where w.taken < places',
    suite: SUITE,
  },
  {
    mutant: 'the limits of a Scrub do not hold for orders that are placed at once',
    at: 'server/db/schema.sql',
    remove:
      'where d.orders < coalesce(most.orders_a_day, d.orders + 1) and d.pounds + load <= coalesce(most.pounds_a_day, d.pounds + load)',
    suite: SUITE,
  },
  {
    mutant: 'orders of a Bud that are placed at once do not see each other',
    at: 'server/db/schema.sql',
    remove: "perform pg_advisory_xact_lock(hashtextextended('waiting orders of ' || new.bud_id, 0));",
    suite: SUITE,
  },
  {
    mutant: 'a card that is declined keeps the place of its order',
    at: 'server/db/schema.sql',
    replace: [
      "and new.state in ('voiding', 'voided', 'declined')) execute function bookings_follow()",
      "and new.state in ('voiding', 'voided')) execute function bookings_follow()",
    ],
    suite: SUITE,
  },
  {
    mutant: 'a Scrub who gives an order back keeps its part of their day',
    at: 'server/orders/orderEffects.ts#keepBooking',
    skip: 'leaveScrubsDay',
    suite: SUITE,
  },
  {
    mutant: 'an order keeps a window of a pause that was saved while its card was asked',
    at: 'server/db/schema.sql',
    replace: [
      'create trigger orders_keep_open before insert or update of pickup_from, return_from on orders',
      'create trigger orders_keep_open before update of pickup_from, return_from on orders',
    ],
    suite: SUITE,
  },
  {
    mutant: 'a placement that meets a closure does not wait for it',
    at: 'server/db/schema.sql',
    remove: 'perform pg_advisory_xact_lock_shared(times_lock());',
    suite: SUITE,
  },
  {
    mutant: 'what is booked is counted before the booking is written',
    at: 'server/db/schema.sql',
    replace: [
      "insert into bookings select new.*; perform take_place('pickup', new.pickup_starts, new.zone_id, places);",
      "perform take_place('pickup', new.pickup_starts, new.zone_id, places); insert into bookings select new.*;",
    ],
    suite: SUITE,
  },
  {
    mutant: 'a window of a day on which the town is closed is offered',
    at: 'domain/windows.ts#windowsOf',
    remove: '!isClosed(window, closed)',
    suite: 'domain/windows.test.ts',
  },
  {
    mutant: 'a closure of one zone does not close it',
    at: 'domain/hours.ts#closuresIn',
    replace: [' || closure.zoneId === zoneId', ''],
    suite: 'server/operator/zoneClosures.test.ts',
  },
  {
    mutant: 'a closure of one zone closes the others too',
    at: 'domain/hours.ts#closuresIn',
    becomes: '[...closures]',
    suite: 'server/operator/zoneClosures.test.ts',
  },
  {
    mutant: 'a closure of one zone asks about the orders of all',
    at: 'server/orders/touched.sql.ts#listTouchedOrders',
    replace: ['sql`and o.zone_id = ${zoneId}`', 'sql``'],
    suite: 'server/operator/zoneClosures.test.ts',
  },
  {
    mutant: 'a promise that was kept counts as late in the figures',
    at: 'server/figures/figures.sql.ts#factsOf',
    replace: [' and not was_back_in_time', ''],
    suite: 'server/figures/figures.test.ts',
  },
];
