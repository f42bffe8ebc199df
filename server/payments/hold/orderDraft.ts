import type { OrderSize } from '../../../domain/orders.ts';
import type { PriceLine } from '../../../domain/prices.ts';
import type { AgreedTimes } from '../../../domain/windows.ts';
import type { NewBooking } from '../../bookings/bookings.ts';
import type { AddressSnapshot } from '../../db/columns.sql.ts';
import type { TakenPromo } from '../../promos/promos.ts';

/** An order before its card is held, as the payment intent stores it. Money in cents. */
export type OrderDraft = {
  readonly id: string;
  readonly budId: string;
  readonly scrubId: string;
  readonly loadSize: OrderSize;
  /** The highest size that is charged without asking, when the order is weighed. */
  readonly ceilingSize?: OrderSize;
  /** The time whose prices it has, when it is weighed. */
  readonly pricedAt?: Date;
  /** The zone whose prices it has. Without one, those of the town. */
  readonly zoneId?: string;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly instructions: string | null;
  readonly lines: readonly PriceLine[];
  /** The rate of the taxes in its price, in hundredths of a percent. */
  readonly taxRate: number;
  /** What a promo code takes off what the card pays. */
  readonly promo?: TakenPromo;
  /** The amount to hold when the order is weighed, in cents: the most that the card pays. Without it the card pays exactly the price. */
  readonly holdAmount?: number;
  /** When its laundry is fetched and brought back; missing for as soon as possible. */
  readonly times?: AgreedTimes;
  /** The card that is saved with the order: its id, and the words that the Bud agreed to. */
  readonly saveCard?: { readonly id: string; readonly consent: string };
  /** What it reserves. */
  readonly booking: NewBooking;
  readonly budAddress: AddressSnapshot;
  readonly scrubAddress: AddressSnapshot;
  readonly distanceInMeters: number;
};
