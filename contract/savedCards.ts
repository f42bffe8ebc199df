import { z } from 'zod';
import { EXPIRIES, MAX_SAVED_CARDS } from '../domain/savedCards.ts';
import { call } from './call.ts';
import { id, strict, time, uuid } from './fields.ts';

export const SavedCard = z
  .object({
    id: uuid.describe('pays as `paymentSourceId`'),
    isSaved: z.boolean().describe('false until the card network has the card; until then it cannot pay'),
    brand: z.string().nullable(),
    last4: z.string().nullable(),
    expMonth: z.int().nullable(),
    expYear: z.int().nullable(),
    expiry: z.enum(EXPIRIES).describe('`soon`: within 45 days'),
    savedAt: time,
  })
  .meta({ id: 'SavedCard' });
export type SavedCard = z.output<typeof SavedCard>;

export const listSavedCards = call({
  method: 'GET',
  path: '/profile/cards',
  who: ['Bud'],
  answer: z.object({ items: z.array(SavedCard).max(MAX_SAVED_CARDS) }),
  status: 200,
  failures: [],
  summary: "The caller's saved cards, the one used last first",
  spec: '7.2',
});

export const removeSavedCard = call({
  method: 'DELETE',
  path: '/profile/cards/:id',
  who: ['Bud'],
  params: strict({ id: id('id') }),
  answer: z.undefined(),
  status: 204,
  failures: ['notFound'],
  summary: "Remove one of the caller's saved cards. It is charged for nothing new, and the card network forgets it",
  spec: '7.2',
  example: { params: { id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab' } },
});
