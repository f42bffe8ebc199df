import { useMutation } from '@tanstack/react-query';
import { v4 as newKey } from 'uuid';
import { CallFailed } from '../../../contract/callClient.ts';
import type { Failure } from '../../../contract/failures.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import { PROMO_REFUSALS } from '../../../domain/promos.ts';
import { api } from '../../api/client.ts';
import { refreshConfig } from '../../api/config.ts';
import { refetchKinds } from '../../api/queryClient.ts';
import { continueAttempt, isFinalFailure, parseAttempt } from '../../payments/idempotencyKey.ts';
import type { PaymentSource } from '../../payments/tokenize.ts';
import { isAboutCard } from '../../payments/useCardChoice.ts';
import { tabStore } from '../../storage/stores.ts';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { type OrderDraft, pricedOf } from './orderDraft.ts';
import { refreshRefusedSizes } from './orderPrice.ts';
import { storeLastAddress } from './useOrderDraft.ts';

type PlaceOrderBody = Parameters<typeof api.placeOrder>[0]['body'];

/** The request body of a complete draft, or undefined while something is missing. Only where laundry is weighed it has a limit. Without the promo code. */
export function toOrderBody(
  draft: OrderDraft,
  ceilingSize?: OrderSize,
): Omit<PlaceOrderBody, keyof PaymentSource | 'shownTotal' | 'promoCode'> | undefined {
  const { addressId, scrub, loadSize, instructions } = draft;
  if (addressId === undefined || scrub === undefined || loadSize === undefined) return undefined;
  const words = instructions.trim();
  return {
    budAddressId: addressId,
    loadSize,
    ...(ceilingSize ? { ceilingSize } : {}),
    ...(words === '' ? {} : { orderInstructions: words }),
    scrubId: scrub.id,
    ...pricedOf(draft),
  };
}

/** How the last attempt failed: 'refused' changed nothing, 'uncertain' may have placed the order. */
export type Refusal = {
  readonly kind: 'refused' | 'uncertain';
  readonly statusCode: number | undefined;
  /** Whether it is not about the Scrub: no orders are taken at all now, or the price is another one, also because of a promo code. */
  readonly isOfTown: boolean;
  /** Whether two orders with a time wait for an answer already. */
  readonly isTooManyWaiting: boolean;
  /** Whether another card can change it. */
  readonly isAboutCard: boolean;
};

/** What another Scrub would not change. */
export const NOT_OF_SCRUB: readonly Failure[] = [
  'windowGone',
  'windowFull',
  'tooManyWaiting',
  'townPaused',
  'priceChanged',
  'newWorkHeld',
  ...PROMO_REFUSALS,
];

function refusalOf(error: unknown): Refusal {
  const statusCode = error instanceof CallFailed ? error.statusCode : undefined;
  const code = error instanceof CallFailed ? error.code : undefined;
  const isOfTown = NOT_OF_SCRUB.some((one) => one === code);
  return {
    kind: isFinalFailure(statusCode) ? 'refused' : 'uncertain',
    ...{ statusCode, isOfTown, isTooManyWaiting: code === 'tooManyWaiting', isAboutCard: isAboutCard(error) },
  };
}

// spec 8
const UNKNOWN_ERROR_TEXT = 'Unable to place order. Something went wrong';

/** Places orders for one Bud. The idempotency key is stored in the tab, so that no retry can place an order twice. */
export function usePlaceOrder(userId: string, onPlaced: (orderId: string) => void) {
  const kept = `rubadub-attempt-${userId}`;
  const placing = useMutation({
    mutationFn: (body: PlaceOrderBody) => {
      const attempt = continueAttempt(parseAttempt(tabStore.read(kept)), body, newKey);
      tabStore.write(kept, JSON.stringify(attempt));
      return api.placeOrder({ body, idempotencyKey: attempt.key });
    },
    onSuccess: ({ id }, { budAddressId }) => {
      tabStore.write(kept, null);
      storeLastAddress(userId, budAddressId);
      refetchKinds('orders', 'dashboards', 'saved-cards');
      onPlaced(id);
    },
    onError: (error) => {
      const { kind, statusCode, isOfTown } = refusalOf(error);
      if (kind === 'refused') tabStore.write(kept, null);
      refreshRefusedSizes(error);
      if (isAboutCard(error)) refetchKinds('saved-cards');
      if (isOfTown) {
        refreshConfig();
        refetchKinds('price', 'windows');
      }
      // An expired session shows its own alert.
      if (statusCode !== 401) window.alert(errorMessageOf(error, UNKNOWN_ERROR_TEXT));
    },
  });
  const place = async (body: PlaceOrderBody) => {
    await placing.mutateAsync(body).catch(() => undefined);
  };
  return { place, refusal: placing.isError ? refusalOf(placing.error) : undefined };
}
