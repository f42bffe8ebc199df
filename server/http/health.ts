import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type DatabaseClock, describeSkew, isSkewed } from '../db/clock.ts';
import { type Database, queryRow, type Tx } from '../db/database.ts';
import type { CircuitBreaker } from '../outgoing/circuitBreaker.ts';
import type { MailCircuit } from '../outgoing/mailer.ts';
import { refuse } from './refusals.ts';
import { API_BASE } from './routes.ts';

export const LIVENESS_PATH = `${API_BASE}/health/live`;
const READINESS_PATH = `${API_BASE}/health/ready`;
export const HEALTH_PATHS: ReadonlySet<string> = new Set([LIVENESS_PATH, READINESS_PATH]);

/** The circuit breaker of each third party that the server calls. */
type ThirdParty = Pick<CircuitBreaker, 'isOpen'> & Partial<Pick<MailCircuit, 'isRefusing'>>;
export type ThirdParties = Readonly<Record<'cardNetwork' | 'mail', ThirdParty> & { router?: ThirdParty }>;

type HealthOptions = {
  readonly database: Pick<Database, 'stepDb' | 'problem'>;
  readonly clock: Pick<DatabaseClock, 'skewS'>;
  /** Whether the server is about to stop. */
  readonly isDraining: () => boolean;
  readonly thirdParties: ThirdParties;
};

/**
 * Liveness: the process answers. Readiness: it can do its work; otherwise the call fails with 503, and says why. A load
 * balancer sends requests to servers that are ready. A third party that does not answer is only listed: every server has
 * the same ones, and most calls need none.
 */
export function serveHealth(app: FastifyInstance, { database, clock, isDraining, thirdParties }: HealthOptions): void {
  app.get(LIVENESS_PATH, async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }));
  app.get(READINESS_PATH, async (_request, reply) => {
    if (isDraining()) refuse('notReady', { message: 'This server is about to stop' });
    if (isSkewed(clock.skewS())) refuse('notReady', { message: describeSkew(clock.skewS()) });
    const problem = database.problem();
    if (problem !== undefined) refuse('notReady', { message: problem });
    // Asked while reads wait, too: a load balancer must not take a busy server for a broken one.
    if (await isReadOnly(database.stepDb))
      refuse('notReady', { message: 'The database is read-only: it is a standby' });
    return reply
      .header('cache-control', 'no-store')
      .send({ status: 'ready', thirdParties: describeCircuits(thirdParties) });
  });
}

const describeCircuits = (thirdParties: ThirdParties) =>
  Object.fromEntries(Object.entries(thirdParties).map(([name, circuit]) => [name, describeCircuit(circuit)]));

function describeCircuit({ isOpen, isRefusing }: ThirdParty): string {
  if (isOpen()) return 'does not answer';
  return isRefusing?.() ? 'answers, and refuses our mail' : 'answers';
}

async function isReadOnly(db: Tx): Promise<boolean> {
  const row = await queryRow<{ readOnly: boolean }>(
    db,
    sql`select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "readOnly"`,
  );
  return row?.readOnly === true;
}
