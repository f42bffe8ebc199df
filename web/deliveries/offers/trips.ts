import type { Point } from '../../../domain/places.ts';
import type { Offer } from '../dashboardQuery.ts';
import { pickupAndDropOf } from '../pickupAndDrop.ts';

/** The way of an offer on the map. */
export type Trip = {
  readonly id: string;
  readonly number: number;
  readonly pickup: Point;
  readonly drop: Point;
};

/** Offers without a place at both ends have none. */
export const tripsOf = (offers: readonly Offer[]): Trip[] =>
  offers.flatMap(({ delivery }, index) => {
    const { pickup, drop } = pickupAndDropOf(delivery, 'Duber');
    if (!pickup.point || !drop.point) return [];
    return [{ id: delivery.id, number: index + 1, pickup: pickup.point, drop: drop.point }];
  });
