import type { StepEvent } from '../../contract/events.ts';
import type { Role } from '../../domain/accounts.ts';

export type EventToast = {
  readonly title: string;
  /** The title of one toast for several events. */
  readonly titleForMany: (count: number) => string;
  readonly description: string;
  readonly to: string;
  readonly kind: 'info' | 'success' | 'warning';
  readonly hasSound: boolean;
};

/** The toast of an event for a role. Undefined if the screens only update. */
export function eventToastOf({ entity, id, status }: StepEvent, role: Role): EventToast | undefined {
  if (role === 'Duber' && entity === 'delivery' && status === 'Pending')
    return {
      title: 'New delivery nearby',
      titleForMany: (count) => `${count} new deliveries nearby`,
      description: 'The first Duber to accept it gets it.',
      to: `/duber/deliveries/${id}`,
      kind: 'info',
      hasSound: true,
    };
  if (entity !== 'order') return undefined;
  const job = { to: `/scrub/jobs/${id}` };
  if (role === 'Scrub' && status === 'Requested')
    return {
      ...job,
      title: 'New job',
      titleForMany: (count) => `${count} new jobs`,
      description: 'Someone nearby wants to book you.',
      kind: 'info',
      hasSound: true,
    };
  if (role === 'Scrub' && status === 'Cancelled')
    return {
      ...job,
      title: 'Job cancelled',
      titleForMany: (count) => `${count} jobs cancelled`,
      description: 'Its page says what happened.',
      kind: 'warning',
      hasSound: false,
    };
  if (role !== 'Bud') return undefined;
  const order = { to: `/bud/orders/${id}`, hasSound: false };
  if (status === 'Accepted')
    return {
      ...order,
      title: 'Order accepted',
      titleForMany: (count) => `${count} orders accepted`,
      description: 'Your Scrub will take care of it.',
      kind: 'success',
    };
  if (status === 'Rejected')
    return {
      ...order,
      title: 'Order rejected',
      titleForMany: (count) => `${count} orders rejected`,
      // A Duber may have been paid before its present Scrub was asked.
      description: 'You pay your Scrub nothing.',
      kind: 'warning',
    };
  return undefined;
}
