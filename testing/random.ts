/** Returns numbers from 0 to 1. The same seed gives the same numbers (mulberry32). */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns one of the choices at random, in proportion to its weight. */
export function chooseWeighted<T extends string>(random: Random, weights: Readonly<Record<T, number>>): T {
  const choices = Object.entries(weights) as [T, number][];
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return (choices.at(-1) as [T, number])[0];
}
