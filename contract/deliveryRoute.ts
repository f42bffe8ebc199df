import { z } from 'zod';
import { anyRole, call } from './call.ts';
import { id, strict, time } from './fields.ts';

/** A line never has more points. */
export const MAX_LINE_POINTS = 120;

const Degrees = z.object({ latitude: z.number(), longitude: z.number() });

/** A way between two points: the line to draw, and how long it is. Straight when no street is known. */
const Way = z.object({
  line: z.array(Degrees).min(2).max(MAX_LINE_POINTS),
  distanceInMeters: z.int().min(0),
  followsStreets: z.boolean(),
});

/** The Duber's way to the next stop, from their position at the time `at`. */
const WayAhead = Way.extend({ at: time, fromMin: z.int().min(1).nullable(), toMin: z.int().min(2).nullable() });

/** The way of a delivery on the map. */
export const DeliveryRoute = z.object({ leg: Way, ahead: WayAhead.nullable() }).meta({ id: 'DeliveryRoute' });
export type DeliveryRoute = z.output<typeof DeliveryRoute>;

export const readRoute = call({
  method: 'GET',
  path: '/deliveries/:id/route',
  who: anyRole,
  params: strict({ id: id('id') }),
  answer: DeliveryRoute,
  status: 200,
  failures: ['notFound'],
  summary:
    'The way of a delivery that the caller may read, from the places that they see: from pickup to drop, and while the Duber is on the way and shares a position of the last three minutes, from there to the next stop with the minutes until then. Straight lines without minutes where no streets are known',
  spec: '2',
  example: { params: { id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab' } },
});
