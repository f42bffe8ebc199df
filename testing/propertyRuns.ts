/**
 * How often a property is tried: `usual` times from the same seed in every run, so that a change is what made it red.
 * FAST_CHECK_RUNS asks for more, from a new seed each time: for the night.
 */
export function propertyRuns(usual: number): { numRuns: number; seed?: number } {
  const asked = Number(process.env.FAST_CHECK_RUNS ?? 0);
  return asked > 0 ? { numRuns: asked } : { numRuns: usual, seed: 20_260_520 };
}
