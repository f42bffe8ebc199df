import { useMutation, useQueryClient } from '@tanstack/react-query';
import { v4 as newKey } from 'uuid';
import { CallFailed } from '../../../contract/client.ts';
import { api } from '../../api.ts';
import { attemptFor, endsAttempt, readAttempt } from '../../payments/attempt.ts';
import type { CardToken } from '../../payments/tokenize.ts';
import type { Draft } from './draft.ts';

type Body = Parameters<typeof api.placeOrder>[0]['body'];

/** The order that a draft stands for, or undefined while something of it is not chosen. */
export function orderOf(draft: Draft): Omit<Body, keyof CardToken> | undefined {
  const { addressId, scrub, loadSize, selfDelivery, selfPickup, instructions } = draft;
  if (addressId === undefined || scrub === undefined || loadSize === undefined) return undefined;
  const words = instructions.trim();
  return {
    budAddressId: addressId,
    loadSize,
    ...(words === '' ? {} : { orderInstructions: words }),
    scrubId: scrub.id,
    selfDelivery,
    selfPickup,
  };
}

/** How the last try went wrong: 'refused' changed nothing, 'uncertain' may have placed the order all the same. */
export type Refusal = { readonly kind: 'refused' | 'uncertain'; readonly statusCode: number | undefined };

function refusalOf(error: unknown): Refusal {
  const statusCode = error instanceof CallFailed ? error.statusCode : undefined;
  return { kind: endsAttempt(statusCode) ? 'refused' : 'uncertain', statusCode };
}

// spec 8
const UNKNOWN = 'Unable to place order. Something went wrong';
const alertOf = (error: unknown) =>
  error instanceof CallFailed && error.message !== 'Something went wrong' ? error.message : UNKNOWN;

/** Places orders for one Bud. The key of an attempt is kept in the tab, so that no retry can place an order twice. */
export function usePlaceOrder(userId: string, onPlaced: () => void) {
  const cache = useQueryClient();
  const kept = `rubadub-attempt-${userId}`;
  const placing = useMutation({
    mutationFn: (body: Body) => {
      const attempt = attemptFor(readAttempt(sessionStorage.getItem(kept)), body, newKey);
      sessionStorage.setItem(kept, JSON.stringify(attempt));
      return api.placeOrder({ body, idempotencyKey: attempt.key });
    },
    onSuccess: () => {
      sessionStorage.removeItem(kept);
      for (const name of ['orders', 'dashboards']) void cache.invalidateQueries({ queryKey: [name] });
      onPlaced();
    },
    onError: (error) => {
      const { kind, statusCode } = refusalOf(error);
      if (kind === 'refused') sessionStorage.removeItem(kept);
      // The end of a session gives an alert of its own.
      if (statusCode !== 401) window.alert(alertOf(error));
    },
  });
  const place = async (body: Body) => {
    await placing.mutateAsync(body).catch(() => undefined);
  };
  return { place, refusal: placing.isError ? refusalOf(placing.error) : undefined };
}
