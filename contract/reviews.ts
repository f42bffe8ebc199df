import { z } from 'zod';
import { REVIEW_TYPES } from '../domain/reviews.ts';
import { call } from './call.ts';
import { id, rating, reviewMessage, strict, time, uuid } from './fields.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const REVIEW_EXAMPLE = { message: 'Everything came back fresh and folded.', rating: 5 };

// spec 3
export const Review = z
  .object({
    id: uuid,
    type: z.enum(REVIEW_TYPES),
    rating: z.int().describe('1 to 5'),
    message: z.string(),
    fromUserId: uuid,
    toUserId: uuid,
    orderId: uuid,
    deliveryId: uuid.nullable(),
    createdAt: time,
  })
  .meta({ id: 'Review' });
export type Review = z.output<typeof Review>;

const params = strict({ id: id('id') });
const failures = ['notFound', 'alreadyReviewed', 'tooEarlyToReview'] as const;

export const reviewToScrub = call({
  method: 'POST',
  path: '/scrub-orders/:id/review-to-scrub',
  who: ['Bud'],
  params,
  body: strict({ message: reviewMessage, rating, scrubId: id('scrubId') }),
  answer: Review,
  status: 201,
  failures,
  summary: 'Review the Scrub of a completed order, once',
  spec: '7.3',
  example: { params: { id: ID }, body: { ...REVIEW_EXAMPLE, scrubId: ID } },
});

export const reviewToBud = call({
  method: 'POST',
  path: '/scrub-orders/:id/review-to-bud',
  who: ['Scrub'],
  params,
  body: strict({ message: reviewMessage, rating, budId: id('budId') }),
  answer: Review,
  status: 201,
  failures,
  summary: 'Review the Bud of a completed order, once',
  spec: '7.3',
  example: { params: { id: ID }, body: { ...REVIEW_EXAMPLE, budId: ID } },
});

export const reviewToDuber = call({
  method: 'POST',
  path: '/deliveries/:id/review-to-duber',
  who: ['Bud', 'Scrub'],
  params,
  body: strict({ duberId: id('duberId'), message: reviewMessage, rating }),
  answer: Review,
  status: 201,
  failures,
  summary: 'Review the Duber of a finished delivery, once',
  spec: '7.4',
  example: { params: { id: ID }, body: { ...REVIEW_EXAMPLE, duberId: ID } },
});
