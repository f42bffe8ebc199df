import type { Order } from '../../../contract/orders.ts';
import { ORDER_SIZES, type OrderSize } from '../../../domain/orders.ts';
import { chosenOf, type DraftTimes } from './times.ts';

// spec 2.7
export const STEP_NAMES = ['Location', 'Select Scrubber', 'Order Details', 'Checkout'] as const;
export type StepNumber = 1 | 2 | 3 | 4;

/** The chosen Scrub, with what the summary shows: step 3 must not depend on the search of step 2. */
type ChosenScrub = { readonly id: string; readonly fullname: string; readonly distanceMeters: number };

/** Everything a Bud has chosen so far. It never contains card data. */
export type OrderDraft = {
  readonly addressId: string | undefined;
  readonly scrub: ChosenScrub | undefined;
  readonly loadSize: OrderSize | undefined;
  /** The highest size that is charged without asking, where laundry is weighed; undefined until it is chosen. */
  readonly ceilingSize: OrderSize | undefined;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly instructions: string;
  /** A promo code that took something off when it was typed. */
  readonly promoCode?: string;
  /** When somebody comes; undefined for as soon as possible. */
  readonly times?: DraftTimes;
};

/** What the price of a draft depends on, besides its size and its address. */
export type PricedDraft = Pick<OrderDraft, 'selfDelivery' | 'selfPickup' | 'times'>;

/** The same as calls have it. */
export function pricedOf({ selfDelivery, selfPickup, times }: PricedDraft) {
  const chosen = chosenOf(times);
  return {
    ...{ selfDelivery, selfPickup },
    ...(chosen ? { pickupFrom: chosen.pickup.from, returnFrom: chosen.return.from } : {}),
  };
}

/** How a step changes the draft. */
export type ChangeDraft = (how: (before: OrderDraft) => OrderDraft) => void;

/** Nothing is chosen. */
export const EMPTY_DRAFT: OrderDraft = {
  addressId: undefined,
  scrub: undefined,
  loadSize: undefined,
  ceilingSize: undefined,
  selfDelivery: false,
  selfPickup: false,
  instructions: '',
};

export const INSTRUCTIONS_MAX_LENGTH = 1000;

/** Another address has other Scrubs nearby, so the chosen one is dropped. */
export function chooseAddress(draft: OrderDraft, addressId: string): OrderDraft {
  return draft.addressId === addressId ? draft : { ...draft, addressId, scrub: undefined };
}

/** Until an address is chosen, it is the one of the last order, or the only one. */
export function preselectAddress(draft: OrderDraft, addressIds: readonly string[], lastId: string | null): OrderDraft {
  if (draft.addressId !== undefined) return draft;
  const addressId = addressIds.find((id) => id === lastId) ?? (addressIds.length === 1 ? addressIds[0] : undefined);
  return addressId === undefined ? draft : { ...draft, addressId };
}

/** A Bud who wants to be asked before it costs more still does with another size; a limit is chosen for one size. */
export function chooseLoadSize(draft: OrderDraft, loadSize: OrderSize): OrderDraft {
  const isAsked = draft.loadSize !== undefined && draft.ceilingSize === draft.loadSize;
  return { ...draft, loadSize, ceilingSize: isAsked ? loadSize : undefined };
}

/** Drops an address that is no longer the Bud's, a Scrub that a finished search did not find, and a size that is not sold. */
export function removeUnavailable(
  draft: OrderDraft,
  known: {
    readonly addressIds?: readonly string[] | undefined;
    readonly scrubIds?: readonly string[] | undefined;
    readonly sizes?: readonly OrderSize[] | undefined;
  },
): OrderDraft {
  const { addressIds, scrubIds, sizes } = known;
  if (draft.loadSize !== undefined && sizes !== undefined && !sizes.includes(draft.loadSize))
    return removeUnavailable({ ...draft, loadSize: undefined }, known);
  if (draft.addressId !== undefined && addressIds !== undefined && !addressIds.includes(draft.addressId)) {
    return { ...draft, addressId: undefined, scrub: undefined };
  }
  if (draft.scrub !== undefined && scrubIds !== undefined && !scrubIds.includes(draft.scrub.id)) {
    return { ...draft, scrub: undefined };
  }
  return draft;
}

