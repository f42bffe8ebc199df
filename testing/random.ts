import type { Random } from '../sandbox/city/random.ts';

export { createRandom, type Random } from '../sandbox/city/random.ts';

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
