import type { StepEvent } from '../../contract/events.ts';
import type { Role } from '../../domain/accounts.ts';

export type News = {
  readonly title: string;
  /** How to say several of them at once. */
  readonly many: (count: number) => string;
  readonly description: string;
  readonly to: string;
  readonly kind: 'info' | 'success' | 'warning';
  readonly isHeard: boolean;
};

/** What an event is worth saying aloud to somebody of this role; the rest just moves on the screens. */
export function newsOf({ entity, id, status }: StepEvent, role: Role): News | undefined {
  if (role === 'Duber' && entity === 'delivery' && status === 'Pending')
    return {
      title: 'New delivery nearby',
      many: (count) => `${count} new deliveries nearby`,
      description: 'It waits for the first Duber who takes it.',
      to: `/duber/deliveries/${id}`,
      kind: 'info',
      isHeard: true,
    };
  if (entity !== 'order') return undefined;
  const job = { to: `/scrub/jobs/${id}` };
  if (role === 'Scrub' && status === 'Requested')
    return {
      ...job,
      title: 'New job',
      many: (count) => `${count} new jobs`,
      description: 'Somebody nearby asks for you.',
      kind: 'info',
      isHeard: true,
    };
  if (role === 'Scrub' && status === 'Cancelled')
    return {
      ...job,
      title: 'Job cancelled',
      many: (count) => `${count} jobs cancelled`,
      description: 'It was taken back, or waited too long for an answer.',
      kind: 'warning',
      isHeard: false,
    };
  if (role !== 'Bud') return undefined;
  const order = { to: `/bud/orders/${id}`, isHeard: false };
  if (status === 'Accepted')
    return {
      ...order,
      title: 'Order accepted',
      many: (count) => `${count} orders accepted`,
      description: 'Your Scrub takes care of it.',
      kind: 'success',
    };
  if (status === 'Rejected')
    return {
      ...order,
      title: 'Order rejected',
      many: (count) => `${count} orders rejected`,
      description: 'Your card was not charged.',
      kind: 'warning',
    };
  return undefined;
}
