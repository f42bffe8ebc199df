import type { DemoReview } from '../../contract/payments.ts';
import type { Config } from '../config/config.ts';
import type { Tx } from '../db/database.ts';
import { listReviewsBetween } from './reviews.sql.ts';

// The landing page shows them as an example of how people thank each other.
const MINIMUM_RATING = 4;

/** A few reviews between the demo people. Nobody else's: a server with a demo can have real people too. */
export async function listDemoReviews(tx: Tx, { demoPeople }: Config): Promise<DemoReview[]> {
  const emails = demoPeople?.() ?? [];
  if (emails.length === 0) return [];
  const reviews = await listReviewsBetween(tx, emails, MINIMUM_RATING);
  return reviews.map(({ fullname, ...review }) => ({ ...review, author: fullname.split(' ')[0] ?? '' }));
}
