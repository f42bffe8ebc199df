import type { Role } from '../../domain/accounts.ts';
import type { RowLink } from '../lists/DataTable.tsx';

/** A role's own list of deliveries. */
export function deliveriesPath(role: Role): string {
  return `/${role.toLowerCase()}/deliveries`;
}

export function deliveryPath(role: Role, id: string): string {
  return `${deliveriesPath(role)}/${id}`;
}

/** The page of a delivery's order for a role; a Duber sees no orders. */
export function orderPath(role: Role, orderId: string): string | undefined {
  if (role === 'Bud') return `/bud/orders/${orderId}`;
  if (role === 'Scrub') return `/scrub/jobs/${orderId}`;
  return undefined;
}

/** The row link to a delivery's order, next to the one to its details. */
export function orderLinks(role: Role, orderId: string): readonly RowLink[] {
  const to = orderPath(role, orderId);
  return to === undefined ? [] : [{ label: role === 'Bud' ? 'View Order' : 'View Job', to }];
}
