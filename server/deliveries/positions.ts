import type { Position } from '../../contract/positions.ts';
import { coarsePlace, isOnTheWay, positionIsKept } from '../../domain/positions.ts';
import type { Deps } from '../context.ts';
import { transact } from '../db/database.ts';
import { tellDelivery, tellPosition } from '../events/events.sql.ts';
import { found, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { deleteOldPositions, dropPosition, keepPosition, readStanding, type Standing } from './positions.sql.ts';

type PositionCalls = Pick<Handlers, 'readPosition' | 'sharePosition' | 'forgetPosition'>;

export function positionHandlers({ db, now, nudge }: Deps): PositionCalls {
  return {
    readPosition: async ({ caller, params }) => ({
      position: shapePosition(found(await readStanding(db, caller, params.id)), now()),
    }),
    sharePosition: async ({ caller, params, body }) => {
      const at = now();
      const place = coarsePlace(body);
      const isKept = await transact(db, async (tx) => {
        const kept = await keepPosition(tx, caller.id, params.id, place, at);
        if (kept) await tellPosition(tx, params.id, at);
        return kept;
      });
      if (isKept) nudge('events');
      else refuseStanding(found(await readStanding(db, caller, params.id)));
      return { position: shapePosition(found(await readStanding(db, caller, params.id)), now()) };
    },
    forgetPosition: async ({ caller, params: { id } }) => {
      const { status } = found(await readStanding(db, caller, id));
      const at = now();
      const wasThere = await transact(db, async (tx) => {
        const dropped = await dropPosition(tx, caller.id, id, at);
        // Those who see it on a map are told to look again.
        if (dropped) await tellDelivery(tx, { id, status, at: at.toISOString() });
        return dropped;
      });
      if (wasThere) nudge('events');
    },
  };
}

function refuseStanding({ status }: Standing): void {
  if (isOnTheWay(status)) return;
  refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
}

function shapePosition({ latitude, longitude, at, deliveredAt }: Standing, now: Date): Position | null {
  if (latitude === null || longitude === null || at === null) return null;
  return positionIsKept({ at, deliveredAt }, now) ? { latitude, longitude, at: at.toISOString() } : null;
}

/** Sweeps away what positionIsKept already hides. */
export async function sweepPositions({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deleteOldPositions(db, now());
}
