import { z } from 'zod';
import { DELIVERY_STATUSES } from '../domain/deliveries.ts';
import { ORDER_STATUSES } from '../domain/orders.ts';
import { anyRole, call } from './call.ts';
import { time, uuid } from './fields.ts';

/**
 * What the stream tells: something of this person's stands at `status` since `at`, and what it looks like now is asked
 * for; or the Duber of the delivery `id` was seen at a place.
 */
export const LiveEvent = z
  .discriminatedUnion('entity', [
    z.object({ entity: z.literal('order'), id: uuid, status: z.enum(ORDER_STATUSES), at: time }),
    z.object({ entity: z.literal('delivery'), id: uuid, status: z.enum(DELIVERY_STATUSES), at: time }),
    z.object({ entity: z.literal('position'), id: uuid, latitude: z.number(), longitude: z.number(), at: time }),
  ])
  .meta({ id: 'LiveEvent' });
export type LiveEvent = z.output<typeof LiveEvent>;
/** A step of an order or a delivery. */
export type StepEvent = Exclude<LiveEvent, { entity: 'position' }>;

/** Says in an answer whether the stream goes on where `Last-Event-ID` left off (`yes`), or the client must look anew. */
export const RESUMED_HEADER = 'x-events-resumed';

/** Not a call of the client: its answer does not end. The server and the descriptions know it from here. */
export const streamEvents = call({
  method: 'GET',
  path: '/events',
  who: anyRole,
  streams: true,
  answer: LiveEvent,
  status: 200,
  failures: [],
  summary:
    'Live updates as server-sent events, each a LiveEvent in JSON; heartbeats are comments. Send the id of the last one, or the X-Events-Cursor of any answer, as Last-Event-ID to go on after it',
  spec: '2',
});
