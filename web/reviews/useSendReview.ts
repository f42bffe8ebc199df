import { useMutation } from '@tanstack/react-query';
import type { Review } from '../../contract/reviews.ts';
import type { ReviewType } from '../../domain/reviews.ts';
import { api } from '../api/client.ts';
import { refetchKinds } from '../api/queryClient.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';

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

export type ReviewRequest = { readonly type: ReviewType; readonly subjectId: string; readonly targetId: string };

/** Sends a review and shows the result. */
export function useSendReview({ type, subjectId, targetId }: ReviewRequest) {
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
