export const SCRUB_SORTS = [
  { value: 'distance', label: 'Nearest first' },
  { value: 'rating', label: 'Best rated first' },
] as const;
export type ScrubSort = (typeof SCRUB_SORTS)[number]['value'];

/** The search finds the nearest first. Equal ratings stay in that order. */
export function sortScrubs<T extends { readonly rating: number }>(found: readonly T[], by: ScrubSort): readonly T[] {
  return by === 'distance' ? found : found.toSorted((a, b) => b.rating - a.rating);
}
