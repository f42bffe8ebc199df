import { isRelayed } from '../../../domain/process/holder.ts';
import type { Told } from '../../../domain/process/row.ts';
import type { Tx } from '../../db/database.ts';
import { deleteNotices, queueExceptionNotice, takeBackDelivered } from '../../notifications/queueNotifications.sql.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/** `unsays` and `notifies`: withdraws earlier notices, and queues the new one. */
export async function notify(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  if (row.unsays) {
    await deleteNotices(tx, facts.id, row.unsays);
    await takeBackDelivered(tx, facts.id, at);
  }
  const { notifies } = row;
  if (!notifies || (notifies.onlyAfterLoss && facts.lostAt === null)) return;
  const { kind, to } = notifies;
  const told = to.map((one) => findTold(facts, one));
  const people = told.flatMap((one) => ('role' in one ? one.role : []));
  const dubers = told.flatMap((one) => ('duber' in one ? one.duber : []));
  // A Duber who goes on with their own laundry waits for nobody.
  if (people.length === 0 && dubers.every((id) => id === null)) return;
  await queueExceptionNotice(tx, facts.id, { kind, to: people, dubers }, at);
}

type FoundTold = { readonly role: 'Bud' | 'Scrub' } | { readonly duber: string | null };

/** Finds the recipient of a notice: a person of the order, or a Duber. */
function findTold(facts: DeliveryStepTaken['facts'], told: Told): FoundTold {
  const [sender, recipient] = facts.type === 'Bud_To_Scrub' ? (['Bud', 'Scrub'] as const) : (['Scrub', 'Bud'] as const);
  const holder = isRelayed(facts) ? facts.carrierId : null;
  switch (told) {
    case 'sender':
      return { role: sender };
    case 'recipient':
      return { role: recipient };
    case 'atPickup':
      return holder === null ? { role: sender } : { duber: holder === facts.duberId ? null : holder };
    case 'duber':
      return { duber: facts.duberId };
    case 'holder':
      return { duber: holder };
    default:
      return { role: told };
  }
}
