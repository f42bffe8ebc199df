import type { Position } from '../../contract/positions.ts';
import type { Caller } from '../../domain/accounts.ts';
import type { DeliveryStatus } from '../../domain/deliveries.ts';
import { isOnTheWay, isPositionVisible, roundPosition } from '../../domain/positions.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, withConnection } from '../db/database.ts';
import { publishDeliveryUpdate, publishPosition } from '../events/publish.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { clearPosition, deleteOldPositions, readDeliveryPosition, savePosition } from './positions.sql.ts';

type PositionCalls = Pick<Handlers, 'readPosition' | 'sharePosition' | 'forgetPosition'>;

export function positionHandlers({ db, now, wake }: Context): PositionCalls {
  return {
    readPosition: async ({ caller, params }) => ({
      position: toPosition(orNotFound(await readDeliveryPosition(db, caller, params.id)), now()),
    }),
    sharePosition: ({ caller, params, body }) =>
      withConnection(db, async (connected) => {
        const at = now();
        const point = { ...roundPosition(body), accuracy: body.accuracy ?? null };
        const isSaved = await transact(connected, async (tx) => {
          const saved = await savePosition(tx, caller.id, params.id, point, at);
          if (saved) await publishPosition(tx, params.id, at);
          return saved;
        });
        if (isSaved) wake('events');
        else refuseUnlessOnTheWay(orNotFound(await readDeliveryPosition(connected, caller, params.id)));
        return { position: toPosition(orNotFound(await readDeliveryPosition(connected, caller, params.id)), now()) };
      }),
    forgetPosition: ({ caller, params: { id } }) =>
      withConnection(db, async (connected) => {
        orNotFound(await readDeliveryPosition(connected, caller, id));
        const at = now();
        const isCleared = await transact(connected, async (tx) => {
          const cleared = await clearPosition(tx, caller.id, id, at);
          // Makes screens with the map reload the delivery.
          if (cleared) await publishDeliveryUpdate(tx, { deliveryId: id, createdAt: at.toISOString() });
          return cleared;
        });
        if (isCleared) wake('events');
        return undefined;
      }),
  };
}

/** The last position of a delivery, if the caller may see it. */
export async function readVisiblePosition(tx: Tx, caller: Caller, id: string, now: Date): Promise<Position | null> {
  const stored = await readDeliveryPosition(tx, caller, id);
  return stored ? toPosition(stored, now) : null;
}

type StoredPosition = NonNullable<Awaited<ReturnType<typeof readDeliveryPosition>>>;

function refuseUnlessOnTheWay({ status }: { status: DeliveryStatus }): void {
  if (isOnTheWay(status)) return;
  refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
}

function toPosition({ latitude, longitude, accuracy, at, endedAt }: StoredPosition, now: Date): Position | null {
  if (latitude === null || longitude === null || at === null) return null;
  if (!isPositionVisible({ at, deliveredAt: endedAt }, now)) return null;
  return { latitude, longitude, accuracy, at: at.toISOString() };
}

const DELETED_AT_ONCE = 500;

/** Deletes some of the positions that `isPositionVisible` already hides. Returns whether there may be more. */
export async function deleteExpiredPositions({ db, now }: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  return (await deleteOldPositions(db, now(), DELETED_AT_ONCE)) === DELETED_AT_ONCE;
}
