export {
  acceptBooking,
  giveBackBooking,
  leaveScrubsDay,
  moveBooking,
  type NewBooking,
  refuseBooking,
  reserveBookingSql,
} from './bookings.sql.ts';
