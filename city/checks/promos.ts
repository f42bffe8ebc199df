import { sql } from 'kysely';
import { type Database, queryRows } from '../../server/db/database.ts';
import { findOverused } from '../../testing/paymentStress/promoSimulation.ts';
import type { RunLog } from '../findings.ts';
import type { Person } from '../people/person.ts';
import type { PromoBoard } from '../people/promoBoard.ts';
import { expectedDiscount } from './prices.ts';

const LIMITS = 'nothing exceeds its limit';
/** Orders that ended like this give their use back, if their card was not charged. */
const ENDED: readonly string[] = ['Cancelled', 'Rejected'];

/** Reports codes that are used more often than they may be, as it is stored. */
export async function checkUses({ db }: Database, log: RunLog): Promise<void> {
  for (const what of await findOverused(db)) log.report(LIMITS, what);
}

/** The same from what the Buds know, once they have read everything again: how many of their orders have each code. */
export function checkKnownUses(people: readonly Person[], board: PromoBoard, log: RunLog): void {
  const uses = people.flatMap(({ name, knowledge }) =>
    [...knowledge.promos]
      .filter(([id]) => !ENDED.includes(knowledge.orders.get(id) ?? 'Cancelled'))
      .map(([id, { code }]) => ({ id, code, name })),
  );
  for (const [code, all] of Map.groupBy(uses, (use) => use.code)) {
    const terms = board.find(code);
    if (!terms) continue;
    const ids = all.map(({ id }) => id);
    if (all.length > terms.maxUses)
      log.report(LIMITS, `${all.length} orders have the code ${code}, which is for ${terms.maxUses}`, ids);
    const mostOfOne = terms.firstOrderOnly ? 1 : (terms.maxUsesPerBud ?? terms.maxUses);
    for (const [name, own] of Map.groupBy(all, (use) => use.name))
      if (own.length > mostOfOne)
        log.report(LIMITS, `${own.length} orders of ${name} have the code ${code}, which is for ${mostOfOne}`, ids);
  }
}

type CapturedRow = {
  readonly id: string;
  readonly code: string;
  readonly total: number;
  readonly card: number;
  readonly promotions: number;
};

/** The lines of captures of orders with a code, in cents. */
const CAPTURED = sql`select o.id, o.promo_code as code, o.total_price as total,
    coalesce(sum(l.amount) filter (where l.account = 'card-clearing'), 0)::float8 as card,
    coalesce(sum(l.amount) filter (where l.account = 'promotions'), 0)::float8 as promotions
  from orders o join ledger_entries e on e.order_id = o.id and e.kind = 'captured'
    join ledger_lines l on l.entry_id = e.id
  where o.promo_code is not null group by o.id`;

/**
 * Compares what was charged of orders with a code with its terms: the account `promotions` pays the discount, and the card the
 * rest. Not where laundry is weighed: a weight changes both.
 */
export async function checkPromotions({ db }: Database, board: PromoBoard, log: RunLog): Promise<void> {
  for (const { id, code, total, card, promotions } of await queryRows<CapturedRow>(db, CAPTURED)) {
    const terms = board.find(code);
    if (!terms) continue;
    const off = Math.round(expectedDiscount(terms, total / 100) * 100);
    if (promotions === off && card === total - off) continue;
    const words = `order ${id} costs ${total} cents with ${code}: its card paid ${card} and promotions ${promotions}, instead of ${total - off} and ${off}`;
    log.report('every cent is accounted for: promo codes', words, [id]);
  }
}
