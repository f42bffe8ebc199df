import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect } from 'react';
import { rating, reviewMessage, strict } from '../../contract/fields.ts';
import type { Review } from '../../contract/reviews.ts';
import type { ReviewType } from '../../domain/reviews.ts';
import { api } from '../api/client.ts';
import { refetchKinds } from '../api/queryClient.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';
import { useForm, validateFields } from '../ui/useForm.ts';
import styles from './ReviewDialog.module.css';
import { REVIEW_TEXTS } from './reviewTexts.ts';
import { StarPicker } from './StarPicker.tsx';

const reviewSchema = strict({ rating, message: reviewMessage });
const EMPTY_REVIEW = { rating: 0, message: '' };

/**
 * Asks for stars and a message, and sends them. `subjectId` is the order's id, or the delivery's when the review is about
 * a Duber. Closing the dialog keeps the input until it is sent.
 */
export function ReviewDialog({
  opened,
  onClose,
  onDone,
  rating: given,
  ...asked
}: ReviewRequest & {
  opened: boolean;
  onClose: () => void;
  onDone?: (review: Review) => void;
  /** The stars that were given before the dialog was opened. */
  rating?: number;
}) {
  const form = useForm(EMPTY_REVIEW, (values) => validateFields(reviewSchema, values));
  useEffect(() => {
    if (opened && given) form.set('rating', given);
    // Only when the dialog opens: its stars can be changed.
  }, [opened, given]);
  const review = useSendReview(asked);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (review.isPending || !form.isValid()) return;
    review.mutate(form.values, {
      onSuccess: (sent) => {
        form.setValues(EMPTY_REVIEW);
        onClose();
        onDone?.(sent);
      },
    });
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={REVIEW_TEXTS[asked.type].title}>
      <form ref={form.form} className={styles.form} onSubmit={send} noValidate>
        <StarPicker
          value={form.values.rating}
          error={form.errors.rating}
          onChange={(stars) => form.set('rating', stars)}
        />
        <Textarea label="Review" autosize={false} rows={5} maxLength={2000} {...form.bind('message')} />
        <Button type="submit" loading={review.isPending} fullWidth>
          Submit Review
        </Button>
      </form>
    </Dialog>
  );
}

type ReviewInput = { readonly rating: number; readonly message: string };
type SendReview = (id: string, targetId: string, words: ReviewInput) => Promise<Review>;

const reviewDuber: SendReview = (id, duberId, words) =>
  api.reviewToDuber({ params: { id }, body: { ...words, duberId } });

/** The call for each type of review. `id` is the order's id, or the delivery's for a Duber. */
const SEND_BY_TYPE: Record<ReviewType, SendReview> = {
  Bud_To_Scrub: (id, scrubId, words) => api.reviewToScrub({ params: { id }, body: { ...words, scrubId } }),
  Scrub_To_Bud: (id, budId, words) => api.reviewToBud({ params: { id }, body: { ...words, budId } }),
  Bud_To_Duber: reviewDuber,
  Scrub_To_Duber: reviewDuber,
};

type ReviewRequest = { readonly type: ReviewType; readonly subjectId: string; readonly targetId: string };

/** Sends a review and shows the result. */
function useSendReview({ type, subjectId, targetId }: ReviewRequest) {
  return useMutation({
    mutationFn: (words: ReviewInput) => SEND_BY_TYPE[type](subjectId, targetId, words),
    onSuccess: () => {
      toast.success('Review submitted successfully!');
    },
    onError: (error) => {
      toast.error('Review Failed', { description: errorMessageOf(error, 'Failed to submit review') });
    },
    onSettled: () => refetchKinds('orders', 'deliveries', 'dashboards'),
  });
}
