/** How much time each name (a person, a network) may take of a resource in a period. In the memory of this process. */
export type TimeBudget = {
  /** What a name has taken in its period, in milliseconds. */
  spent(name: string): number;
  /** How long a name has to wait because it has taken too much, in milliseconds; otherwise 0. */
  waitMs(name: string): number;
  spend(name: string, ms: number): void;
};

type Period = { ms: number; readonly endsAt: number };
type Bounds = { readonly periodMs: number; readonly mostMs: number; readonly clock: () => number };

export function createTimeBudget({ periodMs, mostMs, clock }: Bounds): TimeBudget {
  // In the order of their ends, so that those that have ended are at the front.
  const periods = new Map<string, Period>();
  function find(name: string): Period | undefined {
    for (const [other, { endsAt }] of periods) {
      if (endsAt > clock()) break;
      periods.delete(other);
    }
    return periods.get(name);
  }
  return {
    spent: (name) => find(name)?.ms ?? 0,
    waitMs(name) {
      const period = find(name);
      return period && period.ms >= mostMs ? period.endsAt - clock() : 0;
    },
    spend(name, ms) {
      const period = find(name);
      if (period) period.ms += ms;
      else periods.set(name, { ms, endsAt: clock() + periodMs });
    },
  };
}
