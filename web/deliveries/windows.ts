import { formatTimeSoon, formatWindowSoon, insideSentence, toWindow } from '../../texts/windows.ts';

// The windows of deliveries, as their people read them.

type Span = { readonly from: string; readonly until: string };
export type Due = {
  readonly deliveryType: 'Bud_To_Scrub' | 'Scrub_To_Bud';
  readonly window?: Span | undefined;
  readonly promisedAt?: string | undefined;
};

/** 'Fri, 5–7 pm', and for a return 'Fri, 5–7 pm, back by 7 pm'. Undefined for as soon as possible. */
export function dueText({ deliveryType, window, promisedAt }: Due, timeZone: string, now: Date): string | undefined {
  const span = window && formatWindowSoon(toWindow(window), timeZone, now);
  if (deliveryType !== 'Scrub_To_Bud' || promisedAt === undefined) return span;
  const promise = formatTimeSoon(new Date(promisedAt), timeZone, now);
  if (span === undefined) return `Back by ${insideSentence(promise)}`;
  // Both are on one day as a rule, which is named once.
  const day = span.slice(0, span.lastIndexOf(', ') + 2);
  return `${span}, back by ${promise.startsWith(day) ? promise.slice(day.length) : insideSentence(promise)}`;
}

/** Whether an offer is accepted ahead, for its window. A window that has ended no longer counts. */
export const isForLater = ({ window }: Pick<Due, 'window'>, now: Date): boolean =>
  window !== undefined && Date.parse(window.until) > now.getTime();

/** The offers for one window, and how it is called. */
type OfferGroup<Offer> = { readonly name: string; readonly offers: readonly Offer[] };

/** Offers by their windows, the earliest first, and at the end those for as soon as possible. */
export function groupOffers<Offer extends { readonly delivery: Pick<Due, 'window'> }>(
  offers: readonly Offer[],
  timeZone: string,
  now: Date,
): { readonly groups: readonly OfferGroup<Offer>[]; readonly forNow: readonly Offer[] } {
  const nameOf = ({ delivery: { window } }: Offer) =>
    window && isForLater({ window }, now) ? formatWindowSoon(toWindow(window), timeZone, now) : undefined;
  const byName = Map.groupBy(offers, nameOf);
  const groups = [...byName].flatMap(([name, of]) => (name === undefined ? [] : { name, offers: of }));
  return { groups, forNow: byName.get(undefined) ?? [] };
}
