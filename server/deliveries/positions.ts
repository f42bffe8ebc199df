import type { Position } from '../../contract/positions.ts';
import { isOnTheWay, isPositionVisible, roundPosition } from '../../domain/positions.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { publishDeliveryUpdate, publishPosition } from '../events/publish.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import {
  clearPosition,
  type DeliveryPosition,
  deleteOldPositions,
  readDeliveryPosition,
  savePosition,
} from './positions.sql.ts';

type PositionCalls = Pick<Handlers, 'readPosition' | 'sharePosition' | 'forgetPosition'>;

export function positionHandlers({ db, now, wake: nudge }: Context): PositionCalls {
  return {
    readPosition: async ({ caller, params }) => ({
      position: toPosition(orNotFound(await readDeliveryPosition(db, caller, params.id)), now()),
    }),
    sharePosition: async ({ caller, params, body }) => {
      const at = now();
      const place = roundPosition(body);
      const isKept = await transact(db, async (tx) => {
        const kept = await savePosition(tx, caller.id, params.id, place, at);
        if (kept) await publishPosition(tx, params.id, at);
        return kept;
      });
      if (isKept) nudge('events');
      else refuseUnlessOnTheWay(orNotFound(await readDeliveryPosition(db, caller, params.id)));
      return { position: toPosition(orNotFound(await readDeliveryPosition(db, caller, params.id)), now()) };
    },
    forgetPosition: async ({ caller, params: { id } }) => {
      const { status } = orNotFound(await readDeliveryPosition(db, caller, id));
      const at = now();
      const wasThere = await transact(db, async (tx) => {
        const dropped = await clearPosition(tx, caller.id, id, at);
        // Those who see it on a map are told to look again.
        if (dropped) await publishDeliveryUpdate(tx, { deliveryId: id, status, createdAt: at.toISOString() });
        return dropped;
      });
      if (wasThere) nudge('events');
    },
  };
}

function refuseUnlessOnTheWay({ status }: DeliveryPosition): void {
  if (isOnTheWay(status)) return;
  refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
}

function toPosition({ latitude, longitude, at, deliveredAt }: DeliveryPosition, now: Date): Position | null {
  if (latitude === null || longitude === null || at === null) return null;
  return isPositionVisible({ at, deliveredAt }, now) ? { latitude, longitude, at: at.toISOString() } : null;
}

/** Sweeps away what positionIsKept already hides. */
export async function deleteExpiredPositions({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await deleteOldPositions(db, now());
}
