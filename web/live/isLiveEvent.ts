import type { LiveEvent } from '../../contract/events.ts';
import { CASE_STATUSES } from '../../domain/cases.ts';
import { DELIVERY_STATUSES } from '../../domain/deliveries.ts';
import { ORDER_STATUSES } from '../../domain/orders.ts';

/**
 * Whether this version of the app knows an event of the stream: a newer server may send others. Written without the
 * schema of the contract, so that no screen has to load the validator before it can listen.
 */
export function isLiveEvent(value: unknown): value is LiveEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { entity, id, at, ...rest } = value as Record<string, unknown>;
  if (typeof id !== 'string' || typeof at !== 'string') return false;
  if (entity === 'position') return isPosition(rest);
  if (entity === 'order') return isOneOf(ORDER_STATUSES, rest.status);
  if (entity === 'case') return isOneOf(CASE_STATUSES, rest.status);
  return entity === 'delivery' && isOneOf(DELIVERY_STATUSES, rest.status);
}

const isPosition = ({ latitude, longitude, accuracy }: Record<string, unknown>) =>
  typeof latitude === 'number' && typeof longitude === 'number' && (accuracy === null || typeof accuracy === 'number');

const isOneOf = (known: readonly string[], value: unknown) => typeof value === 'string' && known.includes(value);