type Repeatable = Pick<Order, 'loadSize' | 'selfDelivery' | 'selfPickup' | 'orderInstructions' | 'scrubId'> & {
  readonly budAddress: { readonly id: string };
};
type FoundScrub = { readonly scrub: Omit<ChosenScrub, 'distanceMeters'>; readonly distanceMeters: number };

/** The draft of the same order again, with its address if it is still the Bud's, and its Scrub if a search found them. */
export function repeatOrder(
  order: Repeatable,
  known: { readonly addressIds: readonly string[]; readonly near: readonly FoundScrub[] },
): OrderDraft {
  const { loadSize, selfDelivery, selfPickup, orderInstructions, scrubId, budAddress } = order;
  const found = known.near.find(({ scrub }) => scrub.id === scrubId);
  const draft: OrderDraft = {
    addressId: budAddress.id,
    scrub: found && { ...found.scrub, distanceMeters: found.distanceMeters },
    loadSize,
    ceilingSize: undefined,
    selfDelivery,
    selfPickup,
    instructions: orderInstructions ?? '',
  };
  return removeUnavailable(draft, known);
}

/** Whether a step is complete, which opens the next one (spec 4.4). */
export function isStepComplete(draft: OrderDraft, step: StepNumber): boolean {
  if (step === 1) return draft.addressId !== undefined && draft.times !== 'lost';
  if (step === 2) return draft.scrub !== undefined;
  return step === 3 && draft.loadSize !== undefined;
}

/** The step to show for the one in the URL: never past an incomplete step. */
export function resolveStep(draft: OrderDraft, wanted: string | null): StepNumber {
  const asked = Number(wanted ?? 1);
  let step: StepNumber = 1;
  while (step < 4 && step < asked && isStepComplete(draft, step)) step = (step + 1) as StepNumber;
  return step;
}

const parseSize = (value: unknown) => ORDER_SIZES.find((size) => size === value);
const parseText = (value: unknown) => (typeof value === 'string' ? value : undefined);

function parseScrub(value: unknown): ChosenScrub | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, fullname, distanceMeters } = value as Record<string, unknown>;
  if (typeof id !== 'string' || typeof fullname !== 'string' || typeof distanceMeters !== 'number') return undefined;
  return { id, fullname, distanceMeters };
}

function parseWindow(value: unknown) {
  const { from, until } = (value ?? {}) as Record<string, unknown>;
  const isTime = (text: unknown): text is string => typeof text === 'string' && !Number.isNaN(Date.parse(text));
  return isTime(from) && isTime(until) ? { from, until } : undefined;
}

function parseTimes(value: unknown): DraftTimes {
  if (value === 'lost') return 'lost';
  const { pickup, return: back } = (value ?? {}) as Record<string, unknown>;
  const [fetched, returned] = [parseWindow(pickup), parseWindow(back)];
  return fetched && returned && { pickup: fetched, return: returned };
}

/** Reads a stored draft. Parts that it cannot read (an older version's, another user's) stay empty. */
export function parseDraft(kept: string | null): OrderDraft {
  let raw: unknown;
  try {
    raw = JSON.parse(kept ?? 'null');
  } catch {
    return EMPTY_DRAFT;
  }
  if (typeof raw !== 'object' || raw === null) return EMPTY_DRAFT;
  const found = raw as Record<string, unknown>;
  const promoCode = parseText(found.promoCode);
  const times = parseTimes(found.times);
  return {
    addressId: parseText(found.addressId),
    scrub: parseScrub(found.scrub),
    loadSize: parseSize(found.loadSize),
    ceilingSize: parseSize(found.ceilingSize),
    selfDelivery: found.selfDelivery === true,
    selfPickup: found.selfPickup === true,
    instructions: (parseText(found.instructions) ?? '').slice(0, INSTRUCTIONS_MAX_LENGTH),
    ...(promoCode === undefined ? {} : { promoCode }),
    ...(times === undefined ? {} : { times }),
  };
}
