import type { DemoReview } from '../../contract/payments.ts';
import type { Config } from '../config/config.ts';
import type { Tx } from '../db/database.ts';
import { listReviewsBetween } from './reviews.sql.ts';

// The landing page shows them as an example of how people thank each other.
const MINIMUM_RATING = 4;

/**
 * A few reviews that the demo itself made. Nobody else's: a server with a demo can have real people too, and anyone who signs in
 * as a demo person can write reviews and change the name.
 */
export async function listDemoReviews(tx: Tx, { demoPeople }: Config): Promise<DemoReview[]> {
  const demo = demoPeople?.();
  if (!demo) return [];
  const { names, doneAt } = demo;
  const reviews = await listReviewsBetween(tx, [...names.keys()], { minimumRating: MINIMUM_RATING, until: doneAt });
  return reviews.map(({ email, ...review }) => ({ ...review, author: names.get(email)?.split(' ')[0] ?? '' }));
}
