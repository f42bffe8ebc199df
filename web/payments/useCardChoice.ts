import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Failure } from '../../contract/failures.ts';
import type { SavedCard } from '../../contract/savedCards.ts';
import { MAX_SAVED_CARDS } from '../../domain/savedCards.ts';
import { api } from '../api/client.ts';
import { tabStore } from '../storage/stores.ts';
import { failureOf } from '../ui/errorMessage.ts';

const ASK_AGAIN_MS = 3_000;

/** Not retried: without the list a Bud pays with the card form, which must not wait. */
export const savedCardsQuery = queryOptions({
  queryKey: ['saved-cards'],
  queryFn: () => api.listSavedCards(),
  retry: false,
  refetchInterval: ({ state: { data } }) => (data?.items.some(({ isSaved }) => !isSaved) ? ASK_AGAIN_MS : false),
});

/** The choice of the card form instead of a saved card. */
export const ANOTHER_CARD = 'another';

export type CardChoice = {
  /** The saved cards that can pay, the one used last first. */
  readonly cards: readonly SavedCard[];
  /** The id of a saved card, or ANOTHER_CARD; undefined while the list loads. */
  readonly chosen: string | undefined;
  readonly choose: (chosen: string) => void;
  /** Whether the Bud has as many saved cards as possible. */
  readonly isFull: boolean;
};

/**
 * The card that a Bud pays with: at first the saved one used last. Only a tab that has seen saved cards waits for the list;
 * elsewhere the card form opens at once, and a later list changes nothing, so that nothing moves while the Bud types.
 */
export function useCardChoice(userId: string): CardChoice {
  const { data, isPending } = useQuery(savedCardsQuery);
  const seenKey = `rubadub-has-cards-${userId}`;
  useEffect(() => {
    if (data) tabStore.write(seenKey, data.items.length > 0 ? 'yes' : null);
  }, [data, seenKey]);
  const [chosen, choose] = useState<string>();
  const [isFormOnly, setFormOnly] = useState(false);
  const saved = data?.items ?? [];
  const cards = isFormOnly ? [] : saved.filter(({ isSaved, expiry }) => isSaved && expiry !== 'over');
  // Only once: when the list changes later, no other card pays than the one that the Bud saw.
  if (chosen === undefined && !(isPending && tabStore.read(seenKey) !== null)) {
    choose(cards[0]?.id ?? ANOTHER_CARD);
    setFormOnly(isPending);
  }
  const hasNone = !isPending && cards.length === 0;
  return { cards, chosen: hasNone ? ANOTHER_CARD : chosen, choose, isFull: saved.length >= MAX_SAVED_CARDS };
}

const ABOUT_CARD: readonly (Failure | undefined)[] = ['cardDeclined', 'cardGone', 'tooManySavedCards'];

/** Whether paying failed because of the card. */
export const isAboutCard = (error: unknown): boolean => ABOUT_CARD.includes(failureOf(error));
