import type { DeliveryStatus } from '../../../domain/deliveries.ts';
import { drawTime, TIMES } from './times.ts';

type History = readonly { readonly createdAt: string }[];

/** The properties of a delivery that waits that a Duber reads. */
export type DuberOffer = { readonly id: string; readonly scrubId: string; readonly statusHistory: History };

type Town = { readonly since: number; readonly pace: number };

const lastTime = (history: History) => Date.parse(history.at(-1)?.createdAt ?? '');

/** The offer that this Duber takes next, and when. Only of Scrubs who are neighbours, and after everybody else could. */
export function planOffer(
  offers: readonly DuberOffer[],
  duberId: string,
  { since, pace, isNeighbour }: Town & { readonly isNeighbour: (userId: string) => boolean },
): { readonly deliveryId: string; readonly at: number } | undefined {
  return offers
    .filter(({ scrubId, statusHistory }) => isNeighbour(scrubId) && lastTime(statusHistory) >= since)
    .map(({ id, statusHistory }) => ({
      deliveryId: id,
      at: lastTime(statusHistory) + drawTime(TIMES.letOthersFirst, id, duberId) / pace,
    }))
    .toSorted((a, b) => a.at - b.at)[0];
}

/** The properties of their own delivery that a Duber reads. */
export type DuberDelivery = { readonly id: string; readonly status: DeliveryStatus; readonly statusHistory: History };

/** The drive that a Duber is on, and when it began. */
export type Drive = { readonly deliveryId: string; readonly status: DeliveryStatus; readonly startedAt: number };

export type DuberAct = 'way-to-pickup' | 'collect' | 'way-to-drop' | 'deliver' | 'brought-back';

export type DuberPlan =
  | { readonly act: DuberAct; readonly at: number }
  | { readonly act: 'set-off' }
  /** `fraction` of the way is behind them. */
  | { readonly act: 'drive'; readonly fraction: number };

const AT_THE_END = { Way_To_Pick: 'collect', Way_To_Drop: 'deliver', Way_Back: 'brought-back' } as const;
const AFTER_HANDLING = { Accepted: 'way-to-pickup', Collected: 'way-to-drop' } as const;

const isIn = <T extends object>(object: T, key: PropertyKey): key is keyof T => Object.hasOwn(object, key);

/** What a Duber does next with their delivery. Undefined where it waits for somebody else. */
export function planDelivery(
  { id, status, statusHistory }: DuberDelivery,
  drive: Drive | undefined,
  { now, pace }: { readonly now: number; readonly pace: number },
): DuberPlan | undefined {
  if (isIn(AFTER_HANDLING, status))
    return {
      act: AFTER_HANDLING[status],
      at: lastTime(statusHistory) + drawTime(TIMES.handle, id, status) / pace,
    };
  if (!isIn(AT_THE_END, status)) return undefined;
  // Also after a restart, which has forgotten it.
  if (drive?.deliveryId !== id || drive.status !== status) return { act: 'set-off' };
  const fraction = ((now - drive.startedAt) * pace) / TIMES.drive;
  return fraction < 1 ? { act: 'drive', fraction } : { act: AT_THE_END[status], at: now };
}
