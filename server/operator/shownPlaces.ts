import type { Tx } from '../db/database.ts';
import { findShownAt } from './people.sql.ts';

const PLACES_SHOWN_MS = 15 * 60_000;

/** Until when an operator reads where the people of an order live, because they said why. Undefined when they do not. */
export async function findPlacesShownUntil(
  tx: Tx,
  { orderId, operatorId }: { readonly orderId: string; readonly operatorId: string },
  now: Date,
): Promise<Date | undefined> {
  const shownAt = await findShownAt(tx, 'showPlaces', { subjectId: orderId, operatorId });
  const until = new Date((shownAt?.getTime() ?? 0) + PLACES_SHOWN_MS);
  return until > now ? until : undefined;
}
