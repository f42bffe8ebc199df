import type { Delivery } from '../../contract/deliveries.ts';
import type { DeliveryRoute } from '../../contract/deliveryRoute.ts';
import { distanceInMeters, type Point } from '../../domain/places.ts';
import { arrivalSpan, isOnTheWay, isPositionStale, isVague } from '../../domain/positions.ts';
import type { Context } from '../context.ts';
import { parseSerializedJson } from '../db/json.sql.ts';
import { orNotFound } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import type { StreetRoute, StreetRouter } from '../places/streetRouter.ts';
import { readDeliveryJson } from './deliveries.sql.ts';
import { readVisiblePosition } from './positions.ts';

export function routeHandlers({ db, now }: Context, router: StreetRouter): Pick<Handlers, 'readRoute'> {
  return {
    readRoute: async ({ caller, params: { id } }) => {
      // The ends are the places that the caller sees, so that a route shows no more than the delivery does.
      const delivery = parseSerializedJson(orNotFound(await readDeliveryJson(caller, id, now()).run(db)));
      const { pickup, drop } = endsOf(delivery);
      const position = isOnTheWay(delivery.status) ? await readVisiblePosition(db, caller, id, now()) : null;
      const isLive = position && !isVague(position) && !isPositionStale(new Date(position.at), now());
      const next = delivery.status === 'Way_To_Drop' ? drop : pickup;
      const [leg, ahead] = await Promise.all([
        router.findRoute(pickup, drop),
        isLive ? router.findRoute(position, next) : undefined,
      ]);
      return {
        leg: toWay(leg, pickup, drop),
        ahead: isLive
          ? {
              ...toWay(ahead, position, next),
              at: position.at,
              ...toSpan(ahead, now().getTime() - Date.parse(position.at)),
            }
          : null,
      };
    },
  };
}

function endsOf({ deliveryType, order, scrub, pickup }: Delivery): { pickup: Point; drop: Point } {
  const [bud, place] = [order.budAddress, orNotFound(scrub.addresses[0])];
  const [from, drop] = deliveryType === 'Bud_To_Scrub' ? [bud, place] : [place, bud];
  return { pickup: pickup ?? from, drop };
}

function toWay(route: StreetRoute | undefined, from: Point, to: Point): DeliveryRoute['leg'] {
  if (!route)
    return { line: [from, to].map(toPoint), distanceInMeters: distanceInMeters(from, to), followsStreets: false };
  // It begins and ends at the places themselves, which are a few metres beside the street.
  const [first, last] = [route.line[0] ?? from, route.line.at(-1) ?? to];
  const meters = distanceInMeters(from, first) + route.meters + distanceInMeters(last, to);
  return { line: [from, ...route.line, to].map(toPoint), distanceInMeters: meters, followsStreets: true };
}

const toPoint = ({ latitude, longitude }: Point): Point => ({ latitude, longitude });

/** The minutes of a route. A straight line has none, because its duration is unknown. */
function toSpan(route: StreetRoute | undefined, ageMs: number) {
  return route ? arrivalSpan(route.seconds, ageMs) : { fromMin: null, toMin: null };
}
