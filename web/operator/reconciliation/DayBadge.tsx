import type { ReconciledDay } from '../../../contract/operator/reconciliation.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

const TEXTS = {
  equal: ['Completed', 'Equal'],
  differs: ['Pending', 'Differs'],
  failed: ['Pending', 'Not compared'],
} as const;

/** Whether a day is the same on both sides. Calm colors: nothing is lost. */
export function DayBadge({ day: { state, isChecking } }: { day: Pick<ReconciledDay, 'state' | 'isChecking'> }) {
  if (isChecking && state !== 'failed') return <StatusBadge status="In_Progress" label="Checking" />;
  const [status, label] = TEXTS[state ?? 'failed'];
  return <StatusBadge status={status} label={label} />;
}
