import { sql } from 'kysely';
import type { BudId, DuberId, ScrubId } from '../domain/accounts.ts';
import { row, type Tx } from './database.ts';

export type BudFigures = { total: number; active: number; completed: number };

export async function budFigures(tx: Tx, bud: BudId): Promise<BudFigures> {
  const figures = await row<BudFigures>(
    tx,
    sql`select count(*)::int as total, count(*) filter (where status = 'In_Progress')::int as active,
      count(*) filter (where status = 'Completed')::int as completed from orders where bud_id = ${bud}`,
  );
  return figures ?? { total: 0, active: 0, completed: 0 };
}

export type ScrubFigures = { active: number; completed: number; rating: number };

export async function scrubFigures(tx: Tx, scrub: ScrubId): Promise<ScrubFigures> {
  const figures = await row<ScrubFigures>(
    tx,
    sql`select count(*) filter (where status = 'In_Progress')::int as active,
        count(*) filter (where status = 'Completed')::int as completed,
        (select case when rating_count = 0 then 0 else round(rating_sum::numeric / rating_count, 1)::float8 end
          from users where id = ${scrub}) as rating
      from orders where scrub_id = ${scrub}`,
  );
  return figures ?? { active: 0, completed: 0, rating: 0 };
}

export type DuberFigures = { total: number; delivered: number; distance: number };

/** A Duber's figures: metres are of what was delivered. */
export async function duberFigures(tx: Tx, duber: DuberId): Promise<DuberFigures> {
  const figures = await row<DuberFigures>(
    tx,
    sql`select count(*)::int as total,
        count(*) filter (where status = 'Delivered')::int as delivered,
        coalesce(sum(distance_m) filter (where status = 'Delivered'), 0)::float8 as distance
      from deliveries where duber_id = ${duber}`,
  );
  return figures ?? { total: 0, delivered: 0, distance: 0 };
}
