/** One suite that tries to break a promise. A count is a number of cases, or all of what there is. */
export type SuiteDefinition = {
  readonly id: string;
  readonly file: string;
  /** What one case is. */
  readonly what: string;
  readonly ci: number | 'all';
  readonly night: number | 'all';
};

export type PromiseDefinition = {
  readonly promise: string;
  readonly how: string;
  readonly suites: readonly SuiteDefinition[];
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
        ci: 600,
        night: 10_000,
      },
    ],
  },
  {
    promise: 'Only the steps that are allowed, each once; cancel, accept and reject at once end in one',
    how: 'the workflow is a table; compare-and-swap in one statement',
    suites: [
      {
        id: 'model',
        file: 'promises/workflowModel.test.ts',
        what: 'random lives of an order by anybody, against a model',
        ci: 200,
        night: 20_000,
      },
      {
        id: 'three-way',
        file: 'promises/conflictingSteps.test.ts',
        what: 'races of cancel, accept and reject at two processes',
        ci: 300,
        night: 10_000,
      },
    ],
  },
  {
    promise: 'What was acknowledged survives kill -9',
    how: 'no answer before its commit; the same Idempotency-Key goes on where a lost answer left off',
    suites: [
      {
        id: 'kill-embedded',
        file: 'promises/killEmbedded.test.ts',
        what: 'kills of the server with its embedded database',
        ci: 4,
        night: 1_000,
      },
      {
        id: 'kill-postgres',
        file: 'promises/killPostgres.test.ts',
        what: 'kills of PostgreSQL below two processes',
        ci: 12,
        night: 1_000,
      },
    ],
  },
  {
    promise: 'Nobody is charged twice, and no cent is lost, whatever the card network does',
    how: 'written down, then called, then written down; one key for all tries; a double-entry ledger that sums to zero',
    suites: [
      {
        id: 'money',
        file: 'server/payments/paymentStress.test.ts',
        what: 'lives of orders while the card network fails and servers are killed, and an audit of both books',
        ci: 1_000,
        night: 20_000,
      },
    ],
  },
  {
    promise: 'Two processes never share one embedded directory',
    how: 'numbered lock files that name their holder, of which the highest never goes away',
    suites: [
      {
        id: 'directory',
        file: 'promises/dataDirLock.test.ts',
        what: 'starts of two or three servers at once on one directory',
        ci: 3,
        night: 50,
      },
    ],
  },
  {
    promise: 'Everyone hears of each step that concerns them once, and of nothing else',
    how: 'events written in the transaction of what they tell, read by a cursor that is safe against late commits',
    suites: [
      {
        id: 'live',
        file: 'promises/eventStream.test.ts',
        what: 'steps told to open streams of two processes, cut, killed and restarted',
        ci: 300,
        night: 20_000,
      },
    ],
  },
  {
    promise: 'Nobody reads or writes what is not theirs',
    how: 'queries take ids that are minted where the token is looked up; one function shapes what each role sees',
    suites: [
      {
        id: 'cells',
        file: 'promises/visibility.test.ts',
        what: 'cells of call × caller × state, with canaries looked for in each answer, event, log line and mail',
        ci: 'all',
        night: 'all',
      },
      {
        id: 'swapped',
        file: 'promises/visibility.test.ts',
        what: "requests and filters that name other people's ids",
        ci: 1_000,
        night: 20_000,
      },
    ],
  },
  {
    promise: 'No input makes a 5xx or a hang',
    how: 'every call is checked against its shape before anything else; one error door; text that PostgreSQL cannot hold is refused',
    suites: [
      {
        id: 'fuzz-postgres',
        file: 'promises/fuzz.test.ts',
        what: "requests made from the contract's own shapes, on PostgreSQL",
        ci: 10_000,
        night: 50_000,
      },
      {
        id: 'fuzz-embedded',
        file: 'promises/fuzz.test.ts',
        what: "requests made from the contract's own shapes, on the embedded database",
        ci: 5_000,
        night: 50_000,
      },
    ],
  },
  {
    promise: 'The database away, slow or full: requests fail fast with 503, then all is well again',
    how: 'limits for connecting, for a statement and for its answer; connections that were given up are not lent again',
    suites: [
      {
        id: 'away',
        file: 'promises/databaseOutage.test.ts',
        what: 'times that PostgreSQL was killed, paused, held up or filled under load',
        ci: 4,
        night: 80,
      },
    ],
  },
  {
    promise: 'A slow or greedy client harms nobody else',
    how: 'limits of time, size, depth and number at the door; hashes at a gate; streams and connections a network',
    suites: [
      {
        id: 'greedy',
        file: 'promises/abusiveClients.test.ts',
        what: 'connections that dawdle or ask for too much',
        ci: 'all',
        night: 'all',
      },
    ],
  },
  {
    promise: 'Codes, passwords and links cannot be guessed or probed',
    how: 'limits by account, address and network; the same answer and the same work for known and unknown',
    suites: [
      {
        id: 'guessing',
        file: 'promises/guessing.test.ts',
        what: 'guesses and probes',
        ci: 'all',
        night: 'all',
      },
    ],
  },
  {
    promise: 'A GET step acts only when meant',
    how: 'the token in its header and nowhere else; no step for what a browser does by itself or for another site',
    suites: [
      {
        id: 'steps',
        file: 'promises/unintendedSteps.test.ts',
        what: 'cells of way to ask × step, after which everything reads as before',
        ci: 'all',
        night: 'all',
      },
    ],
  },
  {
    promise: 'A page cannot be made to run foreign code',
    how: 'a content policy without inline or evaluated script; what people write is only ever text',
    suites: [
      {
        id: 'foreign',
        file: 'journeys/safety.test.ts',
        what: 'screens without a report of the policy, strings through fields, and plants that a browser refuses',
        ci: 'all',
        night: 'all',
      },
    ],
  },
] as const satisfies readonly PromiseDefinition[];

export type SuiteId = (typeof PROMISES)[number]['suites'][number]['id'];

export function findSuite(id: SuiteId): SuiteDefinition {
  const rows: readonly SuiteDefinition[] = PROMISES.flatMap(({ suites }): readonly SuiteDefinition[] => suites);
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`the table has no suite ${id}`);
  return row;
}
