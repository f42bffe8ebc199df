import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { API_BASE } from './routes.ts';

export const LIVENESS_PATH = `${API_BASE}/health/live`;

/** Liveness: the process answers. Readiness: the database answers too, or the call fails with 503. */
export function serveHealth(app: FastifyInstance, db: Tx): void {
  app.get(LIVENESS_PATH, async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }));
  app.get(`${API_BASE}/health/ready`, async (_request, reply) => {
    await sql`select 1`.execute(db);
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}
