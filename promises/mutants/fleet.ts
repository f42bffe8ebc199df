import type { Mutant } from './mutant.ts';

/** Outages, poolers, restarts and failovers, and the events that must arrive meanwhile. */
export const FLEET_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'a full disk answers 500',
    at: 'server/db/database.ts#UNAVAILABLE_SQL_STATES',
    remove: '53|',
    suite: 'promises/databaseOutage.test.ts',
  },
  {
    mutant: 'queries wait for a database that does not answer',
    at: 'server/db/database.ts#ANSWER_TIMEOUT_MS',
    becomes: '500_000',
    suite: 'promises/databaseOutage.test.ts',
  },
  {
    mutant: 'a resumed stream skips missed events',
    at: 'server/events/stream.ts#handleStream',
    replace: ['if (isResumed) await', 'if (isResumed && !reply.raw.headersSent) await'],
    suite: 'promises/eventStream.test.ts',
    cases: 200,
  },
  {
    mutant: 'a Duber receives no events about their own delivery',
    at: 'server/events/publish.ts#peopleOfDelivery',
    remove: ', ${d}.duber_id',
    suite: 'promises/eventStream.test.ts',
    cases: 200,
  },
  {
    mutant: 'Dubers who are too far away receive events too',
    at: 'server/db/nearby.sql.ts#isNearby',
    replace: ['<= ${sql.lit(NEARBY_RADIUS_M)}', '<= 10 * ${sql.lit(NEARBY_RADIUS_M)}'],
    suite: 'promises/eventStream.test.ts',
    cases: 200,
  },
  {
    mutant: 'a pooler that loses prepared statements is trusted',
    at: 'server/db/pooler.ts#probeSessions',
    set: ['keepsStatements', 'true'],
    suite: 'promises/fleet/pooler.test.ts',
  },
  {
    mutant: 'settings that a pooler drops are not noticed',
    at: 'server/db/pooler.ts#requireSettings',
    replace: ['lost.length === 0', 'lost.length >= 0'],
    suite: 'promises/fleet/pooler.test.ts',
  },
  {
    mutant: 'a server stops as soon as it gets SIGTERM',
    at: 'server/main.ts#openServer.drain',
    skip: 'sleep',
    suite: 'promises/fleet/rollingRestart.test.ts',
  },
  {
    mutant: 'a server that stops still says that it is ready',
    at: 'server/http/health.ts#serveHealth',
    remove: "if (isDraining()) refuse('notReady', { message: 'This server is about to stop' });",
    suite: 'promises/fleet/rollingRestart.test.ts',
  },
  {
    mutant: 'a primary whose commits get no answer is kept',
    at: 'server/db/client.ts#ServerClient.giveUp',
    skip: 'onDemoted',
    suite: 'promises/fleet/failover.test.ts',
    cases: 2,
  },
  {
    mutant: 'commits do not wait for the replica',
    at: 'deploy/patroni.yml',
    replace: ['synchronous_commit: "on"', 'synchronous_commit: "local"'],
    suite: 'promises/fleet/failover.test.ts',
    cases: 2,
  },
];
