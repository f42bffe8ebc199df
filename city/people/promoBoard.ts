import type { PromoTerms } from '../checks/prices.ts';

/** The promo codes that operators have made, as people tell each other, without the server. */
export type PromoBoard = {
  /** All of them, the oldest first. */
  readonly codes: readonly PromoTerms[];
  post(terms: PromoTerms): void;
  find(code: string): PromoTerms | undefined;
  /** An operator begins to end a code: from now on it may be over. */
  beginEnding(code: string): void;
  /** An operator was told that a code has ended: from now on it is over. */
  markEnded(code: string): void;
  mayBeOver(code: string): boolean;
  isOver(code: string): boolean;
};

export function createPromoBoard(): PromoBoard {
  const codes: PromoTerms[] = [];
  const ending = new Set<string>();
  const ended = new Set<string>();
  return {
    codes,
    post: (terms) => void codes.push(terms),
    find: (wanted) => codes.find(({ code }) => code === wanted),
    beginEnding: (code) => void ending.add(code),
    markEnded: (code) => void ended.add(code),
    mayBeOver: (code) => ending.has(code),
    isOver: (code) => ended.has(code),
  };
}
