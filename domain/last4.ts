const MOST_SHOWN = 4;

/** The end of the number of an account or a person, for its owner: never more than half of it. */
export const last4Of = (number: string): string => number.slice(-Math.min(MOST_SHOWN, Math.floor(number.length / 2)));
