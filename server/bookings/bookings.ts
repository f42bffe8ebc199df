export {
  acceptBooking,
  giveBackBooking,
  leaveScrubsDay,
  moveBooking,
  type NewBooking,
  refuseBooking,
  reserveBookingSql,
  takeScrubsDay,
} from './bookings.sql.ts';
