/** One suite that tries to break a promise. A count is a number of cases, or all of what there is. */
export type SuiteRow = {
  readonly id: string;
  readonly file: string;
  /** What one case is. */
  readonly what: string;
  readonly ci: number | 'all';
  readonly night: number | 'all';
};

export type PromiseRow = {
  readonly promise: string;
  readonly how: string;
  readonly suites: readonly SuiteRow[];
};

/** What Rubadub promises, and who tries to break it. PROMISES.md is printed from this and from the figures. */
export const PROMISES = [
  {
    promise: 'One Duber a delivery, one active delivery a Duber, one accept an order',
    how: 'compare-and-swap in one statement; a unique index over active deliveries',
    suites: [
      {
        id: 'races',
        file: 'promises/races.test.ts',
        what: 'races of 8 requests at two processes',
        ci: 2_000,
        night: 10_000,
      },
    ],
  },
] as const satisfies readonly PromiseRow[];

export type SuiteId = (typeof PROMISES)[number]['suites'][number]['id'];

export function suiteRow(id: SuiteId): SuiteRow {
  const rows: readonly SuiteRow[] = PROMISES.flatMap(({ suites }): readonly SuiteRow[] => suites);
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`the table has no suite ${id}`);
  return row;
}
