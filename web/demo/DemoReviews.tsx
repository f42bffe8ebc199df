import { useConfig } from '../api/config.ts';
import { lazyPart } from '../ui/lazyPart.tsx';

// Most installations have no demo, so their landing page does not load this.
const DemoReviewList = lazyPart('The reviews', async () => (await import('./DemoReviewList.tsx')).DemoReviewList, {
  failure: 'nowhere',
});

/** What the demo people wrote about each other, where the installation has a demo. */
export function DemoReviews() {
  const reviews = useConfig()?.demoReviews ?? [];
  if (reviews.length === 0) return null;
  return <DemoReviewList reviews={reviews} />;
}
