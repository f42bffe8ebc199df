/** One suite that tries to break a promise. A count is a number of cases, 'all' there are, or those that 'may differ'. */
export type SuiteDefinition = {
  readonly id: string;
  readonly file: string;
  /** What one case is. */
  readonly what: string;
  readonly ci: number | 'may differ' | 'all';
  readonly night: number | 'all';
  /** How many parts the night runs it in, several at once. Each prints its seed. */
  readonly nightParts?: number;
  /** The seed in CI, where a rare fault that has been there before must not stop another change. The night takes new ones. */
  readonly ciSeed?: number;
};

export type PromiseDefinition = {
  readonly promise: string;
  readonly how: string;
  readonly suites: readonly SuiteDefinition[];
};

/** What Rubadub promises, and which suites try to break it. PROMISES.md is generated from this and from the figures. */
export const PROMISES = [
  {
    promise: 'A delivery has one Duber, a Duber one delivery under way, and an order is accepted once',
    how: 'compare-and-swap in one statement; a unique index over deliveries under way',
    suites: [
      {
        id: 'races',
        file: 'promises/races.test.ts',
        what: 'races of 8 requests at two processes',
        ci: 160,
        night: 10_000,
      },
    ],
  },
  {
    promise: 'A window has no more orders than places, and a Scrub no more work on a day than they want',
    how: 'counts with a limit, in the statement that places an order; each end of an order gives back once',
    suites: [
      {
        id: 'last-places',
        file: 'server/bookings/bookings.test.ts',
        what: 'races of 8 for the last places, the last pounds of a Scrub, and the last order that a Bud may choose times for',
        ci: 36,
        night: 10_000,
      },
    ],
  },
  {
    promise: 'Only allowed steps happen, each once; of a simultaneous cancel, accept and reject, one wins',
    how: 'the workflow is a table; compare-and-swap in one statement',
    suites: [
      {
        id: 'workflow-model',
        file: 'promises/workflowModel.test.ts',
        what: 'orders with random steps by random people, compared with a model',
        ci: 200,
        night: 20_000,
      },
      {
        id: 'unplanned-steps',
        file: 'promises/exceptionSteps.test.ts',
        what: 'orders with random exceptions by random people and operators, and claims to their end, at two processes, compared with a model',
        ci: 15,
        night: 20_000,
        nightParts: 40,
        ciSeed: 573_073_401,
      },
      {
        id: 'conflicting-steps',
        file: 'promises/conflictingSteps.test.ts',
        what: 'races of cancel, accept and reject at two processes',
        ci: 120,
        night: 10_000,
      },
    ],
  },
  {
    promise: 'Acknowledged writes survive kill -9',
    how: 'no answer before its commit; sending the same Idempotency-Key again resumes the lost request',
    suites: [
      {
        id: 'kill-embedded',
        file: 'promises/killEmbedded.test.ts',
        what: 'kills of a server with its embedded database',
        ci: 4,
        night: 1_000,
      },
      {
        id: 'kill-postgres',
        file: 'promises/killPostgres.test.ts',
        what: 'kills of PostgreSQL under two processes',
        ci: 8,
        night: 1_000,
      },
    ],
  },
  {
    promise: 'Nobody is charged twice and no cent is lost, whatever the card network does',
    how: 'every call to the card network is recorded before and after; all retries share one key; the double-entry ledger sums to zero',
    suites: [
      {
        id: 'payments',
        file: 'server/payments/paymentStress.test.ts',
        what: 'orders, some with promo codes, processed while the card network fails and servers are killed, then an audit of both ledgers',
        ci: 200,
        night: 20_000,
      },
    ],
  },
  {
    promise: 'People who work together cannot take more from the platform than the town allows',
    how: 'whatever the platform pays has a payer, a bound, a wait and a case (decision 121)',
    suites: [
      {
        id: 'gang',
        file: 'promises/gang/gang.test.ts',
        what: 'gangs whose people try steps at random for weeks and repeat what pays, then a review of what each paid in and took out',
        ci: 4,
        night: 1_000,
        nightParts: 100,
        ciSeed: 3_001,
      },
    ],
  },
  {
    promise:
      'A missed promise pays once, by itself, from who had the laundry then; a promise that was kept pays nothing',
    how: 'one row an order, which a timer writes and another settles a day later, by the chain of hand-overs (decision 150)',
    suites: [
      {
        id: 'missed-promises',
        file: 'promises/missedPromises.test.ts',
        what: 'lives of orders with a promised time, with phones without a network, timers that run late, failures at the door and changes by the town, compared with a model',
        ci: 25,
        night: 20_000,
        nightParts: 100,
      },
    ],
  },
  {
    promise: 'Two processes never share one embedded data directory',
    how: 'numbered lock files that name their holder; the highest is never removed',
    suites: [
      {
        id: 'data-directory',
        file: 'promises/dataDirLock.test.ts',
        what: 'simultaneous starts of two or three servers on one directory',
        ci: 3,
        night: 50,
      },
    ],
  },
  {
    promise: 'What people see of an order agrees with what the others see, with what is stored, and with every cent',
    how: 'everyone reads the same rows from the primary; every promise above',
    suites: [
      {
        id: 'city',
        file: 'promises/city.test.ts',
        what: 'seconds of a city of simulated people, with phones on a bad network, while servers, the database and the networks between all parts break',
        ci: 90,
        night: 3_600,
      },
    ],
  },
  {
    promise: 'Everyone receives each event that concerns them once, and no other event',
    how: 'events are written in the transaction of the step; the cursor that reads them is safe against late commits',
    suites: [
      {
        id: 'event-stream',
        file: 'promises/eventStream.test.ts',
        what: 'steps sent to open streams of two processes while streams are cut and processes killed and restarted',
        ci: 150,
        night: 20_000,
      },
    ],
  },
  {
    promise: 'Behind a connection pooler, no server gets the rows of another one’s statement',
    how: 'names of statements are digests of their text; the server tests the pooler when it starts',
    suites: [
      {
        id: 'pooler',
        file: 'promises/fleet/pooler.test.ts',
        what: 'answers of two servers behind PgBouncer',
        ci: 2_000,
        night: 40_000,
      },
    ],
  },
  {
    promise: 'Restarting the servers behind a load balancer one after the other fails no request',
    how: 'a stopping server first fails its readiness check, and keeps answering until the load balancer has noticed',
    suites: [
      {
        id: 'rolling-restart',
        file: 'promises/fleet/rollingRestart.test.ts',
        what: 'requests through HAProxy to two servers that are restarted in turn',
        ci: 1_000,
        night: 10_000,
      },
    ],
  },
  {
    promise:
      'No acknowledged write is lost when another PostgreSQL becomes the primary, and writes are back within 10 seconds',
    how: 'a synchronous replica in strict mode; connections without an answer, or to a read-only host, are closed; the server repeats no write',
    suites: [
      {
        id: 'failover',
        file: 'promises/fleet/failover.test.ts',
        what: 'failovers of Patroni under load: the primary frozen and thawed, left alone by its Patroni, killed, cut off from etcd, switched over',
        ci: 3,
        night: 20,
      },
    ],
  },
  {
    promise: 'People read and write only what is theirs',
    how: 'queries take ids that are created where the token is checked; one table of conditions decides what each role sees, under each privacy policy',
    suites: [
      {
        id: 'access',
        file: 'promises/visibility.test.ts',
        what: 'combinations of call, caller and state, with every answer, event, log line and mail searched for private values',
        ci: 'may differ',
        night: 'all',
      },
      {
        id: 'foreign-ids',
        file: 'promises/visibility.test.ts',
        what: "requests and filters with other people's ids",
        ci: 1_000,
        night: 20_000,
      },
    ],
  },
  {
    promise: 'No input causes a 5xx or a hang',
    how: 'every call is validated first; one error handler, also for what is not HTTP; text that PostgreSQL cannot store is refused',
    suites: [
      {
        id: 'fuzz-postgres',
        file: 'promises/fuzz.test.ts',
        what: "requests generated from the contract's schemas, and connections with other bytes, on PostgreSQL",
        ci: 5_000,
        night: 50_000,
      },
      {
        id: 'fuzz-embedded',
        file: 'promises/fuzz.test.ts',
        what: "requests generated from the contract's schemas, and connections with other bytes, on the embedded database",
        ci: 2_500,
        night: 50_000,
      },
    ],
  },
  {
    promise: 'When the database is down, slow or full, requests fail fast with 503, and the server recovers afterwards',
    how: 'timeouts for connecting, for a statement and for its answer; abandoned connections are never reused',
    suites: [
      {
        id: 'database-outage',
        file: 'promises/databaseOutage.test.ts',
        what: 'outages under load: PostgreSQL killed, paused, blocked or on a full disk',
        ci: 4,
        night: 80,
      },
      {
        id: 'full-disk',
        file: 'promises/fullDisk.test.ts',
        what: 'times that the embedded database had no room: a full disk, or a limit on file sizes',
        ci: 1,
        night: 60,
      },
    ],
  },
  {
    promise: 'A slow or greedy client does not affect others',
    how: 'limits on time, size, depth and number in the HTTP layer; a semaphore for password hashes; limits on streams and connections per network',
    suites: [
      {
        id: 'abusive-clients',
        file: 'promises/abusiveClients.test.ts',
        what: 'connections that are slow or ask for too much',
        ci: 'all',
        night: 'all',
      },
    ],
  },
  {
    promise: 'Codes, passwords and links cannot be guessed or probed',
    how: 'limits by account, address and network; the same answer and the same work whether an account exists or not',
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
    promise: 'A GET step acts only on a user action in the app',
    how: 'the token is accepted only in its header; browser prefetches, requests from other sites and foreign host names are refused',
    suites: [
      {
        id: 'unintended-steps',
        file: 'promises/unintendedSteps.test.ts',
        what: 'combinations of step and way to send it, each leaving all data unchanged',
        ci: 'all',
        night: 'all',
      },
    ],
  },
  {
    promise: 'A page cannot be made to run foreign code',
    how: 'a content security policy without inline or evaluated scripts; user input is only ever rendered as text',
    suites: [
      {
        id: 'foreign-code',
        file: 'journeys/safety.test.ts',
        what: 'screens without a policy violation, strings sent through every field, and injected scripts that the browser blocks',
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
  if (!row) throw new Error(`promises.ts has no suite ${id}`);
  return row;
}
