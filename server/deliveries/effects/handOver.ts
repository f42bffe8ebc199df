import type { Role } from '../../../domain/accounts.ts';
import type { Tx } from '../../db/database.ts';
import { applyHandoverEffects, attachHandoverFiles } from '../../handovers/handoverEffects.ts';
import { usePin } from '../../handovers/pins.ts';
import { recordHandover } from '../../handovers/recordHandover.ts';
import { believedTime, type DeliveryStepTaken } from '../facts.ts';

/**
 * `handsOver`: the laundry comes to the Duber, or from them to the one to whom they bring it. Writes nothing when that person has it
 * already, or when it has come to somebody else in another way.
 */
export async function handOver(tx: Tx, { row, facts, request, at }: DeliveryStepTaken): Promise<undefined> {
  const { id, attempt, round, orderId, scrubId, duberId: before } = facts;
  const { handover: report } = request;
  if (!row.handsOver || before === null) return;
  const isDelivered = row.handsOver === 'recipient';
  const recipient = recipientOf(row.handsOver, facts, before);
  const record =
    isDelivered && facts.hasMovedOn
      ? undefined
      : await recordHandover(
          tx,
          {
            ...{ orderId, delivery: { id, attempt, round }, recipient },
            ...{ takenAt: believedTime(request, facts), ...(report ? { report } : {}) },
          },
          at,
        );
  if (report?.pin) await usePin(tx, report.pin, at);
  // Without a report it causes nothing else, unless a Scrub has something back: nobody waits for its answer.
  if (!report && (isDelivered || recipient.role !== 'Scrub')) return;
  const handover = await record?.();
  if (!handover) return;
  const bags = report?.bags ?? null;
  const about = { orderId, deliveryId: id, scrubId, recipient: recipient.role, bags, isSeen: isDelivered };
  await applyHandoverEffects(tx, handover, about, at);
  if (report) await attachHandoverFiles(tx, { owner: before, fileIds: report.fileIds, handover });
}

function recipientOf(
  to: NonNullable<DeliveryStepTaken['row']['handsOver']>,
  { type, budId, scrubId }: DeliveryStepTaken['facts'],
  duberId: string,
): { readonly role: Role; readonly id: string } {
  if (to === 'duber') return { role: 'Duber', id: duberId };
  const isToScrub = (type === 'Bud_To_Scrub') === (to === 'recipient');
  return isToScrub ? { role: 'Scrub', id: scrubId } : { role: 'Bud', id: budId };
}
