type Counted = {
  readonly position: number;
  readonly bags: number | null;
  readonly confirmedBags: number | null;
  /** The position of the hand-over that it takes back, whose number it repeats. */
  readonly takesBack: number | null;
};

/** How many bags were counted last in these hand-overs, oldest first. A count that belongs to a mistake is left out. */
export function countBags(handovers: readonly Counted[]): number | null {
  const mistakes = handovers.map(({ takesBack }) => takesBack);
  const counts = handovers
    .filter(({ position }) => !mistakes.includes(position))
    .map(({ confirmedBags, bags, takesBack }) => confirmedBags ?? (takesBack === null ? bags : null));
  return counts.findLast((count) => count !== null) ?? null;
}
