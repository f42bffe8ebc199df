import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import type { Review } from '../../../contract/reviews.ts';
import { mayReview } from '../../../domain/reviews.ts';
import { LazyReviewDialog } from '../../reviews/LazyReviewDialog.tsx';
import { REVIEW_TEXTS } from '../../reviews/reviewTexts.ts';
import styles from './OrderDeliveries.module.css';

const REVIEW_TYPE = { Bud: 'Bud_To_Duber', Scrub: 'Scrub_To_Duber' } as const;

/** The invitation to review a delivery's driver, once it is delivered and not yet reviewed. */
export function DriverReview({
  delivery,
  reviews,
  role,
  describedBy,
}: {
  delivery: Delivery;
  /** The reviews of the whole order: each delivery has its own. */
  reviews: readonly Review[];
  role: 'Bud' | 'Scrub';
  describedBy: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const own = reviews.filter((review) => review.deliveryId === delivery.id);
  const { duberId } = delivery;
  if (duberId === null || !mayReview(role, 'Duber', { status: delivery.status, reviews: own })) return null;
  return (
    <div className={styles.review}>
      <Button variant="light" aria-describedby={describedBy} onClick={() => setOpen(true)}>
        {REVIEW_TEXTS[REVIEW_TYPE[role]].button}
      </Button>
      <LazyReviewDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        type={REVIEW_TYPE[role]}
        subjectId={delivery.id}
        targetId={duberId}
      />
    </div>
  );
}
