/**
 * The options of a property test: `defaultRuns` runs with a fixed seed, so that only a code change can make it fail.
 * FAST_CHECK_RUNS, which `npm run night` sets, asks for more runs with a new seed each time.
 */
export function propertyRuns(defaultRuns: number): { numRuns: number; seed?: number } {
  const requestedRuns = Number(process.env.FAST_CHECK_RUNS ?? 0);
  return requestedRuns > 0 ? { numRuns: requestedRuns } : { numRuns: defaultRuns, seed: 20_260_520 };
}
