import { sql } from 'kysely';
import type { EntryKind, LedgerLine } from '../domain/ledger.ts';
import { MONEY_TELLINGS, type MoneyMove, moveOf } from '../domain/moneyNotices.ts';
import { queryRows, type Tx } from '../server/db/database.ts';

type MovedLine = LedgerLine & {
  readonly id: string;
  readonly kind: EntryKind;
  readonly orderId: string | null;
  readonly isTold: boolean;
};

/** Every line of a person in the ledger, and whether a notice, a case or the end of their order has told them. */
const listLinesOfPeople = (db: Tx) =>
  queryRows<MovedLine>(
    db,
    sql`select e.id, e.kind, e.order_id as "orderId", l.account, l.party, l.amount,
        exists (select from notifications n where n.user_id = l.party and (
          n.kind = 'money' and n.about = lpad(to_hex(e.id), 32, '0')::uuid or n.kind = 'payout' and n.about = e.payout_id
          or n.kind in ('accepted', 'rejected', 'cancelled', 'expired') and n.about = e.order_id
            and (e.kind = 'captured' or r.liable = 'nobody')))
        or exists (select from refunds b join case_refunds cr on cr.refund_id = b.id
          join steps v on v.subject_id = cr.case_id join notifications n on n.about = v.id and n.user_id = l.party
          where b.id = e.refund_id or b.order_id = e.order_id and b.liable_user = l.party) as "isTold"
      from ledger_entries e join ledger_lines l on l.entry_id = e.id left join refunds r on r.id = e.refund_id
      where l.party is not null order by e.id, l.position`,
  );

/** The moves of each kind of entry, and what of them nobody was told. */
export async function readMoneyMoves(
  db: Tx,
): Promise<{ moves: Partial<Record<EntryKind, MoneyMove[]>>; untold: string[] }> {
  const moves: Partial<Record<EntryKind, MoneyMove[]>> = {};
  const untold: string[] = [];
  for (const line of await listLinesOfPeople(db)) {
    const move = moveOf(line);
    if (move === undefined) continue;
    moves[line.kind] = [...new Set([...(moves[line.kind] ?? []), move])].sort();
    const telling = MONEY_TELLINGS[line.kind][move];
    const mustBeTold = telling === 'money' || telling === 'accepted' || line.kind === 'paid-out';
    if (mustBeTold && !line.isTold) untold.push(`${line.kind} ${line.account} ${line.amount} of order ${line.orderId}`);
  }
  return { moves, untold };
}
