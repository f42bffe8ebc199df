import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { queryRow, type Tx } from '../db/database.ts';
import { API_BASE, LIVENESS_PATH } from './routes.ts';

/** Liveness: the process answers. Readiness: its database does too, or the error door says why; migrations are done before it listens. */
export function serveHealth(app: FastifyInstance, db: Tx): void {
  app.get(LIVENESS_PATH, async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }));
  app.get(`${API_BASE}/health/ready`, async (_request, reply) => {
    await queryRow(db, sql`select 1 as ready`);
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}
