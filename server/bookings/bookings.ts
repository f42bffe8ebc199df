export {
  acceptBooking,
  bookingRefusalOf,
  giveBackBooking,
  leaveScrubsDay,
  lockTimes,
  moveBooking,
  type NewBooking,
  refuseBooking,
  reserveBookingSql,
} from './bookings.sql.ts';
