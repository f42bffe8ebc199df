import { lazy, Suspense } from 'react';
import { useConfig } from '../config.ts';

// Most installations have no demo, so their landing page does not load this.
const DemoReviewList = lazy(async () => ({ default: (await import('./DemoReviewList.tsx')).DemoReviewList }));

/** What the demo people wrote about each other, where the installation has a demo. */
export function DemoReviews() {
  const reviews = useConfig()?.demoReviews ?? [];
  if (reviews.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <DemoReviewList reviews={reviews} />
    </Suspense>
  );
}
