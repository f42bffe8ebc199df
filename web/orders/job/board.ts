import type { OrderTimes } from '../../../contract/windows.ts';
import type { OrderStatus } from '../../../domain/orders.ts';
import { LATE_AFTER_MS, REQUEST_LIFETIME_MS } from '../../../domain/orders.ts';
import { isAtScrub } from '../../../domain/process/holder.ts';
import type { OrderSituation } from '../../../domain/process/situation.ts';
import { describeWayToBud, describeWayToScrub } from '../laundryWay.ts';
import { isGivenBack } from '../orderChanges.ts';
import type { WaitingJob } from '../stepHints.ts';

/** The columns of a Scrub's board, in the order of the work. */
export const BOARD_COLUMNS = ['Answer', 'Arriving', 'Washing', 'Ready'] as const;
export type BoardColumn = (typeof BOARD_COLUMNS)[number];

type PlacedJob = WaitingJob & {
  readonly situation?: OrderSituation | undefined;
  readonly times?: OrderTimes | undefined;
  readonly statusHistory: readonly { readonly status: OrderStatus; readonly createdAt: string }[];
};

/** Washed laundry that is still with its Scrub. */
const READY: readonly (OrderSituation | undefined)[] = [
  ...(['waits-for-duber', 'coming', 'at-pickup', 'not-collected', 'brought-back', 'bud-fetches'] as const),
];

/** Where a job stands on the board; undefined once there is nothing left to do for its Scrub. */
export function columnOf(job: PlacedJob): BoardColumn | undefined {
  const { status, situation } = job;
  if (status === 'Requested') return isGivenBack(job) ? undefined : 'Answer';
  if (status === 'Accepted') return isAtScrub(job) ? 'Washing' : 'Arriving';
  if (status === 'In_Progress') return 'Washing';
  return status === 'Completed' && READY.includes(situation) ? 'Ready' : undefined;
}

/** Where the laundry of a job is, if it is not with its Scrub or leaves soon. */
export function describeJob(job: PlacedJob): string | undefined {
  const column = columnOf(job);
  if (column === 'Arriving') return describeWayToScrub(job, 'Scrub');
  if (column === 'Ready') return describeWayToBud(job, 'Scrub');
  return job.status === 'Accepted' ? 'The laundry is here.' : undefined;
}

type Due = { readonly label: string; readonly at: Date };

/** Until when the next step is expected: a request ends when its pickup window begins, and laundry is fetched in its return window. */
export function dueOf({ status, statusHistory, times }: PlacedJob): Due | undefined {
  const since = statusHistory.findLast(
    (step, index) => step.status === status && statusHistory[index - 1]?.status !== status,
  );
  const after = (ms: number) => Date.parse(since?.createdAt ?? '') + ms;
  if (!since) return undefined;
  if (status === 'Requested') {
    const at = Math.min(after(REQUEST_LIFETIME_MS), times ? Date.parse(times.pickup.from) : Infinity);
    return { label: 'Answer by', at: new Date(at) };
  }
  if (status !== 'In_Progress') return undefined;
  return { label: 'Done by', at: new Date(times ? times.return.from : after(LATE_AFTER_MS)) };
}
