import type { ReactNode } from 'react';
import type { CaseStatus } from '../../domain/cases.ts';
import { DELIVERY_GROUPS } from '../../domain/deliveries.ts';
import { ORDER_GROUPS, type StatusGroup } from '../../domain/orders.ts';
import { Badge } from './Badge.tsx';
import { labelOf } from './format.ts';

const CASE_GROUPS: Readonly<Record<CaseStatus, StatusGroup | 'other'>> = {
  'with-scrub': 'pending',
  'with-duber': 'pending',
  'with-bud': 'pending',
  'with-town': 'progress',
  decided: 'completed',
  closed: 'other',
};
/** A delivery that failed goes on, but must be noticed. One that was brought back waits, and nobody is on the way. */
const SHOWN_AS = { Failed: 'cancelled', Returned: 'other' } as const;
const GROUPS: Record<string, StatusGroup | 'other'> = {
  ...ORDER_GROUPS,
  ...DELIVERY_GROUPS,
  ...SHOWN_AS,
  ...CASE_GROUPS,
};

/** The group that an order's, a delivery's or a case's status is shown as. Orders and deliveries have 'Accepted', which is in progress for both. */
export function statusGroupOf(status: string): StatusGroup | 'other' {
  return GROUPS[status] ?? 'other';
}

const SHAPES: Record<StatusGroup | 'other', ReactNode> = {
  pending: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="2" />,
  progress: (
    <>
      <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" fill="currentColor" />
    </>
  ),
  completed: (
    <path d="M2 6.5 5 9.500 10.500 3" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
  ),
  cancelled: <path d="M3 3l6 6M9 3 3 9" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />,
  other: <circle cx="6" cy="6" r="3" fill="currentColor" />,
};

/** A status label in the color of its group, with the group's icon. */
export function StatusBadge({ status, label = labelOf(status) }: { status: string; label?: string }) {
  const group = statusGroupOf(status);
  const icon = (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[group]}
    </svg>
  );
  return (
    <Badge color={group} icon={icon} status={status}>
      {label}
    </Badge>
  );
}
