import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Review } from '../../contract/reviews.ts';
import type { Role } from '../../domain/accounts.ts';
import { findReviewRule, mayReview, type ReviewType } from '../../domain/reviews.ts';
import { Stars } from '../ui/Stars.tsx';
import { LazyReviewDialog, preloadReviewDialog } from './LazyReviewDialog.tsx';
import styles from './ReviewCard.module.css';
import { REVIEW_TEXTS } from './reviewTexts.ts';

/** The reviews of an order or a delivery: pass only the reviews that belong to it. */
export type ReviewSubject = { readonly id: string; readonly status: string; readonly reviews: readonly Review[] };

type ReviewCardProps = {
  readonly authorRole: Role;
  readonly targetRole: Role;
  readonly subject: ReviewSubject;
  readonly targetId: string | null;
  /** Below the heading, where the usual sentence does not fit. */
  readonly line?: string | undefined;
};

/**
 * The viewer's review of someone: an invitation to write it once it is possible, otherwise the written review.
 * `targetId` is the id of the reviewed person, null while there is none.
 */
export function ReviewCard({ authorRole: by, targetRole: of, subject, targetId, line }: ReviewCardProps) {
  const [isOpen, setOpen] = useState(false);
  const [sent, setSent] = useState<Review>();
  const card = useRef<HTMLDivElement>(null);
  const type = findReviewRule(by, of)?.type;
  if (type === undefined || (targetId === null && subject.status === 'Called_Off')) return null;
  const written = subject.reviews.find((review) => review.type === type) ?? sent;
  const isInvited = !written && targetId !== null && mayReview(by, of, subject);
  const finish = (review: Review) => {
    setSent(review);
    // The focused button disappears with the invitation.
    card.current?.focus();
  };
  return (
    <div ref={card} tabIndex={-1}>
      {isInvited ? (
        <ReviewInvitation type={type} line={line} onOpen={() => setOpen(true)} />
      ) : (
        <ReviewDisplay title="Your Review" review={written} isCard={written !== undefined} />
      )}
      {targetId !== null && (
        <LazyReviewDialog
          opened={isOpen}
          onClose={() => setOpen(false)}
          type={type}
          subjectId={subject.id}
          targetId={targetId}
          onDone={finish}
        />
      )}
    </div>
  );
}

type ReviewInvitationProps = { type: ReviewType; line: string | undefined; onOpen: () => void };

function ReviewInvitation({ type, line, onOpen }: ReviewInvitationProps) {
  const words = REVIEW_TEXTS[type];
  return (
    <section className={`card ${styles.invitation}`} aria-label={words.invitation}>
      <h2 className={styles.heading}>{words.invitation}</h2>
      <p className="quiet">{line ?? words.line}</p>
      <Button onClick={onOpen} onPointerEnter={preloadReviewDialog} onFocus={preloadReviewDialog}>
        {words.button}
      </Button>
    </section>
  );
}

/** A written review, or a note that there is none yet. Without a card while nobody can write it. */
export function ReviewDisplay({
  title,
  review,
  isCard = true,
}: {
  title: string;
  review: Review | undefined;
  isCard?: boolean;
}) {
  return (
    <section className={isCard ? 'card' : styles.none} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ReviewContent review={review} />
    </section>
  );
}

/** Only the stars and the message, without a card. */
export function ReviewContent({ review }: { review: Review | undefined }) {
  if (!review) return <p className="quiet">Not review yet</p>;
  return (
    <>
      <Stars rating={review.rating} />
      <p className={styles.message}>{review.message}</p>
    </>
  );
}
