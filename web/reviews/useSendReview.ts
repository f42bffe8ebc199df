import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Review } from '../../contract/reviews.ts';
import type { ReviewType } from '../../domain/reviews.ts';
import { api } from '../api.ts';
import { messageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';

type Words = { readonly rating: number; readonly message: string };
type Send = (id: string, targetId: string, words: Words) => Promise<Review>;

const toDuber: Send = (id, duberId, words) => api.reviewToDuber({ params: { id }, body: { ...words, duberId } });

/** The call of each type of review. `id` is the order's, or the delivery's when it is about a Duber. */
const SEND: Record<ReviewType, Send> = {
  Bud_To_Scrub: (id, scrubId, words) => api.reviewToScrub({ params: { id }, body: { ...words, scrubId } }),
  Scrub_To_Bud: (id, budId, words) => api.reviewToBud({ params: { id }, body: { ...words, budId } }),
  Bud_To_Duber: toDuber,
  Scrub_To_Duber: toDuber,
};

/** What shows reviews or is figured from them. */
const TOUCHED = ['orders', 'deliveries', 'dashboards'] as const;

export type ReviewAsked = { readonly type: ReviewType; readonly subjectId: string; readonly targetId: string };

/** Sends a review and says how that went. */
export function useSendReview({ type, subjectId, targetId }: ReviewAsked) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (words: Words) => SEND[type](subjectId, targetId, words),
    onSuccess: () => {
      toast.success('Review submitted successfully!');
    },
    onError: (error) => {
      toast.error('Review Failed', { description: messageOf(error, 'Failed to submit review') });
    },
    onSettled: () => {
      for (const name of TOUCHED) cache.invalidateQueries({ queryKey: [name] });
    },
  });
}
