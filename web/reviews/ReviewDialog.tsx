import { Button, Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import { rating, reviewMessage, strict } from '../../contract/fields.ts';
import type { Review } from '../../contract/reviews.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { useForm, validateFields } from '../ui/useForm.ts';
import styles from './ReviewDialog.module.css';
import { REVIEW_TEXTS } from './reviewTexts.ts';
import { StarPicker } from './StarPicker.tsx';
import { type ReviewRequest, useSendReview } from './useSendReview.ts';

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
  ...asked
}: ReviewRequest & { opened: boolean; onClose: () => void; onDone?: (review: Review) => void }) {
  const form = useForm(EMPTY_REVIEW, (values) => validateFields(reviewSchema, values));
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
