import { z } from 'zod';
import { searchText, strict, uuid } from '../fields.ts';
import { operatorCall } from './call.ts';

export const HIT_KINDS = ['order', 'case', 'delivery', 'person'] as const;
/** What matched. */
export const MATCHES = [
  'number',
  'id',
  'name',
  'e-mail',
  'phone',
  'address',
  'card',
  'payment',
  'bag',
  'person',
] as const;

/** A hit. It contains no contacts: a typed contact is only repeated as typed. */
export const Hit = z
  .object({
    kind: z.enum(HIT_KINDS),
    id: uuid,
    title: z.string(),
    detail: z.string().describe('a status, or the role of a person'),
    orderId: uuid.nullable().describe('the order that it belongs to'),
    by: z.enum(MATCHES),
    words: z.string().describe('what matched'),
  })
  .meta({ id: 'TownHit' });
export type Hit = z.output<typeof Hit>;

export const MAX_HITS = 20;

export const searchTown = operatorCall({
  method: 'GET',
  path: '/operator/search',
  permission: 'see',
  query: strict({
    q: searchText('q', 100).min(2, 'q must have at least 2 characters'),
  }),
  answer: z.object({ items: z.array(Hit).max(MAX_HITS) }).meta({ id: 'TownHits' }),
  status: 200,
  failures: [],
  summary:
    'One box for all: an order (R-1042), a case (C-207), the last 8 signs of an id, a name, a whole e-mail, a whole phone, the last digits of a card, house and street of an address, a payment at Square, a bag',
  example: { query: { q: 'R-1042' } },
});
