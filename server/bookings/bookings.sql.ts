import { type RawBuilder, sql } from 'kysely';
import type { AskedWork } from '../../domain/weeks.ts';
import { type BookingRefusal, NO_ZONE, WINDOW_REFUSALS } from '../../domain/windows.ts';
import { queryRows, type Tx, violatedConstraint } from '../db/database.ts';
import { prepare } from '../db/prepared.ts';
import { refuse } from '../http/refusals.ts';

// The booking of an order: the places of its windows, and its part of the day of its Scrub. The database reserves, moves and gives back
// by functions (server/db/schema.sql), which lock in one order and keep the counts.

/** The booking that an order asks for. */
export type NewBooking = {
  readonly scrubId: string;
  /** Null outside of all zones. */
  readonly zoneId: string | null;
  /** The starts of the windows in which a Duber drives; null where none does, or for as soon as possible. */
  readonly pickupStarts: Date | null;
  readonly returnStarts: Date | null;
  /** The day of the town on which the Scrub gets the laundry. */
  readonly day: string;
  readonly pounds: number;
  /** How many orders a window takes. */
  readonly places: number;
  /** Whether it has windows that no Scrub has accepted. */
  readonly waits: boolean;
  /** What is asked of the Scrub. */
  readonly asked: AskedWork;
};

const BOOKED = sql`row(o.of_order, o.of_bud, j."scrubId", coalesce(j."zoneId", ${sql.lit(NO_ZONE)}), j."pickupStarts", j."returnStarts", j.day,
  j.pounds, null)::bookings`;

const bookingIn = (json: RawBuilder<unknown>) => sql`jsonb_to_record(${json}) as j ("scrubId" uuid, "zoneId" uuid,
  "pickupStarts" timestamptz, "returnStarts" timestamptz, day text, pounds integer, places integer, waits boolean, asked jsonb)`;

/** An expression that reserves what the JSON of a NewBooking says, for an order and its Bud. */
export const reserveBookingSql = (order: RawBuilder<unknown>, bud: RawBuilder<unknown>, json: RawBuilder<unknown>) =>
  sql`(select reserve_booking(${BOOKED}, j.places, j.waits, j.asked) from (select ${order} as of_order, ${bud} as of_bud) o,
    ${bookingIn(sql`${json}::jsonb`)})`;

/** Why the database cannot reserve what an order asks for; undefined for another error. */
export const bookingRefusalOf = (error: unknown): BookingRefusal | undefined =>
  WINDOW_REFUSALS.find((why) => why === violatedConstraint(error));

/** Turns what the database cannot reserve into its refusal. Other errors stay. */
export function refuseBooking(error: unknown): never {
  const why = bookingRefusalOf(error);
  if (why) return refuse(why);
  throw error;
}

/** Waits for the orders that get windows at this moment. Those that follow see what the transaction has written. */
export const lockTimes = (tx: Tx): Promise<unknown> => queryRows(tx, sql`select pg_advisory_xact_lock(times_lock())`);

const moveTo = prepare<[order: string, booking: string], unknown>(
  (order, json) => sql`select move_booking(${BOOKED}, j.places, j.asked)
    from (select o.id as of_order, o.bud_id as of_bud from orders o where o.id = ${order}::uuid) o, ${bookingIn(sql`${json}::jsonb`)}`,
);

/**
 * Moves what an order has reserved to other windows, another day or another Scrub, and gives the rest back. Refuses what is full: then the
 * transaction has to end. Without a Scrub, the order waits for another one.
 */
export async function moveBooking(
  tx: Tx,
  order: string,
  booking: Omit<NewBooking, 'scrubId' | 'waits' | 'asked'> & {
    readonly scrubId: string | null;
    /** Null where the Scrub has agreed to it. */
    readonly asked: AskedWork | null;
  },
): Promise<void> {
  await moveTo.one(tx, order, JSON.stringify(booking)).catch(refuseBooking);
}

const leaveDay = prepare<[order: string], unknown>(
  (
    order,
  ) => sql`select move_booking(row(b.order_id, b.bud_id, null, b.zone_id, b.pickup_starts, b.return_starts, b.day, b.pounds,
      b.waiting_slot)::bookings, 0, null)
    from bookings b where b.order_id = ${order}::uuid`,
);

/** The Scrub of an order has given it back: its part of their day is free, and its windows stay. */
export const leaveScrubsDay = (tx: Tx, order: string): Promise<void> => leaveDay.send(tx, order);

const giveBack = prepare<[order: string], unknown>((order) => sql`select give_back_booking(${order}::uuid)`);

/** Gives back what an order has reserved that has ended without work. Nothing the second time. */
export const giveBackBooking = (tx: Tx, order: string): Promise<void> => giveBack.send(tx, order);

const accept = prepare<[order: string], unknown>(
  (order) => sql`update bookings set waiting_slot = null where order_id = ${order}::uuid and waiting_slot is not null`,
);

/** A Scrub has accepted the order: its Bud may choose windows for another one. */
export const acceptBooking = (tx: Tx, order: string): Promise<void> => accept.send(tx, order);
