import { z } from 'zod';
import { CASE_STATUSES } from '../domain/cases.ts';
import { DELIVERY_STATUSES } from '../domain/deliveries.ts';
import { ORDER_STATUSES } from '../domain/orders.ts';
import { anyRole, call, EVENTS_PATH } from './call.ts';
import { time, uuid } from './fields.ts';
import { Position } from './positions.ts';

/**
 * An event of the stream: an order, a delivery or a case of the user has a new status, and the client reads it again; or the
 * Duber of the delivery `id` has a new position.
 */
export const LiveEvent = z
  .discriminatedUnion('entity', [
    z.object({ entity: z.literal('order'), id: uuid, status: z.enum(ORDER_STATUSES), at: time }),
    z.object({ entity: z.literal('delivery'), id: uuid, status: z.enum(DELIVERY_STATUSES), at: time }),
    z.object({ entity: z.literal('case'), id: uuid, status: z.enum(CASE_STATUSES), at: time }),
    Position.extend({ entity: z.literal('position'), id: uuid }),
  ])
  .meta({ id: 'LiveEvent' });
export type LiveEvent = z.output<typeof LiveEvent>;
/** A new status of an order, a delivery or a case. */
export type ChangeEvent = Exclude<LiveEvent, { entity: 'position' }>;
/** A new status of an order or a delivery. */
export type StepEvent = Extract<LiveEvent, { entity: 'order' | 'delivery' }>;

/** Not in API, because the typed client cannot read a stream. The server and the API docs use this declaration. */
export const streamEvents = call({
  method: 'GET',
  path: EVENTS_PATH,
  who: anyRole,
  streams: true,
  answer: LiveEvent,
  status: 200,
  failures: [],
  summary:
    'Live updates as server-sent events, each a LiveEvent in JSON; heartbeats are comments. To resume, send the id of the last event, or the X-Events-Cursor of any answer, as Last-Event-ID',
  spec: '2',
});
